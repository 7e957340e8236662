//! The entry file of an index, which lists the names of all shards, and the listings of the
//! documents.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::addresses::{shorten_path, shorten_text_path};

/// Version of the format. A browser script of another version reports an error.
pub const VERSION: u32 = 3;

/// Number of documents in a listing shard.
pub const DOCUMENTS_PER_LISTING: usize = 64;

/// The content of `entry.bin`, as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub version: u32,
    /// Number of documents.
    pub documents: u32,
    pub per_listing: usize,
    /// Names of the listing shards, concatenated.
    pub listings: String,
    /// The first word of each word shard.
    pub words: Vec<String>,
    /// Names of the word shards, concatenated.
    pub word_shards: String,
    /// For each word length, the name of the shard with the title words of that length.
    pub titles: BTreeMap<u32, String>,
    /// Two numbers for each document with passages: the gap to the previous such document (or to
    /// -1), and the number of passages.
    pub passages: Vec<u32>,
}

impl Entry {
    /// Returns the number of each document's first passage, followed by the total number of
    /// passages.
    pub fn first_passages(&self) -> Vec<u32> {
        let mut counts = vec![0u32; self.documents as usize + 1];
        let mut next = 0usize;
        for pair in self.passages.chunks_exact(2) {
            next += pair[0] as usize;
            if let Some(count) = counts.get_mut(next.wrapping_sub(1)) {
                *count = pair[1];
            }
        }
        let mut first = 0u32;
        for count in &mut counts {
            let own = *count;
            *count = first;
            first = first.saturating_add(own);
        }
        counts
    }

    /// Computes `passages` from the number of passages of each document. The reverse of
    /// [`first_passages`](Self::first_passages).
    pub fn passages_of(counts: impl Iterator<Item = usize>) -> Vec<u32> {
        let mut pairs = Vec::new();
        let mut before = 0;
        for (number, count) in (1..).zip(counts) {
            if count > 0 {
                pairs.extend([number - before, count as u32]);
                before = number;
            }
        }
        pairs
    }
}

/// The data about a document that search results show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Listing {
    /// The whole title, or a substitute if the document has no title.
    pub title: String,
    /// Path of the document's page, relative to the site's base.
    pub path: String,
    pub kind: Kind,
    /// Date, as `YYYY-MM-DD`.
    pub date: Option<String>,
    /// Path of the document's JSON Feed, whose text is searched.
    pub text: Option<String>,
    /// Target of the result's link, if it is not the document's page.
    pub to: Option<String>,
    /// Transcripts, in the order in which they were [gathered](super::TranscriptWords).
    pub transcripts: Vec<TranscriptListing>,
}

/// The document type that search results show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    #[default]
    Post,
    /// A standalone page.
    Page,
    Audio,
    Video,
    Picture,
    /// A file to read or download.
    Document,
    /// A link to a page on another site.
    Link,
}

/// A transcript, as listed in search results.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct TranscriptListing {
    /// URL of the transcript, as requested by browsers.
    pub address: String,
    pub format: TranscriptFormat,
}

/// The file format of a transcript.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum TranscriptFormat {
    Vtt,
    /// SubRip.
    Srt,
    /// The JSON format of the podcast namespace.
    Json,
    Html,
    /// Plain text.
    #[default]
    Text,
}

/// A passage of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage<'a> {
    /// Text that was spoken in the passage.
    pub text: &'a str,
    /// Start of the passage in whole seconds. None if times are unknown.
    pub seconds: Option<u32>,
    /// Byte offset in the transcript's file at which the passage begins.
    pub start: usize,
}

/// The starts of a transcript's passages, as pairs of numbers. Each pair holds the seconds since
/// the start of the previous passage, or -1 if times are unknown, and the bytes since that start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PassageStarts(pub Vec<i64>);

/// The start of a passage: its time in seconds and its byte offset.
#[derive(Debug, Clone, Copy, Default)]
pub struct Start {
    second: u32,
    byte: usize,
}

impl PassageStarts {
    /// Returns the number of passages.
    pub fn passages(&self) -> usize {
        self.0.len() / 2
    }

    /// Adds the passage after the one that starts at `before`, and updates `before`.
    pub fn push(&mut self, passage: &Passage<'_>, before: &mut Start) {
        let known = passage.seconds.map(|own| own.max(before.second));
        let second = known.unwrap_or(before.second);
        let gap = known.map_or(-1, |own| i64::from(own - before.second));
        let bytes = passage.start.saturating_sub(before.byte);
        self.0.extend([gap, bytes as i64]);
        *before = Start { second, byte: passage.start };
    }
}

impl Listing {
    /// Returns the listing as a JSON array, without missing fields at its end. `passage_starts`
    /// holds the passage starts of each transcript.
    pub fn to_json(&self, passage_starts: &[PassageStarts]) -> Value {
        let transcripts = self.transcripts.iter().zip(passage_starts);
        let transcripts: Vec<Value> = transcripts
            .map(|(one, passage_starts)| json!([one.address, one.format as u8, passage_starts.0]))
            .collect();
        let mut fields = vec![
            json!(self.title),
            json!(shorten_path(&self.path, &self.title)),
            json!(self.kind as u8),
            json!(self.date),
            shorten_text_path(self.text.as_deref(), &self.path),
            json!(self.to),
            match transcripts.is_empty() {
                true => Value::Null,
                false => Value::Array(transcripts),
            },
        ];
        while fields.last().is_some_and(Value::is_null) {
            fields.pop();
        }
        Value::Array(fields)
    }
}
