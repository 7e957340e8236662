//! Word shards: the words of an index in order, each with the documents and passages that contain
//! it.
//!
//! A record starts with the length of the prefix that the word shares with the previous word, the
//! length of the rest of the word, and the rest itself. The number of documents, the number of
//! passages, and the size of both lists follow, then the [lists](super::list). All lengths and
//! numbers are [varints](super::varint).

use std::cmp::Ordering;

use xxhash_rust::xxh3::xxh3_64;

use super::list::{self, Posting};
use super::words::{is_marked, plain};
use super::{Damaged, varint};

/// Minimum size of a shard, in bytes. The last shard may be smaller.
pub const MIN_BYTES: usize = 14 << 10;
/// Average number of bytes by which a shard exceeds [`MIN_BYTES`].
const AVERAGE_EXCESS: u64 = 8 << 10;
/// Size in bytes at which a shard always ends.
const MAX_BYTES: usize = 40 << 10;

/// A word of an index, with its lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<'s> {
    pub word: String,
    pub documents: usize,
    pub passages: usize,
    pub lists: Lists<'s>,
    /// Whether the word occurs in a title.
    pub in_title: bool,
}

/// The encoded lists of a record, as the shard stores them.
pub type Lists<'s> = std::borrow::Cow<'s, [u8]>;

impl<'s> Record<'s> {
    pub fn new(word: String, documents: &[Posting], passages: &[Posting]) -> Self {
        let write = |lists: &mut Vec<u8>| list::write(passages, false, lists);
        Self::with(word, documents, passages.len(), write)
    }

    /// Creates a record from a list of passages that is already encoded.
    pub fn with_passages(
        word: String,
        documents: &[Posting],
        passages: usize,
        list: &[u8],
    ) -> Self {
        Self::with(word, documents, passages, |lists| lists.extend(list))
    }

    fn with(
        word: String,
        documents: &[Posting],
        passages: usize,
        write_passages: impl FnOnce(&mut Vec<u8>),
    ) -> Self {
        let mut lists = Vec::new();
        list::write(documents, true, &mut lists);
        write_passages(&mut lists);
        let mut weights = documents.iter().map(|posting| posting.weight());
        Self {
            word,
            documents: documents.len(),
            passages,
            lists: Lists::Owned(lists),
            in_title: weights.any(|weight| weight == list::Weight::Title),
        }
    }

    /// Reads the list of documents. Returns the bytes of the list of passages.
    pub fn read_documents(&self, each: impl FnMut(Posting)) -> Result<&[u8], Damaged> {
        list::read(&self.lists, self.documents, true, each)
    }

    /// Reads both lists. Calls `each` with every posting, and with true if the posting belongs to a
    /// document.
    pub fn read_both(&self, mut each: impl FnMut(Posting, bool)) -> Result<(), Damaged> {
        let rest = self.read_documents(|posting| each(posting, true))?;
        let rest = list::read(rest, self.passages, false, |posting| each(posting, false))?;
        rest.is_empty().then_some(()).ok_or(Damaged)
    }

    /// Returns the approximate size of the record, in bytes.
    pub fn size(&self) -> usize {
        self.lists.len() + 8
    }
}

/// Compares words by their UTF-16 code units, as browsers compare strings.
pub fn order(one: &str, other: &str) -> Ordering {
    if one.is_ascii() && other.is_ascii() {
        return one.cmp(other);
    }
    one.encode_utf16().cmp(other.encode_utf16())
}

/// Splits sorted records into shards. A word and its marked tokens stay together. Where a shard
/// ends depends only on the records nearby, so that an added or removed word changes few shards.
pub fn cut<'r, 's>(records: &'r [Record<'s>]) -> Vec<&'r [Record<'s>]> {
    let mut shards = Vec::new();
    let mut start = 0;
    let mut size = 0;
    for (at, record) in records.iter().enumerate() {
        size += record.size();
        let is_end = size >= MAX_BYTES
            || size >= MIN_BYTES
                && xxh3_64(record.word.as_bytes()) % AVERAGE_EXCESS < record.size() as u64;
        let has_more = records
            .get(at + 1)
            .is_some_and(|next| is_marked(&next.word) && plain(&next.word) == plain(&record.word));
        if is_end && !has_more {
            shards.push(&records[start..=at]);
            (start, size) = (at + 1, 0);
        }
    }
    if start < records.len() {
        shards.push(&records[start..]);
    }
    shards
}

pub fn write(records: &[Record<'_>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(records.iter().map(Record::size).sum::<usize>() + 64);
    let mut before = "";
    for record in records {
        let word = record.word.as_str();
        let shared = before.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        varint::write(shared as u64, &mut out);
        varint::write((word.len() - shared) as u64, &mut out);
        out.extend(&word.as_bytes()[shared..]);
        varint::write(record.documents as u64, &mut out);
        varint::write(record.passages as u64, &mut out);
        varint::write(record.lists.len() as u64, &mut out);
        out.extend(&*record.lists);
        before = word;
    }
    out
}

/// Returns the first word of a shard.
pub fn first_word(shard: &[u8]) -> Result<&str, Damaged> {
    let (_, rest) = varint::length(shard)?;
    let (length, rest) = varint::length(rest)?;
    let word = rest.get(..length).ok_or(Damaged)?;
    std::str::from_utf8(word).map_err(|_| Damaged)
}

/// Reads the records of a shard.
pub fn read(mut shard: &[u8]) -> Result<Vec<Record<'_>>, Damaged> {
    let mut records: Vec<Record<'_>> = Vec::new();
    let mut word: Vec<u8> = Vec::new();
    while !shard.is_empty() {
        let (shared, rest) = varint::length(shard)?;
        let (length, rest) = varint::length(rest)?;
        let (own, rest) = rest.split_at_checked(length).ok_or(Damaged)?;
        let (documents, rest) = varint::length(rest)?;
        let (passages, rest) = varint::length(rest)?;
        let (length, rest) = varint::length(rest)?;
        let (lists, rest) = rest.split_at_checked(length).ok_or(Damaged)?;
        if shared > word.len() {
            return Err(Damaged);
        }
        word.truncate(shared);
        word.extend(own);
        records.push(Record {
            word: String::from_utf8(word.clone()).map_err(|_| Damaged)?,
            documents,
            passages,
            lists: Lists::Borrowed(lists),
            in_title: false,
        });
        shard = rest;
    }
    Ok(records)
}
