//! Tests of the cues that are read from transcripts.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod byte_ranges;
mod captions;
mod faults;
mod formats;
mod html;
mod json;
mod naive;
mod paragraphs;
mod passages;
mod plain;
mod properties;
mod roll_up;
mod running_time;

use transcripts::{Cue, Format, read};

const ALL_FORMATS: [Format; 5] =
    [Format::Vtt, Format::Srt, Format::Json, Format::Html, Format::Plain];

/// Returns each cue as a line: `1000-4000 Sarah: Welcome`, `0 Hello`, `- A paragraph`.
fn cues(text: &str, format: Format) -> Vec<String> {
    read(text.as_bytes(), format).map(|cue| line(&cue)).collect()
}

fn line(cue: &Cue<'_>) -> String {
    let start = cue.start.map_or("-".to_owned(), |start| start.to_string());
    let end = cue.end.map_or(String::new(), |end| format!("-{end}"));
    let speaker = cue.speaker.as_ref();
    let speaker = speaker.map_or(String::new(), |name| format!("{name}: "));
    format!("{start}{end} {speaker}{}", cue.text)
}

/// Returns all faults of a file, and the number of cues that were read.
fn faults(bytes: &[u8], format: Format) -> (Vec<String>, usize) {
    let mut transcript = read(bytes, format);
    let count = transcript.by_ref().count();
    let faults = transcript.faults().iter();
    (faults.map(ToString::to_string).collect(), count)
}

/// Realistic files, one for each format.
const SAMPLES: [(Format, &str); 5] = [
    (Format::Vtt, include_str!("samples/interview.vtt")),
    (Format::Srt, include_str!("samples/interview.srt")),
    (Format::Json, include_str!("samples/interview.json")),
    (Format::Html, include_str!("samples/interview.html")),
    (Format::Plain, include_str!("samples/interview.txt")),
];
