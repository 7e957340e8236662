//! A folder that is held open, to look at many files below it: from there the system finds them faster than by
//! their whole paths.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::stamp::{FileFacts, Stamp};

/// Files that are looked at from one open folder: threads that share one make each other wait.
pub const OPENED: usize = 512;

/// A folder whose files are looked at by their paths from it.
#[derive(Debug)]
pub struct OpenFolder {
    path: PathBuf,
    /// None if it cannot be opened; then files are looked at by their whole paths.
    #[cfg(target_os = "linux")]
    folder: Option<rustix::fd::OwnedFd>,
}

impl OpenFolder {
    pub fn of(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            #[cfg(target_os = "linux")]
            folder: open(path),
        }
    }

    /// Looks at a file. Links are followed.
    pub fn stamp(&self, file: &str) -> Stamp {
        self.look_at(file).map_or(Stamp::Missing, FileFacts::stamp)
    }

    fn look_at(&self, file: &str) -> io::Result<FileFacts> {
        #[cfg(target_os = "linux")]
        if let Some(folder) = &self.folder {
            return look_from(folder, file, rustix::fs::AtFlags::empty());
        }
        self.by_whole_path(file, |path| fs::metadata(path))
    }

    /// Looks at a file; a link to one is no file.
    pub fn look_at_itself(&self, file: &str) -> io::Result<FileFacts> {
        #[cfg(target_os = "linux")]
        if let Some(folder) = &self.folder {
            return look_from(folder, file, rustix::fs::AtFlags::SYMLINK_NOFOLLOW);
        }
        self.by_whole_path(file, |path| fs::symlink_metadata(path))
    }

    fn by_whole_path(
        &self,
        file: &str,
        look: impl FnOnce(&Path) -> io::Result<Metadata>,
    ) -> io::Result<FileFacts> {
        Ok(FileFacts::of(&look(&self.path.join(file))?))
    }
}

#[cfg(target_os = "linux")]
fn open(path: &Path) -> Option<rustix::fd::OwnedFd> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::empty()).ok()
}

#[cfg(target_os = "linux")]
fn look_from(
    folder: &rustix::fd::OwnedFd,
    file: &str,
    flags: rustix::fs::AtFlags,
) -> io::Result<FileFacts> {
    let found = rustix::fs::statat(folder, file, flags)?;
    Ok(FileFacts::of_system(&found))
}
