//! Data that a realtime application reports about a show: its progress, recordings, transcripts and
//! summaries.

use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The media type for unknown extensions.
const UNKNOWN_TYPE: &str = "application/octet-stream";

/// The progress of a session or stream. A session or stream that has ended never runs again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    Running,
    Over,
}

/// A recording. Of two recordings, the recording that stopped later is greater. If the times and
/// ids are equal, the recording whose URLs expire later is greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Recording {
    pub stopped: Option<Timestamp>,
    pub id: String,
    /// The time when the URLs expire.
    pub expires: Option<Timestamp>,
    /// The URL of the recording.
    pub main: Option<String>,
    /// The URL of the audio without video.
    pub audio: Option<String>,
    /// The file name of the recording.
    pub name: Option<String>,
    /// The file size of the recording, in bytes.
    pub bytes: Option<u64>,
    pub milliseconds: Option<u64>,
}

/// A transcript. Of two transcripts, the transcript whose URL expires later is greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Transcript {
    /// The time when the URL expires.
    pub expires: Option<Timestamp>,
    pub url: String,
    pub started: Option<Timestamp>,
}

/// A summary. A summary with text is greater than a summary without text. If the texts are equal,
/// the summary whose URL expires later is greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Summary {
    pub text: Option<String>,
    /// The time when the URL expires.
    pub expires: Option<Timestamp>,
    pub url: Option<String>,
    pub started: Option<Timestamp>,
}

impl Recording {
    pub fn attachment(&self, is_audio: bool) -> Option<Value> {
        let audio = self.audio.as_ref().filter(|_| is_audio || self.main.is_none());
        let mut attachment = match (audio, &self.main) {
            (Some(audio), _) => json!({
                "url": audio,
                "mime_type": type_of(audio).unwrap_or_else(|| "audio/mpeg".to_owned()),
            }),
            (None, Some(main)) => {
                let named = self.name.as_deref().and_then(type_of);
                let found = type_of(main).or(named);
                json!({
                    "url": main,
                    "mime_type": found.unwrap_or_else(|| "video/mp4".to_owned()),
                    "size_in_bytes": self.bytes,
                })
            }
            (None, None) => return None,
        };
        if let Some(milliseconds) = self.milliseconds {
            attachment["duration_in_seconds"] = match milliseconds % 1000 {
                0 => (milliseconds / 1000).into(),
                #[allow(clippy::cast_precision_loss)]
                _ => (milliseconds as f64 / 1000.0).into(),
            };
        }
        Some(attachment)
    }
}

impl Summary {
    /// Returns the summary as Markdown without HTML, or a link to the summary.
    pub fn markdown(&self) -> String {
        match (&self.text, &self.url) {
            (Some(text), _) => text.replace("\r\n", "\n").replace('<', "&lt;"),
            (None, Some(url)) => format!("[Summary](<{url}>)"),
            (None, None) => String::new(),
        }
    }
}

/// Returns the media type for the extension of a URL or file name.
pub fn type_of(url: &str) -> Option<String> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    Some(media_facts::media_type(Path::new(name))).filter(|found| found != UNKNOWN_TYPE)
}
