//! Removes temporary files and folders that a crash left behind.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use walkdir::{DirEntry, WalkDir};

use super::write_lockdown::WriteLockdown;
use local::store::TEMPORARY;
use model::ContentFolder;

/// The folders of a site that can hold temporary files, and the depth to search.
const FOLDERS: [(&str, usize); 7] = [
    ("", 1),
    ("content", usize::MAX),
    (ContentFolder::SHOWS, usize::MAX),
    ("site-files", usize::MAX),
    (".feedwright", usize::MAX),
    // Workflows that publish the site.
    (".github", usize::MAX),
    (".forgejo", usize::MAX),
];

/// Folders to skip. They contain no temporary files and may be large.
const SKIPPED_FOLDERS: [&str; 2] = [".feedwright/trash", ".feedwright/warehouse"];

/// A temporary file older than this is considered abandoned.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);

/// Removes temporary files that are more than an hour old. Can be called at any time. Returns the
/// number of removed files.
pub fn sweep(root: &Path) -> usize {
    remove(root, |_| false)
}

/// Also removes the temporary files of processes that have ended. The caller must hold the
/// exclusive lock, because a process in another container looks like a process that has ended.
pub fn sweep_ended_processes(root: &Path, _no_writes: &WriteLockdown) -> usize {
    remove(root, has_ended)
}

fn remove(root: &Path, is_abandoned: fn(&str) -> bool) -> usize {
    let long_ago = SystemTime::now() - MAX_AGE;
    let is_old = |entry: DirEntry| {
        let written = entry.metadata().ok().and_then(|facts| facts.modified().ok());
        written.is_some_and(|written| written < long_ago)
    };
    // A folder is as young as its youngest file.
    let is_old = |entry: &DirEntry| WalkDir::new(entry.path()).into_iter().flatten().all(is_old);
    let walk = |(folder, depth)| {
        let entries = WalkDir::new(root.join(folder)).max_depth(depth).into_iter();
        entries
            .filter_entry(|entry| !SKIPPED_FOLDERS.iter().any(|left| entry.path().ends_with(left)))
    };
    FOLDERS
        .into_iter()
        .flat_map(walk)
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file() || entry.file_type().is_dir())
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy();
            let name = name.strip_suffix(TEMPORARY).filter(|name| name.starts_with('.'));
            name.is_some_and(|name| is_abandoned(name) || is_old(entry))
        })
        .filter(|entry| match entry.file_type().is_dir() {
            true => fs::remove_dir_all(entry.path()).is_ok(),
            false => fs::remove_file(entry.path()).is_ok(),
        })
        .count()
}

/// Returns whether the process that wrote a temporary file has ended. The file's name,
/// `.name.process-number`, contains the process id. If a new process has the same id, the file
/// stays for an hour.
fn has_ended(name: &str) -> bool {
    let process = name.rsplit_once('.').and_then(|(_, end)| end.split_once('-'));
    let process = process.and_then(|(process, _)| process.parse::<i32>().ok());
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        use rustix::process::{Pid, test_kill_process};
        let process = process.and_then(Pid::from_raw);
        process.is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH))
    }
    #[cfg(not(unix))]
    {
        let _ = process;
        false
    }
}
