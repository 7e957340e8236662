//! Transcripts: captions are kept as they are, and other texts with times become WebVTT.

use transcripts::{Format, read, to_webvtt};

/// Returns the name and the text of a transcript, or None if the file has no spoken text.
pub fn convert(name: &str, text: &str) -> Option<(String, String)> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let format = Format::of("", name, text.as_bytes());
    let format = match (format, Format::of("", "", text.as_bytes())) {
        // A file with the wrong extension.
        (Format::Plain | Format::Srt, found) => found,
        (format, _) => format,
    };
    let cues: Vec<_> = read(text.as_bytes(), format).collect();
    let has_times = cues.iter().any(|cue| cue.start.is_some());
    let extension = match format {
        _ if cues.is_empty() => return None,
        // Other JSON files may contain texts that are not spoken.
        Format::Json if !has_times => return None,
        Format::Vtt => "vtt",
        Format::Srt => "srt",
        Format::Html if !has_times => "html",
        Format::Plain if !has_times => "txt",
        Format::Html | Format::Plain | Format::Json => {
            return Some((format!("{stem}.vtt"), to_webvtt(&cues)));
        }
    };
    Some((format!("{stem}.{extension}"), text.to_owned()))
}
