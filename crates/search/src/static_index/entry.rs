//! The entry of an index, which names its shards, and the listings of its documents.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::files::names;

/// The version of the format. A browser that was loaded with another one says so.
pub const VERSION: u32 = 1;

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

    /// The names of all shards.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let listings = names(&self.listings);
        let titles = self.titles.values().map(String::as_str);
        listings.chain(names(&self.word_shards)).chain(titles)
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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
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
    pub transcripts: Vec<TranscriptListing>,
}

/// What a document is, as results name it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    #[default]
    Post,
    Page,
    Audio,
    Video,
    Picture,
    Document,
    Link,
}

/// Where the passages of a transcript are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TranscriptListing {
    pub address: String,
    /// 0 VTT, 1 SRT, 2 JSON, 3 HTML, 4 plain text.
    pub format: u8,
    /// For each passage the seconds since the start of the one before, -1 where times are not known, and the
    /// bytes of the file since then.
    pub numbers: Vec<i64>,
}

impl Listing {
    /// As JSON: an array, without what is missing at its end.
    pub fn to_json(&self) -> Value {
        let transcripts = self.transcripts.iter();
        let transcripts: Vec<Value> = transcripts
            .map(|one| json!([one.address, one.format, one.numbers]))
            .collect();
        let mut fields = vec![
            json!(self.title),
            json!(self.path),
            json!(self.kind as u8),
            json!(self.date),
            json!(self.text),
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
