//! Finds faults in transcripts, and chapters and soundbites beyond the end of an item's media.
//!
//! These checks read every transcript completely, which a build avoids. Therefore only `check` runs
//! them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;
use serde::de::IgnoredAny;
use transcripts::{Cue, Format};

use super::Site;
use model::{Config, Diagnostic, Item, Rule, SitePath};
use render::{ShownTranscript, text, transcript_files};
use site::ItemEntry;
use site::recordings::recording;
use source::clips::{MAX_CLIP, cut};
use source::disk::open_file;
use source::place::{place_of_chapter, place_of_tag};

/// Maximum number of faults reported for one transcript. The first faults usually include the cause
/// of the others.
const LIMIT: usize = 5;

/// Tolerance in seconds for times after the end of the media, because durations are rounded.
const ROUNDING: f64 = 2.0;

/// Returns warnings about the transcripts, chapters and soundbites of all items.
pub(super) fn sound_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let config = &site.snapshot.config;
    let entries = site.snapshot.entries.par_iter();
    let of_items = entries.flat_map_iter(|entry| {
        let item = &entry.item;
        let length = length(item);
        let transcripts = transcript_files(config, item);
        let transcripts =
            transcripts.flat_map(move |own| file_faults(root, own.file, own.format, length));
        let soundbites = item.podcast.soundbites.iter().enumerate();
        let soundbites =
            soundbites.filter_map(move |(at, _)| soundbite_fault(root, config, entry, at));
        transcripts.chain(late_chapter(root, item)).chain(soundbites)
    });
    of_items.collect()
}

/// Returns the duration of an item's audio or video in seconds.
fn length(item: &Item) -> Option<f64> {
    let length = item.attachment.as_ref()?.duration_in_seconds;
    length.filter(|length| *length > 0.0)
}

/// Warns about the first chapter that starts after the end of the media.
fn late_chapter(root: &Path, item: &Item) -> Option<Diagnostic> {
    let length = length(item)?;
    let mut chapters = item.podcast.chapters.iter().enumerate();
    let (at, chapter) = chapters.find(|(_, chapter)| chapter.start_time > length + ROUNDING)?;
    let message = format!(
        "chapter {} starts at {}, but the recording ends at {}",
        at + 1,
        text::clock(chapter.start_time),
        text::clock(length)
    );
    let warning = Diagnostic::warning(Rule::ChapterTime, message);
    let warning = place_of_chapter(root, &item.source, at, warning);
    Some(warning.help(
        "check whether minutes and seconds are mixed up, or the chapters belong to another recording",
    ))
}

/// Warns about a soundbite that extends beyond the end of the media, is the same passage as an
/// earlier soundbite, or cannot be cut out of the recording.
fn soundbite_fault(
    root: &Path,
    config: &Config,
    entry: &ItemEntry,
    at: usize,
) -> Option<Diagnostic> {
    let item = &*entry.item;
    let bite = &item.podcast.soundbites[at];
    let end = bite.start_time + bite.duration;
    let length = length(item);
    let (field, message, help) = if let Some(length) =
        length.filter(|length| end > length + ROUNDING)
    {
        let field = if bite.start_time > length { "startTime" } else { "duration" };
        let (end, length) = (text::clock(end), text::clock(length));
        let message = format!("this soundbite ends at {end}, but the recording ends at {length}");
        let help = "check whether minutes and seconds are mixed up, or the soundbite belongs to another recording";
        (field, message, help)
    } else if entry.clip(bite).is_some() && entry.clip_at(at).is_none() {
        let message = "this soundbite has the same times as an earlier one, so only the earlier one has a page";
        ("startTime", message.to_owned(), "remove one of the two soundbites, or change its times")
    } else {
        let file = recording(config, item).filter(|_| config.audio.clips && !bite.is_cut)?;
        // Other formats cannot be cut at all. Pages play the passage in the whole recording.
        recording_tags::clip_extension(&file.source.extension())?;
        let reason = cut(open_file(&file.source.on_disk(root)), &file.source, bite).err()?;
        let message = format!("this soundbite gets no clip: {reason}");
        match bite.duration > MAX_CLIP {
            true => ("duration", message, "choose a passage of at most ten minutes"),
            false => (
                "startTime",
                message,
                "export the recording again as MP3 or M4A, or correct the times",
            ),
        }
    };
    let warning = Diagnostic::warning(Rule::Soundbite, message).help(help);
    let tag = (&["soundbites", "soundbite"][..], at);
    Some(place_of_tag(root, &item.source, tag, field, warning))
}

