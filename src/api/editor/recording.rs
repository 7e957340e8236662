//! The recording of an item, as its author sees it: the waveform, the length, and the chapters in
//! the file.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use waveform::{DecodeError, Peaks};
use xxhash_rust::xxh3::Xxh3;

use super::Answer;
use super::media::{locate, remove_expired};
use api_shared::ApiError;
use local::store::Cache;
use server::App;
use source::chapters::embedded;
use source::disk::Disk;

/// Number of peaks. In an hour of sound, each is a quarter of a second, so that pauses are visible.
const PEAKS: usize = 16_384;

/// Peaks by the hash of their recording: its length, then a byte for each peak.
const CACHE: Cache = Cache::new("waveforms", 1, 64 * 1024);

/// How long peaks are kept.
const RETENTION: Duration = Duration::from_hours(90 * 24);

/// A medium of a document.
#[derive(Debug, Deserialize)]
pub struct Medium {
    /// The path of the document.
    path: String,
    /// The name by which the document refers to the medium.
    of: String,
}

/// Measures recordings. The mutex lets one recording be decoded at a time.
#[derive(Default)]
pub struct Recordings(Mutex<()>);

impl Recordings {
    /// Returns the peaks of a recording, its length in seconds, and its chapters. Without peaks,
    /// returns the reason.
    pub fn measure(&self, app: &App, medium: &Medium) -> Answer {
        let path = locate(app, &medium.path, &medium.of)?;
        let root = app.live.root();
        let facts = Disk::new(root).media(&path);
        let facts = facts.map_err(|fault| ApiError::bad(fault.to_string()))?;
        let peaks = self.peaks(root, &path.on_disk(root), &path.extension());
        let decoded = peaks.as_ref().map(|peaks| peaks.duration).ok();
        Ok(json!({
            "duration": facts.duration.or(decoded),
            // A recording that is cut off has fewer seconds than its header says.
            "decoded": decoded,
            "chapters": facts.chapters.iter().map(embedded).collect::<Vec<_>>(),
            "peaks": peaks.as_ref().map(|peaks| &peaks.values).ok(),
            "problem": peaks.as_ref().err().map(DecodeError::to_string),
        }))
    }

    /// Returns the peaks of a file. Decodes the file only if its peaks are not cached.
    fn peaks(&self, root: &Path, file: &Path, extension: &str) -> Result<Peaks, DecodeError> {
        let hash = hash_of(file)?;
        let cached = CACHE.path(root).join(format!("{hash:016x}"));
        let load = || parse(&CACHE.load(&cached, hash)?);
        if let Some(peaks) = load() {
            return Ok(peaks);
        }
        let _alone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(peaks) = load() {
            return Ok(peaks);
        }
        let peaks = waveform::peaks(BufReader::new(File::open(file)?), extension, PEAKS)?;
        let content = [&peaks.duration.to_le_bytes(), peaks.values.as_slice()].concat();
        remove_expired(&CACHE.path(root), RETENTION);
        // Without a cache, the file is decoded again the next time.
        let _ = CACHE.save(&cached, hash, &content);
        Ok(peaks)
    }
}

/// Parses the content of the cache.
fn parse(content: &[u8]) -> Option<Peaks> {
    let (duration, values) = content.split_first_chunk()?;
    Some(Peaks { values: values.to_vec(), duration: f64::from_le_bytes(*duration) })
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
