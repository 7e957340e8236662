//! Transcripts: captions are kept as they are, and other texts with times become WebVTT.

use std::fmt::Write as _;

use serde_json::Value;
use transcripts::{Format, read};

/// Length of a cue whose end is unknown, in milliseconds.
const LENGTH: u64 = 3000;

/// Returns the name and the text of a transcript, or None if the file has no spoken text.
pub fn convert(name: &str, text: &str) -> Option<(String, String)> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let format = Format::of("", name, text.as_bytes());
    let format = match (format, Format::of("", "", text.as_bytes())) {
        // A file with the wrong extension.
        (Format::Plain | Format::Srt, found) => found,
        (format, _) => format,
    };
    let json = serde_json::from_str(text).ok();
    let converted = json.as_ref().and_then(whisper).unwrap_or_default();
    if !converted.is_empty() {
        return Some((format!("{stem}.vtt"), with_head(&converted)));
    }
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
            return Some((format!("{stem}.vtt"), vtt(&cues)));
        }
    };
    Some((format!("{stem}.{extension}"), text.to_owned()))
}

/// Returns cues as WebVTT. A cue without a start continues the previous cue.
fn vtt(cues: &[transcripts::Cue<'_>]) -> String {
    let mut text = String::new();
    let mut last = 0;
    for (at, cue) in cues.iter().enumerate() {
        let start = cue.start.unwrap_or(last);
        let next = cues[at + 1..].iter().find_map(|next| next.start);
        let end = cue.end.or(next).filter(|end| *end > start).unwrap_or(start + LENGTH);
        write_cue(&mut text, (start, end), cue.speaker.as_deref(), &cue.text);
        last = end;
    }
    with_head(&text)
}

fn with_head(cues: &str) -> String {
    format!("WEBVTT\n{cues}")
}

/// Reads the JSON of whisper.cpp, which has times in milliseconds in `offsets`.
fn whisper(json: &Value) -> Option<String> {
    let mut text = String::new();
    for own in json.get("transcription")?.as_array()? {
        let time = |key: &str| own.get("offsets")?.get(key)?.as_u64();
        write_cue(&mut text, (time("from")?, time("to")?), None, own.get("text")?.as_str()?.trim());
    }
    Some(text)
}

fn write_cue(text: &mut String, (start, end): (u64, u64), speaker: Option<&str>, words: &str) {
    let voice = speaker.map(|name| format!("<v {}>", name.replace(['<', '>', '&'], " ")));
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let (start, end, voice) = (clock(start), clock(end), voice.unwrap_or_default());
    let _ = write!(text, "\n{start} --> {end}\n{voice}{words}\n");
}

fn clock(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    format!("{:02}:{:02}:{:02}.{rest:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