/// Reads a transcript and returns warnings about it. `length` is the duration of the media in
/// seconds.
fn file_faults(
    root: &Path,
    path: &SitePath,
    format: Format,
    length: Option<f64>,
) -> Vec<Diagnostic> {
    let file = path.on_disk(root);
    if fs::metadata(&file).is_ok_and(|facts| facts.len() > ShownTranscript::LIMIT) {
        let warning = Diagnostic::warning(
            Rule::Transcript,
            "this transcript is larger than 10 MB: the page only links to it",
        );
        let help = "check whether it is the right file: ten hours of speech are about 1 MB";
        return vec![warning.file(path.as_str()).help(help)];
    }
    match fs::read(&file) {
        Ok(bytes) => transcript_faults(path, &bytes, format, length),
        Err(error) => {
            let warning =
                Diagnostic::warning(Rule::Transcript, format!("this file cannot be read: {error}"));
            let help = "check its permissions";
            vec![warning.file(path.as_str()).help(help)]
        }
    }
}

/// Returns warnings about the bytes of a transcript. `length` is the duration of the media in
/// seconds.
pub fn transcript_faults(
    path: &SitePath,
    bytes: &[u8],
    format: Format,
    length: Option<f64>,
) -> Vec<Diagnostic> {
    if bytes.is_empty() {
        // Another check reports empty transcripts, at the front matter key that refers to the file.
        return Vec::new();
    }
    let mut transcript = transcripts::read(bytes, format);
    let (mut cues, mut late) = (0_usize, LateCues::default());
    for cue in transcript.by_ref() {
        cues += 1;
        late.check_cue(&cue, length);
    }
    let faults = transcript.faults();
    let count = faults.len() + transcript.faults_left_out();
    if format == Format::Json
        && (cues == 0 || count == 0)
        && let Some(broken) = strict_json(path, bytes)
    {
        return vec![broken];
    }
    let shown = faults.iter().take(LIMIT);
    let mut found: Vec<Diagnostic> =
        shown.map(|fault| warning(path, bytes, fault.at, &fault.problem, fault.remedy)).collect();
    if let Some(mark) = transcripts::machine_made(bytes).filter(|_| format == Format::Vtt) {
        let problem = "this transcript is machine-made and unreviewed";
        let help = "correct the words and names, then delete this note";
        let warning = warning(path, bytes, mark.start, problem, help);
        found.push(Diagnostic { rule: Some(Rule::UnreviewedTranscript), ..warning });
    }
    found.extend(late.warn(path, bytes, length));
    let more = count.saturating_sub(LIMIT);
    if more > 0 {
        let several = if more == 1 { "" } else { "s" };
        let warning = Diagnostic::warning(
            Rule::Transcript,
            format!("this file has {more} more warning{several}"),
        );
        let help = "fix the listed warnings, then check again";
        found.push(warning.file(path.as_str()).help(help));
    }
    found
}

/// Cues that start after the end of the media.
#[derive(Default)]
struct LateCues {
    /// Byte offset of the first late cue.
    first: Option<usize>,
    count: usize,
}

impl LateCues {
    fn check_cue(&mut self, cue: &Cue<'_>, length: Option<f64>) {
        let (Some(start), Some(length)) = (cue.start, length) else {
            return;
        };
        if Duration::from_millis(start).as_secs_f64() > length + ROUNDING {
            self.first.get_or_insert(cue.bytes.start);
            self.count += 1;
        }
    }

    fn warn(&self, path: &SitePath, bytes: &[u8], length: Option<f64>) -> Option<Diagnostic> {
        let end = text::clock(length?);
        let problem = match self.count {
            1 => format!("this cue starts after the end of the recording at {end}"),
            count => format!("{count} cues start after the end of the recording at {end}"),
        };
        let help = "Check whether it is the transcript of another recording.";
        Some(warning(path, bytes, self.first?, &problem, help))
    }
}

