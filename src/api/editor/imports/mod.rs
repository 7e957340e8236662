//! Chapters and transcripts from other programs, in the formats that the editor can write.

mod chapters;
mod transcript;

use serde::Deserialize;
use serde_json::{Value, json};

use super::Answer;
use api_shared::ApiError;
use transcripts::Format;

/// A file that a person chose or dropped.
#[derive(Debug, Deserialize)]
pub struct ForeignFile {
    name: String,
    text: String,
}

/// Returns the chapters of a file, or a transcript with the name and the text of its file.
pub fn import(file: &ForeignFile) -> Answer {
    let text = file.text.trim_start_matches('\u{feff}');
    if let Some(chapters) = chapters::parse(&file.name, text) {
        return Ok(json!({ "chapters": chapters }));
    }
    match transcript::convert(&file.name, text) {
        Some((name, text)) => Ok(json!({ "name": name, "text": text })),
        None => Err(ApiError::bad(format!(
            "{} contains no chapters and no transcript. Chapters can be Podcasting 2.0 JSON, Podlove (JSON or XML), \
             labels of Audacity, markers of Hindenburg, ffmetadata, or lines such as “1:30 Title”. Transcripts can be \
             WebVTT, SRT, JSON (Podcasting 2.0 or Whisper), HTML or plain text.",
            file.name
        ))),
    }
}

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
