//! Removes the temporary files that a crash left behind.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use walkdir::{DirEntry, WalkDir};

use super::write::TEMPORARY;

/// Every folder of a site that temporary files can lie in, and how deep below it.
const FOLDERS: [(&str, usize); 4] = [
    ("", 1),
    ("content", usize::MAX),
    ("site-files", usize::MAX),
    (".feedwright", usize::MAX),
];

/// Folders without temporary files that may be large.
const LEFT_OUT: [&str; 2] = [".feedwright/trash", ".feedwright/warehouse"];

/// A temporary file older than this is not being written any more.
const OLD: Duration = Duration::from_secs(60 * 60);

/// Removes temporary files that are more than an hour old. Answers how many there were.
pub fn sweep(root: &Path) -> usize {
    let long_ago = SystemTime::now() - OLD;
    let walk = |(folder, depth)| {
        let entries = WalkDir::new(root.join(folder)).max_depth(depth).into_iter();
        entries.filter_entry(|entry| !LEFT_OUT.iter().any(|left| entry.path().ends_with(left)))
    };
    FOLDERS
        .into_iter()
        .flat_map(walk)
        .filter_map(Result::ok)
        .filter(is_temporary)
        .filter(|file| {
            let written = file.metadata().ok().and_then(|facts| facts.modified().ok());
            written.is_some_and(|written| written < long_ago)
        })
        .filter(|file| fs::remove_file(file.path()).is_ok())
        .count()
}

fn is_temporary(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    entry.file_type().is_file() && name.starts_with('.') && name.ends_with(TEMPORARY)
}
