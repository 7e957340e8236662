//! Tags of published recordings.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use recording_tags::{Tagged, Tags};
use serde::{Deserialize, Serialize};

use super::declare::settings;
use super::{MediaFile, SitePath, Size};

settings! {
    /// `[audio]`: recordings.
    #[derive(Copy)]
    AudioConfig {
        /// writes title, people, cover and chapters of each item into its published
        /// [recording](media-files.md#tags-in-recordings)
        tags: bool = "tags", Flag => true;
        /// also writes the transcript, as lyrics
        lyrics: bool = "lyrics", Flag => false;
        /// shows the waveforms of recordings in players
        waveform: bool = "waveform", Flag => true;
        /// Whether each soundbite gets a page and a separate recording.
        clips: bool = "clips", Flag => true;
    }
}

/// A recording, and the tags of its published form. `tags` contains no pictures and no lyrics.
#[derive(Debug, Hash)]
pub struct RecordingTags<'a> {
    pub file: &'a SitePath,
    /// The part of the recording to publish as a clip, in milliseconds.
    pub clip: Option<Range<u64>>,
    pub tags: Tags,
    pub cover: Option<TagPicture<'a>>,
    /// The picture of each chapter.
    pub chapter_images: Vec<Option<TagPicture<'a>>>,
    /// The transcript to write as lyrics, with its media type.
    pub lyrics: Option<(&'a SitePath, &'a str)>,
}

/// A picture of the site in the size for tags.
#[derive(Debug, Clone, Copy)]
pub struct TagPicture<'a> {
    pub file: &'a MediaFile,
    pub size: Size,
}

/// Hashes the content of the picture. Its path does not matter.
impl Hash for TagPicture<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.file.still.map(|still| still.hash), self.size, ::pictures::VERSION).hash(state);
    }
}

/// Facts about the published form of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingFacts {
    /// Size in bytes.
    pub length: u64,
    /// A hash of the recording and its tags. `None` if the recording changed so recently that the
    /// hash is not reliable.
    pub fingerprint: Option<u64>,
    /// The reason why the recording is published unchanged.
    pub refusal: Option<Unchanged>,
    /// Values that are left out because they are too large.
    pub omitted: Vec<Omitted>,
}

/// The reason why a recording is published unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unchanged {
    pub reason: String,
    /// The remedy for the author, as an imperative.
    pub remedy: String,
}

/// A value that is too large for a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Omitted {
    Cover,
    /// The pictures of `count` chapters. The first of them has the index `first`.
    ChapterPictures {
        first: usize,
        count: usize,
    },
    Lyrics,
}

/// The published form of a recording.
#[derive(Clone)]
pub struct PublishedRecording {
    /// The author's file, as a path relative to the site's root.
    pub file: PathBuf,
    pub tagged: Arc<Tagged>,
    /// The version of the author's file that `tagged` was made from.
    pub version: u64,
    /// A hash of the recording and its tags.
    pub fingerprint: u64,
}

impl Debug for PublishedRecording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PublishedRecording").field("file", &self.file).finish_non_exhaustive()
    }
}

/// Writes tags into recordings. The results depend only on the recording and its tags.
pub trait Recordings: Debug + Send + Sync {
    /// Returns facts about the published form. Returns `None` if the recording cannot be read.
    fn facts(&self, wanted: &RecordingTags<'_>) -> Option<RecordingFacts>;

    /// Returns the published form. Returns `None` if the recording is published unchanged.
    fn published(&self, wanted: &RecordingTags<'_>) -> Option<PublishedRecording>;

    /// Returns the waveform of a passage, in seconds, in the form of
    /// [`Attachment::waveform`](super::Attachment::waveform). Returns `None` if the recording cannot
    /// be decoded.
    fn waveform(&self, file: &SitePath, passage: (f64, f64)) -> Option<String>;

    /// Returns a recording that changed since its facts were first needed.
    fn changed(&self) -> Option<SitePath>;
}
