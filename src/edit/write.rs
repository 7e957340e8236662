//! Writes files so that they survive a crash or a power cut.

use local::store::temporary;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Replaces a file: writes and flushes a temporary file, and renames it. The file's permissions are
/// kept. If the path is a symlink, its target is replaced.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let new = Temporary::write(&path, bytes)?;
    fs::rename(&new.path, &path)?;
    sync_folder(&new.folder)
}

/// Renames a file within its folder, durably. An existing file is an error
/// ([`io::ErrorKind::AlreadyExists`]).
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    move_without_overwrite(from, to)?;
    sync_folder(folder_of(to))
}

/// Creates a file and its missing parent folders. No reader sees an incomplete file. An existing
/// file is an error ([`io::ErrorKind::AlreadyExists`]).
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    make_folders(folder_of(path))?;
    let new = Temporary::write(path, bytes)?;
    rename(&new.path, path)
}

/// Writes a file of a site's local state, and creates missing parent folders. A file that already
/// contains these bytes is not touched.
pub fn keep(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|kept| kept == bytes) {
        return Ok(());
    }
    local::make_folders(folder_of(path))?;
    replace(path, bytes)
}

/// A flushed file next to the file that it will replace. It is removed on drop if it was not
/// renamed.
#[derive(Debug)]
pub(super) struct Temporary {
    pub path: PathBuf,
    pub folder: PathBuf,
}

impl Temporary {
    pub fn write(target: &Path, bytes: &[u8]) -> io::Result<Self> {
        let old = fs::metadata(target).ok().map(|facts| facts.permissions());
        let folder = folder_of(target);
        let (mut file, path) = Self::open(target, old.as_ref())?;
        let new = Self { path, folder: folder.to_owned() };
        if let Some(old) = old {
            file.set_permissions(old)?;
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(new)
    }

    /// Creates a file with an unused name, because a crashed process with the same id may have left
    /// a temporary file. The file is created with the permissions of the `old` one, so users who
    /// cannot read the old file can never read the new one.
    fn open(target: &Path, old: Option<&Permissions>) -> io::Result<(File, PathBuf)> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Some(old) = old {
            use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
            options.mode(old.mode() & 0o777);
        }
        #[cfg(not(unix))]
        let _ = old;
        loop {
            let path = temporary(target);
            match options.open(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                opened => return Ok((opened?, path)),
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

pub(super) fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Moves a file to a name that must be unused. If the system cannot refuse an existing name in one
/// step, the name is checked right before the move.
pub(super) fn move_without_overwrite(from: &Path, to: &Path) -> io::Result<()> {
    match rename_without_overwrite(from, to) {
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => {
            match to.symlink_metadata() {
                Ok(_) => Err(ErrorKind::AlreadyExists.into()),
                Err(_) => fs::rename(from, to),
            }
        }
        moved => moved,
    }
}

#[cfg(target_os = "linux")]
fn rename_without_overwrite(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

#[cfg(not(target_os = "linux"))]
fn rename_without_overwrite(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
pub(super) fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

pub(super) fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Creates a folder and its missing parents. The new folders survive a power cut.
pub(super) fn make_folders(folder: &Path) -> io::Result<()> {
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let missing: Vec<&Path> = missing.collect();
    local::make_folders(folder)?;
    missing.into_iter().try_for_each(|folder| sync_folder(folder_of(folder)))
}

/// Flushes a folder. A rename survives a power cut only if its folder is flushed too.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_state_is_written_once_without_leftover_files() {
        let site = tempfile::tempdir().unwrap();
        let file = site.path().join(".feedwright/addresses");
        keep(&file, b"one").unwrap();
        let first = fs::metadata(&file).unwrap().modified().unwrap();
        keep(&file, b"one").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), first);
        keep(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::read_dir(site.path().join(".feedwright")).unwrap().count(), 1);
    }
}
