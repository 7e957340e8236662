//! The transcript of an item for its page, and for captions.

use std::fs;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

use transcripts::{Format, Line};

use crate::transcript_files::{LocalTranscript, caption_file, is_same_language, local_transcripts};
use model::Item;
use site::{Clip, ItemEntry, Snapshot};
use source::stamp::Stamp;

/// The transcript that an item's page shows: the one in the item's language, or else the first.
#[derive(Debug)]
pub struct ShownTranscript<'a> {
    /// The language of the transcript, or else of the item.
    pub language: Option<&'a str>,
    pub url: &'a str,
    pub format: Format,
    path: PathBuf,
}

impl<'a> ShownTranscript<'a> {
    /// Maximum size in bytes of a transcript that a page shows. A page only links to a larger one.
    /// The captions of a ten-hour recording take a tenth of this size.
    pub const LIMIT: u64 = 10 << 20;

    /// Approximate number of words in a paragraph.
    pub const PARAGRAPH_WORDS: usize = 60;

    pub(super) fn of(snapshot: &'a Snapshot, entry: &'a ItemEntry) -> Option<Self> {
        let item = &entry.item;
        if item.podcast.transcripts.is_empty() {
            return None;
        }
        let all = local_transcripts(&snapshot.config, item);
        let language = &item.language;
        let its = all.iter().position(|own| is_same_language(&own.transcript.language, language));
        let at = its.unwrap_or(0);
        (at < all.len()).then(|| Self::new(snapshot, item, &all[at]))
    }

    /// Returns the transcript from which feedwright writes captions.
    pub(super) fn captions(snapshot: &'a Snapshot, entry: &'a ItemEntry) -> Option<Self> {
        let file = caption_file(&snapshot.config, &entry.item)?;
        Some(Self::new(snapshot, &entry.item, &file))
    }

    fn new(snapshot: &Snapshot, item: &'a Item, file: &LocalTranscript<'a>) -> Self {
        Self {
            language: file.transcript.language.as_deref().or(item.language.as_deref()),
            url: &file.transcript.url,
            format: file.format,
            path: file.file.on_disk(&snapshot.root),
        }
    }

    /// Returns the transcript as WebVTT.
    pub fn to_webvtt(&self) -> Vec<u8> {
        let file = self.read();
        let cues: Vec<_> = transcripts::read(&file, self.format).collect();
        transcripts::to_webvtt(&cues).into_bytes()
    }

    /// Returns the transcript's bytes. Returns no bytes if the transcript is too large for a page
    /// or cannot be read. The build reports an unreadable file when it copies the file.
    pub fn read(&self) -> Vec<u8> {
        let is_short = |facts: fs::Metadata| facts.is_file() && facts.len() <= Self::LIMIT;
        if fs::metadata(&self.path).is_ok_and(is_short) {
            fs::read(&self.path).unwrap_or_default()
        } else {
            Vec::new()
        }
    }

    /// Returns whether the bytes have the note of a machine-made, unreviewed transcript.
    pub fn is_machine_made(&self, bytes: &[u8]) -> bool {
        self.format == Format::Vtt && transcripts::machine_made(bytes).is_some()
    }
}

/// Returns for each line of a paragraph whether its middle is in the passage of a clip. `next` is
/// the start of the next paragraph, in milliseconds.
#[allow(clippy::cast_precision_loss)]
pub fn are_in(lines: &[Line], next: Option<u64>, clip: &Clip<'_>) -> Vec<bool> {
    let ends = lines.iter().skip(1).map(|line| line.start).chain([next]);
    let is_in = |(line, end): (&Line, Option<u64>)| {
        let start = line.start?;
        let middle = u64::midpoint(start, end.unwrap_or(start).max(start)) as f64 / 1000.0;
        Some(clip.start <= middle && middle < clip.end)
    };
    lines.iter().zip(ends).map(|pair| is_in(pair).unwrap_or(false)).collect()
}

/// Hashes the stamp of the file instead of its content, unless the file changed so recently that
/// its stamp is not reliable.
impl Hash for ShownTranscript<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.language, self.url, self.format).hash(state);
        match Stamp::of(&self.path) {
            Stamp::Young => self.read().hash(state),
            stamp => stamp.hash(state),
        }
    }
}
