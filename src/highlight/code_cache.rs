//! Cache of code highlighted by grammars, keyed by content, in the file `.feedwright/code`.
//!
//! A grammar needs a millisecond or two for a block of 500 bytes. The first block in a language
//! takes up to a tenth of a second.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use borsh::BorshDeserialize;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use local::store::Cache;
use model::program;

const CACHE: Cache = Cache::new("code", 1, 256 << 20);

/// Pieces of a code block: the class number of each piece, and the piece's length in bytes.
pub type Pieces = Vec<(u8, u32)>;

/// Size in bytes above which the cache file keeps only the blocks that this run used.
const MAX_CACHE_FILE: usize = 8 << 20;

/// Cache of highlighted code blocks.
#[derive(Debug)]
pub struct CodeCache {
    path: PathBuf,
    cached_blocks: OnceLock<Mutex<CachedBlocks>>,
}

#[derive(Debug, Default)]
struct CachedBlocks {
    /// Pieces of each block, by the hash of language and code, and whether this run used them.
    blocks: BTreeMap<u64, (Pieces, bool)>,
    is_changed: bool,
}

impl CodeCache {
    /// Creates the cache of the site at `root`. The file is read on the first lookup.
    pub fn of(root: &Path) -> Self {
        Self { path: CACHE.path(root), cached_blocks: OnceLock::new() }
    }

    /// Returns the pieces of a code block from the cache, or calls `make` and caches the result.
    pub fn pieces(
        &self,
        language: &str,
        code: &str,
        make: impl FnOnce() -> Option<Pieces>,
    ) -> Option<Pieces> {
        let key = xxh3_64_with_seed(code.as_bytes(), xxh3_64(language.as_bytes()));
        if let Some((pieces, is_used)) = self.cached_blocks().blocks.get_mut(&key) {
            *is_used = true;
            return Some(pieces.clone());
        }
        let pieces = make()?;
        let mut cached_blocks = self.cached_blocks();
        cached_blocks.blocks.insert(key, (pieces.clone(), true));
        cached_blocks.is_changed = true;
        Some(pieces)
    }

    fn cached_blocks(&self) -> MutexGuard<'_, CachedBlocks> {
        let load = || Mutex::new(load(&self.path).unwrap_or_default());
        let cached_blocks = self.cached_blocks.get_or_init(load);
        cached_blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the cache file if this run added blocks.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written. Later runs then highlight the same blocks again.
    pub fn save(&self) -> io::Result<()> {
        let Some(cached_blocks) = self.cached_blocks.get() else {
            return Ok(());
        };
        let mut cached_blocks = cached_blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::take(&mut cached_blocks.is_changed) {
            return Ok(());
        }
        let mut blocks = encoded(&cached_blocks)?;
        if blocks.len() > MAX_CACHE_FILE {
            cached_blocks.blocks.retain(|_, (_, is_used)| *is_used);
            blocks = encoded(&cached_blocks)?;
        }
        drop(cached_blocks);
        CACHE.save(&self.path, program(), &blocks)
    }
}

fn encoded(cached_blocks: &CachedBlocks) -> io::Result<Vec<u8>> {
    let blocks: Vec<(u64, &Pieces)> =
        cached_blocks.blocks.iter().map(|(key, (pieces, _))| (*key, pieces)).collect();
    borsh::to_vec(&blocks)
}

fn load(path: &Path) -> Option<CachedBlocks> {
    let blocks = CACHE.load(path, program())?;
    let blocks = Vec::<(u64, Pieces)>::try_from_slice(&blocks).ok()?;
    Some(CachedBlocks {
        blocks: blocks.into_iter().map(|(key, pieces)| (key, (pieces, false))).collect(),
        is_changed: false,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn highlighted_code_is_cached_for_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        let cache = CodeCache::of(folder.path());
        let found = vec![(1, 2), (0, 3)];
        let make = || Some(found.clone());
        assert_eq!(cache.pieces("go", "x := 1", make), Some(found.clone()));
        assert_eq!(cache.pieces("go", "gives up", || None), None);
        cache.save().unwrap();
        let next = CodeCache::of(folder.path());
        let never = || unreachable!();
        assert_eq!(next.pieces("go", "x := 1", never), Some(found));
        assert_eq!(next.pieces("c", "x := 1", || None), None);

        let file = folder.path().join(".feedwright/code");
        let mut bytes = fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&file, bytes).unwrap();
        let damaged = CodeCache::of(folder.path());
        assert_eq!(damaged.pieces("go", "x := 1", || None), None);
        damaged.save().unwrap();
    }
}
