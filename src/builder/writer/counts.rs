//! Counts the files that a build writes.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The number and the total size of changed files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Changed {
    pub count: usize,
    pub bytes: u64,
}

/// Counts the files that a run writes, from any thread.
#[derive(Default)]
pub struct Counts {
    written: AtomicUsize,
    recordings: AtomicUsize,
    recording_bytes: AtomicU64,
}

impl Counts {
    pub fn add_file(&self) {
        self.written.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a recording that replaces a published recording.
    pub fn add_recording(&self, length: u64) {
        self.recordings.fetch_add(1, Ordering::Relaxed);
        self.recording_bytes.fetch_add(length, Ordering::Relaxed);
    }

    /// Returns the number of written files, and the recordings that replaced published recordings.
    pub fn finish(self) -> (usize, Changed) {
        let Self { written, recordings, recording_bytes } = self;
        let (count, bytes) = (recordings.into_inner(), recording_bytes.into_inner());
        (written.into_inner(), Changed { count, bytes })
    }
}
