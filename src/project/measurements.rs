//! Measurements of recordings. Each recording is decoded once, and the measurement is stored in
//! `.feedwright/measurements/`, under the hash of the file's content.
//!
//! A second file, whose name is the hash of the file's times and length, contains the hash of the
//! content. An unchanged file is therefore not read again.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use sound::{DecodeError, Measurement};
use xxhash_rust::xxh3::Xxh3;

use super::old_files::remove_unused;
use local::store::Cache;
use model::SitePath;
use source::stamp::{FileFacts, Stamp};

/// Number of peaks. In an hour of sound, each is a quarter of a second, so that pauses are visible.
const PEAKS: usize = 16_384;

const CACHE: Cache = Cache::new("measurements", 1, 64 * 1024);

/// A recording, and the names of its files in the cache.
#[derive(Debug)]
pub struct Recording {
    folder: PathBuf,
    file: PathBuf,
    extension: String,
    /// Hash of the file's times and length. None if the file was written just now.
    version: Option<u64>,
}

impl Recording {
    /// Returns a recording of the site at `root`.
    ///
    /// # Errors
    ///
    /// Fails if the file does not exist.
    pub fn of(root: &Path, source: &SitePath) -> io::Result<Self> {
        let file = source.on_disk(root);
        let facts = FileFacts::of(&fs::metadata(&file)?);
        let is_reliable = matches!(facts.stamp(), Stamp::File { .. });
        let version = is_reliable.then(|| facts.version());
        Ok(Self { folder: CACHE.path(root), file, extension: source.extension(), version })
    }

    /// Returns the stored measurement, if the file did not change since then.
    pub fn stored(&self) -> Option<Measurement> {
        let version = self.version?;
        let hash = CACHE.load(&self.path(version), version)?;
        self.stored_under(u64::from_le_bytes(hash.try_into().ok()?))
    }

    fn stored_under(&self, hash: u64) -> Option<Measurement> {
        borsh::from_slice(&CACHE.load(&self.path(hash), hash)?).ok()
    }

    /// Returns the measurement of the recording. Decodes the recording if the measurement is not
    /// stored.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be decoded.
    pub fn measure(&self) -> Result<Measurement, DecodeError> {
        if let Some(known) = self.stored() {
            return Ok(known);
        }
        let hash = hash_of(&self.file)?;
        let found = match self.stored_under(hash) {
            Some(known) => known,
            None => {
                let source = BufReader::new(File::open(&self.file)?);
                let found = sound::measure(source, &self.extension, PEAKS)?;
                // If the folder cannot be written, the next run measures again.
                if let Ok(bytes) = borsh::to_vec(&found) {
                    let _ = CACHE.save(&self.path(hash), hash, &bytes);
                }
                found
            }
        };
        if let Some(version) = self.version {
            let _ = CACHE.save(&self.path(version), version, &hash.to_le_bytes());
        }
        Ok(found)
    }

    fn path(&self, name: u64) -> PathBuf {
        self.folder.join(file_name(name))
    }

    /// Returns the names of the recording's files in the cache.
    fn names(&self) -> impl Iterator<Item = String> {
        let hash = self.version.and_then(|version| CACHE.load(&self.path(version), version));
        let hash = hash.and_then(|hash| hash.try_into().ok()).map(u64::from_le_bytes);
        [self.version, hash].into_iter().flatten().map(file_name)
    }
}

fn file_name(name: u64) -> String {
    format!("{name:016x}")
}

/// Removes stored measurements that are older than a month and belong to none of the recordings.
pub(super) fn remove_old_measurements(root: &Path, used: &[Recording]) {
    let used = || used.iter().flat_map(Recording::names).collect();
    remove_unused(&CACHE.path(root), used);
}

fn hash_of(file: &Path) -> io::Result<u64> {
    let mut file = File::open(file)?;
    let mut hash = Xxh3::new();
    let mut block = vec![0; 1024 * 1024];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hash.digest()),
            length => hash.update(&block[..length]),
        }
    }
}
