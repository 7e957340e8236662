//! The exclusive lock on a site's writes. While a process holds this lock, no write is running, so
//! every unfinished write was interrupted by a crash. `transaction/write_marker.rs` contains the
//! shared lock and the marker of a running write.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use local::FOLDER;

const LOCK: &str = "writing.lock";

pub(super) const MARKERS: &str = "unfinished";

/// How long to wait for the writes of other processes. A write takes milliseconds.
const MAX_WAIT: Duration = Duration::from_secs(2);
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

pub(super) fn open(root: &Path) -> io::Result<File> {
    let file = root.join(FOLDER).join(LOCK);
    let mut options = File::options();
    options.create(true).append(true);
    options.open(file)
}

/// The exclusive lock. No process writes to the site while this value exists.
#[derive(Debug)]
pub struct WriteLockdown(Option<File>);

impl WriteLockdown {
    /// Waits until no process writes. Returns `None` if a write does not end in time, or if local
    /// state cannot be written.
    pub fn wait(root: &Path) -> Option<Self> {
        if !root.join(FOLDER).is_dir() {
            return Some(Self(None));
        }
        let lock = open(root).ok()?;
        let start = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => return Some(Self(Some(lock))),
                // Without locks, an interrupted write cannot be distinguished from a running write.
                Err(TryLockError::Error(_)) => return None,
                Err(TryLockError::WouldBlock) if start.elapsed() > MAX_WAIT => return None,
                Err(TryLockError::WouldBlock) => thread::sleep(RETRY_INTERVAL),
            }
        }
    }

    /// Returns whether an interrupted write of several files left a marker.
    pub fn has_interrupted_writes(&self, root: &Path) -> bool {
        let markers = fs::read_dir(root.join(FOLDER).join(MARKERS));
        self.0.is_some() && markers.is_ok_and(|mut markers| markers.next().is_some())
    }
}
