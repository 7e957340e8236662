//! Who has a file open. Only Linux tells without a system call of its own that is not safe to make.

use std::fs::Metadata;

/// Whether some program has a file open to write into it, as far as the system tells: of programs of
/// other users it does not.
#[cfg(not(target_os = "linux"))]
pub fn has_writer(_: &Metadata) -> bool {
    false
}

/// Whether some program has a file open to write into it, as far as the system tells: of programs of
/// other users it does not.
#[cfg(target_os = "linux")]
pub fn has_writer(file: &Metadata) -> bool {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::time::{Duration, Instant};

    /// How long is looked at most: someone waits, and thousands of programs may run.
    const PATIENCE: Duration = Duration::from_millis(100);
    /// What the link to an open file shows where the file can be written through it.
    const WRITES: u32 = 0o200;

    let latest = Instant::now() + PATIENCE;
    let is_same = |link: &fs::DirEntry| {
        let writes = link.metadata().is_ok_and(|link| link.mode() & WRITES != 0);
        writes
            && fs::metadata(link.path())
                .is_ok_and(|open| (open.dev(), open.ino()) == (file.dev(), file.ino()))
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter(|entry| {
            let name = entry.file_name();
            name.as_encoded_bytes().iter().all(u8::is_ascii_digit)
        })
        .take_while(|_| Instant::now() < latest)
        .filter_map(|process| fs::read_dir(process.path().join("fd")).ok())
        .flat_map(|links| links.flatten())
        .any(|link| is_same(&link))
}
