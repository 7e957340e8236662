//! Chapters and transcripts from other programs, in the formats that a site can use.

mod chapters;
mod transcript;

pub use chapters::parse as chapters;
use serde_json::Value;
pub use transcript::convert as transcript;
use transcripts::Format;

/// Returns whether a file is a transcript by its content or by its name.
fn is_transcript(name: &str, text: &str) -> bool {
    let name = name.to_lowercase();
    let format = Format::of("", "", text.as_bytes());
    let has_cues = matches!(format, Format::Vtt | Format::Srt);
    (has_cues && !name.contains("chapter")) || name.contains("transcript")
}

/// Returns the first of several keys that a JSON object has.
fn first<'v>(object: &'v Value, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().find_map(|key| object.get(*key)).filter(|value| !value.is_null())
}
