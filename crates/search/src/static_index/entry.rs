//! The entry of an index, which names its shards, and the listings of its documents.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::addresses::{short_path, short_text};

/// The version of the format. A browser that was loaded with another one says so.
pub const VERSION: u32 = 3;

/// How many documents a listing shard has.
pub const PER_LISTING: usize = 64;

/// What `entry.bin` holds, as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub version: u32,
    /// How many documents there are.
    pub documents: u32,
    pub per_listing: usize,
    /// The names of the listing shards, one after the other.
    pub listings: String,
    /// The first word of each word shard.
    pub words: Vec<String>,
    /// Their names, one after the other.
    pub word_shards: String,
    /// The shards with the words of titles, by their length.
    pub titles: BTreeMap<u32, String>,
    /// For each document with passages the gap to the one before, from -1, and how many it has.
    pub passages: Vec<u32>,
}

impl Entry {
    /// For each document the number of its first passage, and at the end the number of all.
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

    /// The other direction of [`first_passages`](Self::first_passages).
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

/// What a result shows of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Listing {
    /// The whole title, or what stands in for it.
    pub title: String,
    /// The path of its page, from the site's base.
    pub path: String,
    pub kind: Kind,
    /// As `YYYY-MM-DD`.
    pub date: Option<String>,
    /// The path of its JSON Feed, whose text is searched.
    pub text: Option<String>,
    /// Where a result leads, if not to its page.
    pub to: Option<String>,
    /// In the order in which they were [gathered](super::TranscriptWords).
    pub transcripts: Vec<TranscriptListing>,
}

/// What a document is, as results name it.
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
    /// A file to read or keep.
    Document,
    /// A link to a page elsewhere.
    Link,
}

/// A transcript, as results name it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct TranscriptListing {
    /// Where it is, as browsers request it.
    pub address: String,
    /// What it is written in.
    pub format: TranscriptFormat,
}

/// What a transcript is written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum TranscriptFormat {
    Vtt,
    /// SubRip.
    Srt,
    /// The podcast namespace's JSON.
    Json,
    /// HTML.
    Html,
    /// Plain text.
    #[default]
    Text,
}

/// A passage of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage<'a> {
    /// What was said in it.
    pub text: &'a str,
    /// When it begins, in whole seconds; None where times are not known.
    pub seconds: Option<u32>,
    /// The byte of the transcript's file where it begins.
    pub start: usize,
}

/// When each passage of a transcript begins and where: for each the seconds since the start of the one before, or
/// -1 where times are not known, and the bytes since it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moments(pub Vec<i64>);

/// Where a passage begins: the second and the byte.
#[derive(Debug, Clone, Copy, Default)]
pub struct Start {
    second: u32,
    byte: usize,
}

impl Moments {
    /// How many passages there are.
    pub fn passages(&self) -> usize {
        self.0.len() / 2
    }

    /// Adds the passage after the one that starts at `before`.
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
    /// As JSON: an array, without what is missing at its end. `moments` are those of its transcripts.
    pub fn to_json(&self, moments: &[Moments]) -> Value {
        let transcripts = self.transcripts.iter().zip(moments);
        let transcripts: Vec<Value> = transcripts
            .map(|(one, moments)| json!([one.address, one.format as u8, moments.0]))
            .collect();
        let mut fields = vec![
            json!(self.title),
            json!(short_path(&self.path, &self.title)),
            json!(self.kind as u8),
            json!(self.date),
            short_text(self.text.as_deref(), &self.path),
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