/// Warns about JSON that feedwright accepts but strict parsers reject.
fn strict_json(path: &SitePath, bytes: &[u8]) -> Option<Diagnostic> {
    let start = bom_length(bytes);
    let error = serde_json::from_slice::<IgnoredAny>(&bytes[start..]).err()?;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let above: usize = lines.take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
    let before = above.max(start) + error.column().saturating_sub(1);
    let reason = error.to_string();
    let reason = reason.split(" at line ").next().unwrap_or_default();
    let problem = format!("invalid JSON: {reason}");
    Some(warning(
        path,
        bytes,
        before,
        &problem,
        "Correct it here: podcast apps may reject the whole file.",
    ))
}

/// Returns a warning at a byte offset of a file. The file need not be UTF-8.
fn warning(path: &SitePath, bytes: &[u8], at: usize, problem: &str, remedy: &str) -> Diagnostic {
    let from = bom_length(bytes);
    let at = at.clamp(from, bytes.len());
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let (before, after) = (&bytes[from..at], &bytes[at..]);
    let line_start = before.iter().rposition(is_break).map_or(from, |end| from + end + 1);
    let line_end = after.iter().position(is_break).unwrap_or(after.len());
    let is_line_end = |(index, byte): &(usize, &u8)| match byte {
        b'\n' => true,
        b'\r' => before.get(index + 1) != Some(&b'\n'),
        _ => false,
    };
    let line = before.iter().enumerate().filter(is_line_end).count() + 1;
    let column = String::from_utf8_lossy(&bytes[line_start..at]).chars().count() + 1;
    let text = String::from_utf8_lossy(&bytes[line_start..at + line_end]);
    let warning = Diagnostic::warning(Rule::Transcript, problem).file(path.as_str());
    warning.position(line, column, text).help(lowercase_help(remedy))
}

/// Returns the length in bytes of a leading byte order mark.
fn bom_length(bytes: &[u8]) -> usize {
    if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 }
}

/// Formats a sentence like other help texts: starts it with a lowercase letter and removes the
/// period.
fn lowercase_help(sentence: &str) -> String {
    let sentence = sentence.strip_suffix('.').unwrap_or(sentence);
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const ALL: [Format; 5] = [Format::Vtt, Format::Srt, Format::Json, Format::Html, Format::Plain];

    const FRAGMENTS: [&str; 16] = [
        "WEBVTT", "\n", "\n\n", "\r\n", "\r", "00:01.000", " --> ", "00:00:02,500", "words", "é",
        "\u{FEFF}", "{\"segments\": [", "{\"startTime\": 9, \"body\": \"x\"}", ",", "]", "<p>",
    ];

    proptest! {
        #[test]
        fn arbitrary_bytes_do_not_panic(pieces in vec(prop_oneof![
            9 => prop::sample::select(FRAGMENTS.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
            1 => vec(any::<u8>(), 0..6),
        ], 0..40)) {
            let path = SitePath::parse("content/items/a/said").unwrap();
            let file = pieces.concat();
            for format in ALL {
                let found = transcript_faults(&path, &file, format, Some(3.0));
                prop_assert!(found.len() <= LIMIT + 2);
                prop_assert!(found.iter().all(|one| one.help.is_some()));
            }
        }

        #[test]
        fn well_formed_transcripts_have_no_faults(mut times in vec((0_u32..3500, 1_u32..99), 1..20), with_hours: bool) {
            times.sort_unstable();
            let clock = |at: u32| {
                let hours = if with_hours { "00:" } else { "" };
                format!("{hours}{:02}:{:02}.500", at / 60, at % 60)
            };
            let cue = |(start, length): &(u32, u32)| {
                format!("{} --> {}\n<v Ana>Word {start}.\n\n", clock(*start), clock(start + length))
            };
            let cues: String = times.iter().map(cue).collect();
            let path = SitePath::parse("content/items/a/said.vtt").unwrap();
            let found = transcript_faults(&path, format!("WEBVTT\n\n{cues}").as_bytes(), Format::Vtt, Some(3600.0));
            prop_assert_eq!(found, []);
        }
    }
}
