//! Finds the files that are open for writing. Only Linux makes this list available without a system
//! call that needs `unsafe`.

use std::fs::Metadata;

/// The device and the inode number of a file, which identify it.
pub(super) type FileId = (u64, u64);

/// Returns whether any program has a file open for writing. Programs of other users are not
/// detected, because the system does not list their files.
pub fn has_writer(file: &Metadata) -> bool {
    let mark = mark(file);
    open_file_ids().any(|open| Some(open) == mark)
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)]
pub(super) fn mark(file: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
pub(super) fn mark(_: &Metadata) -> Option<FileId> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(super) fn open_file_ids() -> impl Iterator<Item = FileId> {
    std::iter::empty()
}

/// Lists every file that is open for writing.
#[cfg(target_os = "linux")]
pub(super) fn open_file_ids() -> impl Iterator<Item = FileId> {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::time::{Duration, Instant};

    /// Maximum time of the search. The search is limited because a client waits for it, and
    /// thousands of programs may run.
    const MAX_SEARCH_TIME: Duration = Duration::from_millis(100);
    /// The permission bit that the link to an open file has if the file is open for writing.
    const WRITE_BIT: u32 = 0o200;

    let latest = Instant::now() + MAX_SEARCH_TIME;
    let file = |link: fs::DirEntry| {
        let how = link.metadata().ok()?;
        let open = (how.mode() & WRITE_BIT != 0).then(|| fs::metadata(link.path()))?;
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
