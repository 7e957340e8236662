//! A previously made index, and the state that is stored in addition to its files.

use std::collections::HashMap;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::entry::{Entry, PassageStarts, VERSION};
use super::files::{self, inflate};
use super::{Damaged, varint};

/// Version of the stored state. Increase it when the state's format changes, or when the same
/// documents would produce an index with other bytes.
pub const STATE_VERSION: u32 = 5;

/// A previously made index.
pub struct PreviousIndex<'f> {
    documents: Vec<PreviousDocument>,
    entry: Entry,
    read: ReadShard<'f>,
}

struct PreviousDocument {
    fingerprint: u64,
    passage_starts: Vec<PassageStarts>,
}

/// Function that reads the published bytes of a shard by its name.
pub type ReadShard<'f> = Box<dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'f>;

impl<'f> PreviousIndex<'f> {
    /// Opens the index with the state `kept`. Returns `None` if the state belongs to another entry,
    /// or if the state or the entry is damaged.
    pub fn open(kept: &[u8], entry: &[u8], read: ReadShard<'f>) -> Option<Self> {
        let (of_entry, mut state) = kept.split_first_chunk()?;
        if xxh3_64(entry) != u64::from_le_bytes(*of_entry) {
            return None;
        }
        let mut documents = Vec::new();
        while !state.is_empty() {
            let (document, rest) = PreviousDocument::read(state).ok()?;
            documents.push(document);
            state = rest;
        }
        let entry: Entry = serde_json::from_slice(&inflate(entry).ok()?).ok()?;
        let is_whole = entry.version == VERSION && entry.documents as usize == documents.len();
        is_whole.then_some(Self { documents, entry, read })
    }

    /// Returns the state to store for an index with this entry. `documents` yields the fingerprint
    /// and the passage starts of each document.
    pub(super) fn keep<'d>(
        entry: &[u8],
        documents: impl Iterator<Item = (u64, &'d [PassageStarts])>,
    ) -> Vec<u8> {
        let mut state = xxh3_64(entry).to_le_bytes().to_vec();
        for (fingerprint, passage_starts) in documents {
            state.extend(fingerprint.to_le_bytes());
            varint::write(passage_starts.len() as u64, &mut state);
            for PassageStarts(numbers) in passage_starts {
                varint::write(numbers.len() as u64, &mut state);
                for number in numbers {
                    // The only negative number is -1.
                    varint::write((number + 1) as u64, &mut state);
                }
            }
        }
        state
    }

    /// Returns the number of each document, by its fingerprint.
    pub fn numbers(&self) -> HashMap<u64, usize> {
        let numbered = self.documents.iter().enumerate();
        numbered.map(|(number, document)| (document.fingerprint, number)).collect()
    }

    pub(super) fn passage_starts(&self, document: usize) -> &[PassageStarts] {
        &self.documents[document].passage_starts
    }

    pub(super) fn first_passages(&self) -> Vec<u32> {
        self.entry.first_passages()
    }

    /// Reads and decompresses the word shards of the index.
    pub(super) fn word_shards(&self) -> Result<Vec<Vec<u8>>, Damaged> {
        let names: Vec<&str> = files::names(&self.entry.word_shards).collect();
        let read = |name: &&str| {
            let content = inflate(&(self.read)(name).ok_or(Damaged)?)?;
            (files::name(&content) == **name).then_some(content).ok_or(Damaged)
        };
        names.par_iter().map(read).collect()
    }
}

impl PreviousDocument {
    fn read(state: &[u8]) -> Result<(Self, &[u8]), Damaged> {
        let (fingerprint, rest) = state.split_first_chunk().ok_or(Damaged)?;
        let (transcripts, mut rest) = varint::length(rest)?;
        let mut passage_starts = Vec::new();
        for _ in 0..transcripts {
            let (count, mut numbers) = varint::length(rest)?;
            let mut all = Vec::new();
            for _ in 0..count {
                let (number, rest) = varint::read(numbers)?;
                all.push(number as i64 - 1);
                numbers = rest;
            }
            passage_starts.push(PassageStarts(all));
            rest = numbers;
        }
        let document = Self { fingerprint: u64::from_le_bytes(*fingerprint), passage_starts };
        Ok((document, rest))
    }
}
