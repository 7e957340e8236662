//! Chapters and transcripts from other programs, in the formats that the editor can write.

use serde::Deserialize;
use serde_json::json;

use super::Answer;
use api_shared::ApiError;
use source::foreign;

/// A file that a person chose or dropped.
#[derive(Debug, Deserialize)]
pub struct ForeignFile {
    name: String,
    text: String,
}

/// Returns the chapters of a file, or a transcript with the name and the text of its file.
pub fn import(file: &ForeignFile) -> Answer {
    let text = file.text.trim_start_matches('\u{feff}');
    if let Some(chapters) = foreign::chapters(&file.name, text) {
        return Ok(json!({ "chapters": chapters }));
    }
    match foreign::transcript(&file.name, text) {
        Some((name, text)) => Ok(json!({ "name": name, "text": text })),
        None => Err(ApiError::bad(format!(
            "{} contains no chapters and no transcript. Chapters can be Podcasting 2.0 JSON, Podlove (JSON or XML), \
             labels of Audacity, markers of Hindenburg, ffmetadata, or lines such as “1:30 Title”. Transcripts can be \
             WebVTT, SRT, JSON (Podcasting 2.0 or Whisper), HTML or plain text.",
            file.name
        ))),
    }
}
