//! Marks a write while it runs, so that a write interrupted by a crash is detected.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::write_lockdown::{MARKERS, WriteLockdown, open};
use local::{FOLDER, make_folders};

#[derive(Debug)]
pub struct WriteMarker {
    /// The shared lock, or `None` if the file system has no locks.
    _lock: Option<File>,
    marker: Option<PathBuf>,
}

impl WriteMarker {
    /// Begins a write. Only a write of `several` files gets a marker.
    pub fn begin(root: &Path, several: bool) -> Self {
        static MARKER_COUNT: AtomicU64 = AtomicU64::new(0);
        let lock = open(root).ok();
        let lock = lock.filter(|lock| lock.lock_shared().is_ok());
        let marker = several.then(|| {
            let number = MARKER_COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("{}-{number}", std::process::id());
            root.join(FOLDER).join(MARKERS).join(name)
        });
        let marker = marker.filter(|marker| mark(marker).is_ok());
        Self { _lock: lock, marker }
    }

    /// Ends a write that is finished or was never made. A write that is dropped without this call
    /// counts as interrupted.
    pub fn end(self) {
        if let Some(marker) = &self.marker {
            let _ = fs::remove_file(marker);
        }
    }
}

fn mark(marker: &Path) -> io::Result<()> {
    marker.parent().map_or(Ok(()), make_folders)?;
    File::create(marker).map(drop)
}

impl WriteLockdown {
    /// Removes all markers. The caller must ensure that all writes are finished.
    pub fn remove_markers(&self, root: &Path) {
        let markers = fs::read_dir(root.join(FOLDER).join(MARKERS));
        for marker in markers.into_iter().flatten().flatten() {
            let _ = fs::remove_file(marker.path());
        }
    }
}
