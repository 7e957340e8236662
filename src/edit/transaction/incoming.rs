//! A file that is received in pieces.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::super::write::{make_folders, rename};
use local::store::TEMPORARY;
use source::disk::same_bytes;

/// A temporary file next to its future path. If this value is dropped before [`keep`](Self::keep),
/// the file is removed.
pub struct IncomingFile {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
    kept: bool,
}

impl IncomingFile {
    /// Creates the temporary file for a file that will be at `target`. Creates missing parent
    /// folders.
    pub fn next_to(target: &Path) -> io::Result<Self> {
        let folder = target.parent().unwrap_or(Path::new("."));
        make_folders(folder)?;
        let mut name = std::ffi::OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(TEMPORARY);
        let temporary = folder.join(name);
        // A crash may have left a file here. The old file is removed and not reused, because it may
        // have been replaced by a link.
        match fs::remove_file(&temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        Ok(Self { file, temporary, target: target.to_path_buf(), kept: false })
    }

    /// Moves a file from another path on this machine to the temporary file.
    pub fn moved_from(from: &Path, target: &Path) -> io::Result<Self> {
        let mut moved_from = Self::next_to(target)?;
        // A rename does not move the bytes. On another disk, they are copied.
        if fs::rename(from, &moved_from.temporary).is_err() {
            io::copy(&mut File::open(from)?, &mut moved_from.file)?;
            fs::remove_file(from)?;
        }
        moved_from.file = OpenOptions::new().write(true).open(&moved_from.temporary)?;
        Ok(moved_from)
    }

    /// Flushes the bytes to the disk, so that only the rename is left.
    pub fn flush_to_disk(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Returns whether the existing file at the target contains the same bytes. This is the case if
    /// an earlier attempt was interrupted after the rename. Returns `None` if the target does not
    /// exist.
    pub fn is_there(&self) -> io::Result<Option<bool>> {
        match self.target.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            there => there.and_then(|_| same_bytes(&self.temporary, &self.target).map(Some)),
        }
    }

    /// Renames the temporary file to its final name. An existing file is an error
    /// ([`io::ErrorKind::AlreadyExists`]).
    pub fn keep(mut self) -> io::Result<()> {
        rename(&self.temporary, &self.target)?;
        self.kept = true;
        Ok(())
    }
}

impl Write for IncomingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for IncomingFile {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
