//! A temporary file for data that does not fit in memory.

use std::fs::{self, File};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::FOLDER;
use super::store::{FRAME_HEAD, frame_head, frames, temporary};

/// A file in `.feedwright/` that is created when it is first needed. It has no name, so it
/// disappears when the process ends. It consists of frames, as the caches do.
///
/// Nothing is stored if `.feedwright/` is missing, if the disk is full, or on systems other than
/// Unix.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    file: OnceLock<Option<File>>,
    end: AtomicU64,
    has_failed: AtomicBool,
}

impl Scratch {
    /// Returns the temporary file of the site at `root`, without creating it.
    pub fn of(root: &Path) -> Self {
        Self {
            path: temporary(&root.join(FOLDER).join("scratch")),
            file: OnceLock::new(),
            end: AtomicU64::new(0),
            has_failed: AtomicBool::new(false),
        }
    }

    /// Returns whether data can be stored. Creates the file if needed.
    pub fn is_usable(&self) -> bool {
        self.file().is_some() && !self.has_failed.load(Ordering::SeqCst)
    }

    /// Stores content, and returns its offset in the file. If writing fails, discards all stored
    /// content to free disk space, and stores nothing more.
    pub fn store(&self, content: &[u8]) -> Option<u64> {
        let file = self.file().filter(|_| self.is_usable())?;
        let frame = [&frame_head(content).ok()?, content].concat();
        let offset = self.end.fetch_add(frame.len() as u64, Ordering::Relaxed);
        if file.write_all_at(&frame, offset).is_err() {
            self.has_failed.store(true, Ordering::SeqCst);
            let _ = file.set_len(0);
            return None;
        }
        Some(offset)
    }

    /// Returns the `length` bytes that were stored at `offset`, or `None` if they were discarded or
    /// are damaged.
    pub fn read(&self, offset: u64, length: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; FRAME_HEAD + length];
        self.file()?.read_exact_at(&mut bytes, offset).ok()?;
        let [frame] = frames(&bytes).0[..] else { return None };
        frame.content().map(<[u8]>::to_vec)
    }

    fn file(&self) -> Option<&File> {
        self.file.get_or_init(|| create_unnamed(&self.path).ok()).as_ref()
    }
}

/// Creates a file and removes its name. Fails on systems other than Unix.
fn create_unnamed(path: &Path) -> io::Result<File> {
    if cfg!(not(unix)) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let mut options = File::options();
    #[cfg(unix)]
    options.mode(0o600);
    let file = options.read(true).write(true).create_new(true).open(path)?;
    fs::remove_file(path)?;
    Ok(file)
}

/// Stubs of the methods on Unix. They are never called, because `create_unnamed` fails.
#[cfg(not(unix))]
trait FileExt {
    fn write_all_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(not(unix))]
impl FileExt for File {}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn stored_bytes_are_read_in_any_order() {
        let site = tempfile::tempdir().unwrap();
        let folder = site.path().join(FOLDER);
        let scratch = Scratch::of(site.path());
        assert!(!scratch.is_usable() && scratch.store(b"a").is_none());
        assert!(!folder.exists(), "storing creates no folder");

        fs::create_dir(&folder).unwrap();
        let scratch = Scratch::of(site.path());
        let texts = ["one", "", "three", "four"];
        let stored = texts.map(|text| scratch.store(text.as_bytes()).unwrap());
        for (text, offset) in texts.iter().zip(stored).rev() {
            assert_eq!(scratch.read(offset, text.len()).unwrap(), text.as_bytes());
        }
        let mode = scratch.file().unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let left = fs::read_dir(&folder).unwrap().count();
        assert_eq!(left, 0, "a killed process leaves nothing behind");
    }

    #[test]
    fn a_full_disk_discards_all_stored_bytes() {
        let site = tempfile::tempdir().unwrap();
        fs::create_dir(site.path().join(FOLDER)).unwrap();
        let scratch = Scratch::of(site.path());
        let offset = scratch.store(b"one").unwrap();
        assert_eq!(scratch.read(offset, 3).unwrap(), b"one");
        // Writing at this offset fails, as on a full disk.
        scratch.end.store(i64::MAX as u64 - 2, Ordering::Relaxed);
        assert!(scratch.store(b"two").is_none() && !scratch.is_usable());
        assert_eq!(scratch.read(offset, 3), None);
        assert_eq!(scratch.file().unwrap().metadata().unwrap().len(), 0);
    }
}
