//! Maps whose keys are hashes already.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_64;

/// Values by the hash (xxh3) of a text. Who finds a value may compare the text itself.
pub type ByHash<T> = HashMap<u64, T, BuildHasherDefault<IsHash>>;

/// The hasher of numbers that are hashes already.
#[derive(Debug, Default)]
pub struct IsHash(u64);

impl Hasher for IsHash {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
