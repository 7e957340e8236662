//! A folder that is kept open to look up many files below it. The system finds files faster from an
//! open folder than by their whole paths.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::stamp::{FileFacts, Stamp};

/// Number of files to look up from one open folder. Threads that share an open folder slow each
/// other down.
pub const FILES_PER_FOLDER: usize = 512;

/// A folder whose files are looked up by their relative paths.
#[derive(Debug)]
pub struct OpenFolder {
    path: PathBuf,
    /// The open folder. `None` if it cannot be opened; files are then looked up by their whole
    /// paths.
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

    /// Returns the stamp of a file. Links are followed.
    pub fn stamp(&self, file: &str) -> Stamp {
        self.look_up(file).map_or(Stamp::Missing, FileFacts::stamp)
    }

    fn look_up(&self, file: &str) -> io::Result<FileFacts> {
        #[cfg(target_os = "linux")]
        if let Some(folder) = &self.folder {
            return stat_at(folder, file, rustix::fs::AtFlags::empty());
        }
        self.look_up_by_path(file, |path| fs::metadata(path))
    }

    /// Returns the facts about a path. A link is not followed, so it does not count as a file.
    pub fn look_up_no_follow(&self, file: &str) -> io::Result<FileFacts> {
        #[cfg(target_os = "linux")]
        if let Some(folder) = &self.folder {
            return stat_at(folder, file, rustix::fs::AtFlags::SYMLINK_NOFOLLOW);
        }
        self.look_up_by_path(file, |path| fs::symlink_metadata(path))
    }

    fn look_up_by_path(
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
fn stat_at(
    folder: &rustix::fd::OwnedFd,
    file: &str,
    flags: rustix::fs::AtFlags,
) -> io::Result<FileFacts> {
    let found = rustix::fs::statat(folder, file, flags)?;
    Ok(FileFacts::of_system(&found))
}
