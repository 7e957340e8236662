//! Who has a file open. Only Linux tells without a system call of its own that is not safe to make.

use std::collections::HashSet;
use std::fs::Metadata;

/// What tells a file from every other one: its disk and its number there.
type FileId = (u64, u64);

/// Whether some program has a file open to write into it, as far as the system tells: of programs of
/// other users it does not.
pub fn has_writer(file: &Metadata) -> bool {
    let mark = mark(file);
    all_open().any(|open| Some(open) == mark)
}

/// Which of these files some program has open to write into, as [`has_writer`] tells of one.
pub fn have_writers(files: &[Metadata]) -> Vec<bool> {
    let open: HashSet<FileId> = all_open().collect();
    let is_open = |file| mark(file).is_some_and(|mark| open.contains(&mark));
    files.iter().map(is_open).collect()
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)]
fn mark(file: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn mark(_: &Metadata) -> Option<FileId> {
    None
}

#[cfg(not(target_os = "linux"))]
fn all_open() -> impl Iterator<Item = FileId> {
    std::iter::empty()
}

/// Every file that is open to be written into.
#[cfg(target_os = "linux")]
fn all_open() -> impl Iterator<Item = FileId> {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::time::{Duration, Instant};

    /// How long is looked at most: someone waits, and thousands of programs may run.
    const PATIENCE: Duration = Duration::from_millis(100);
    /// What the link to an open file shows where the file can be written through it.
    const WRITES: u32 = 0o200;

    let latest = Instant::now() + PATIENCE;
    let file = |link: fs::DirEntry| {
        let how = link.metadata().ok()?;
        let open = (how.mode() & WRITES != 0).then(|| fs::metadata(link.path()))?;
        open.ok().map(|open| (open.dev(), open.ino()))
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter(|entry| {
            let name = entry.file_name();
            name.as_encoded_bytes().iter().all(u8::is_ascii_digit)
        })
        .take_while(move |_| Instant::now() < latest)
        .filter_map(|process| fs::read_dir(process.path().join("fd")).ok())
        .flat_map(|links| links.flatten())
        .filter_map(file)
}

/// How many files this process may have open. None where the system sets no bound, or does not tell.
#[cfg(target_os = "linux")]
pub fn limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

#[cfg(not(target_os = "linux"))]
pub fn limit() -> Option<u64> {
    None
}
