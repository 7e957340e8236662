//! Distinguishes running writes from writes that a crash interrupted.
//!
//! Each write holds a shared file lock, which the system releases when the process ends. While a process holds the
//! exclusive lock, no write is running, so every unfinished write was interrupted. A write of several files leaves a
//! marker until it is finished, so that a program without the journal notices it too.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::local::{FOLDER, make_folders};

const LOCK: &str = "writing.lock";

const MARKERS: &str = "unfinished";

/// How long to wait for the writes of other processes. They take milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);
const AGAIN: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub struct UnderWay {
    /// None if the file system has no locks.
    _lock: Option<File>,
    marker: Option<PathBuf>,
}

impl UnderWay {
    /// Begins a write of one file, or of `several`.
    pub fn begin(root: &Path, several: bool) -> Self {
        static MARKED: AtomicU64 = AtomicU64::new(0);
        let lock = open(root).ok();
        let lock = lock.filter(|lock| lock.lock_shared().is_ok());
        let marker = several.then(|| {
            let number = MARKED.fetch_add(1, Ordering::Relaxed);
            let name = format!("{}-{number}", std::process::id());
            root.join(FOLDER).join(MARKERS).join(name)
        });
        let marker = marker.filter(|marker| mark(marker).is_ok());
        Self { _lock: lock, marker }
    }

    /// Ends a write that is finished or was never made. A write that is only dropped counts as interrupted.
    pub fn end(self) {
        if let Some(marker) = &self.marker {
            let _ = fs::remove_file(marker);
        }
    }
}

fn open(root: &Path) -> io::Result<File> {
    let file = root.join(FOLDER).join(LOCK);
    let mut options = File::options();
    options.create(true).append(true);
    options.open(file)
}

fn mark(marker: &Path) -> io::Result<()> {
    marker.parent().map_or(Ok(()), make_folders)?;
    File::create(marker).map(drop)
}

/// The exclusive lock: no process writes into the site while this exists.
#[derive(Debug)]
pub struct NoWrites(Option<File>);

impl NoWrites {
    /// Waits until no process writes. None if a write does not end in time, or local state cannot be written.
    pub fn wait(root: &Path) -> Option<Self> {
        if !root.join(FOLDER).is_dir() {
            return Some(Self(None));
        }
        let lock = open(root).ok()?;
        let start = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => return Some(Self(Some(lock))),
                // Without locks, an interrupted write looks like a running write.
                Err(TryLockError::Error(_)) => return None,
                Err(TryLockError::WouldBlock) if start.elapsed() > PATIENCE => return None,
                Err(TryLockError::WouldBlock) => thread::sleep(AGAIN),
            }
        }
    }

    /// Whether a marker of an interrupted write of several files is left.
    pub fn some_interrupted(&self, root: &Path) -> bool {
        let markers = fs::read_dir(root.join(FOLDER).join(MARKERS));
        self.0.is_some() && markers.is_ok_and(|mut markers| markers.next().is_some())
    }

    /// Removes the markers: all writes are finished.
    pub fn all_finished(&self, root: &Path) {
        let markers = fs::read_dir(root.join(FOLDER).join(MARKERS));
        for marker in markers.into_iter().flatten().flatten() {
            let _ = fs::remove_file(marker.path());
        }
    }
}
