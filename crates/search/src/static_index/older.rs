//! An index that was made before, and what is kept of it beside its files.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::entry::{Entry, VERSION};
use super::files::{self, inflate};
use super::make::by_fingerprint;
use super::Damaged;

/// What the state of an index begins with: the version of all that its bytes depend on.
const HEADER: &[u8] = b"feedwright search index 1\n";

/// An index that was made before.
pub struct Older<'f> {
    fingerprints: Vec<u64>,
    entry: Entry,
    names: HashSet<String>,
    read: ReadShard<'f>,
}

/// Reads the published bytes of a shard by its name.
pub type ReadShard<'f> = Box<dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'f>;

impl<'f> Older<'f> {
    /// The index that `kept` is the state of. None if its entry is another one.
    pub fn open(kept: &[u8], entry: &[u8], read: ReadShard<'f>) -> Option<Self> {
        let rest = kept.strip_prefix(HEADER)?;
        let (hashes, checksum) = rest.split_last_chunk()?;
        if xxh3_64(hashes) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let mut hashes = hashes
            .chunks_exact(8)
            .filter_map(|hash| Some(u64::from_le_bytes(hash.try_into().ok()?)));
        if hashes.next()? != xxh3_64(entry) {
            return None;
        }
        let entry: Entry = serde_json::from_slice(&inflate(entry).ok()?).ok()?;
        let fingerprints: Vec<u64> = hashes.collect();
        let is_whole = entry.version == VERSION && entry.documents as usize == fingerprints.len();
        is_whole.then(|| Self {
            names: entry.names().map(str::to_owned).collect(),
            fingerprints,
            entry,
            read,
        })
    }

    /// What is kept of an index with this entry, whose documents have these fingerprints.
    pub(super) fn keep(entry: &[u8], fingerprints: impl Iterator<Item = u64>) -> Vec<u8> {
        let mut hashes = xxh3_64(entry).to_le_bytes().to_vec();
        fingerprints.for_each(|fingerprint| hashes.extend(fingerprint.to_le_bytes()));
        let checksum = xxh3_64(&hashes).to_le_bytes();
        [HEADER, &hashes, &checksum].concat()
    }

    /// The number of each document by its fingerprint.
    pub fn numbers(&self) -> HashMap<u64, usize> {
        by_fingerprint(&self.fingerprints)
    }

    pub(super) fn first_passages(&self) -> Vec<u32> {
        self.entry.first_passages()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The contents of its word shards.
    pub(super) fn word_shards(&self) -> Result<Vec<Vec<u8>>, Damaged> {
        let names: Vec<&str> = files::names(&self.entry.word_shards).collect();
        let read = |name: &&str| {
            let content = inflate(&(self.read)(name).ok_or(Damaged)?)?;
            (files::name(&content) == **name).then_some(content).ok_or(Damaged)
        };
        names.par_iter().map(read).collect()
    }
}
