//! Hash maps whose keys are already hashes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_64;

/// A map from the xxh3 hash of a string to a value. Hashes can collide, so callers must compare the
/// strings where a wrong match would matter.
pub type ByHash<T> = HashMap<u64, T, BuildHasherDefault<HashPassthrough>>;

/// A hasher that returns a `u64` key unchanged, since the key is already a hash.
#[derive(Debug, Default)]
pub struct HashPassthrough(u64);

impl Hasher for HashPassthrough {
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
