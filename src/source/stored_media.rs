//! `content/media.json`: the facts about media that are stored outside the site's folder, by their
//! public paths. `deploy` writes the file. Authors commit the file, so that a machine without the
//! media builds the same site.
//!
//! ```json
//! {
//! "/media/walk-12.mp3": {"type":"audio/mpeg","length":31457280,"duration":1832.4,"hash":"9f2c…"}
//! }
//! ```

use std::collections::BTreeMap;

use media_facts::{Chapter, MediaFacts};
use serde::{Deserialize, Serialize};

pub const FILE: &str = "content/media.json";

/// The media that are stored outside the site's folder, by their public paths.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StoredMedia {
    pub files: BTreeMap<String, StoredFile>,
}

/// The facts about one media file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredFile {
    #[serde(rename = "type")]
    pub media_type: String,
    /// Length in bytes.
    pub length: u64,
    /// Duration in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Width in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chapters: Vec<Chapter>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waveform: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codecs: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_audio: bool,
    /// Whether a playlist names the file. Such a file is not a version of a recording.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_playlist: bool,
    /// The hash for `podcast:integrity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integrity: Option<String>,
    /// The hash of the file's bytes, to detect a change.
    pub hash: String,
    /// The hash of the author's file, if the published file has other tags.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The hashes of earlier versions of the author's file, oldest first. Another machine may still
    /// have one of these versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<String>,
}

impl StoredMedia {
    /// Parses the text of `content/media.json`.
    pub fn parse(text: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(text)
    }

    /// Returns the text of the file. Each media file has its own line, so that changes from two
    /// branches are easy to merge.
    pub fn text(&self) -> String {
        let line = |(path, file): (&String, &StoredFile)| {
            let path = serde_json::to_string(path).ok()?;
            Some(format!("{path}: {}", serde_json::to_string(file).ok()?))
        };
        let lines: Vec<String> = self.files.iter().filter_map(line).collect();
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    }

    /// Returns the facts about a file, by its public path.
    pub fn facts(&self, path: &str) -> Option<MediaFacts> {
        self.files.get(path).map(StoredFile::facts)
    }
}

impl StoredFile {
    pub fn of(facts: MediaFacts, hash: String, source: Option<String>) -> Self {
        Self {
            media_type: facts.media_type,
            length: facts.bytes,
            duration: facts.duration,
            width: facts.dimensions.map(|(width, _)| width),
            height: facts.dimensions.map(|(_, height)| height),
            chapters: facts.chapters,
            waveform: facts.waveform,
            codecs: facts.codecs,
            is_audio: facts.is_audio,
            is_of_playlist: false,
            integrity: facts.integrity,
            hash,
            source,
            former: Vec::new(),
        }
    }

    /// Returns the hash of the author's file.
    pub fn own_hash(&self) -> &str {
        self.source.as_ref().unwrap_or(&self.hash)
    }

    fn facts(&self) -> MediaFacts {
        MediaFacts {
            bytes: self.length,
            media_type: self.media_type.clone(),
            duration: self.duration,
            dimensions: self.width.zip(self.height),
            chapters: self.chapters.clone(),
            waveform: self.waveform.clone(),
            codecs: self.codecs.clone(),
            is_audio: self.is_audio,
            integrity: self.integrity.clone(),
            ..MediaFacts::default()
        }
    }
}
