//! Removes old files of caches.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How long a file is kept.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Removes the old files of a folder that are not `used`. An empty folder needs no list.
pub(super) fn remove_unused(folder: &Path, used: impl FnOnce() -> HashSet<String>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let stored: HashSet<String> = names.collect();
    if !stored.is_empty() {
        remove_old(folder, stored.difference(&used()));
    }
}

/// Removes files of a cache that are no longer needed, if they are old.
pub(super) fn remove_old<'n>(folder: &Path, names: impl Iterator<Item = &'n String>) {
    let now = SystemTime::now();
    for name in names {
        let path = folder.join(name);
        let written = path.metadata().and_then(|facts| facts.modified()).ok();
        let age = written.and_then(|written| now.duration_since(written).ok());
        if age.is_some_and(|age| age > MAX_AGE) {
            let _ = fs::remove_file(path);
        }
    }
}
