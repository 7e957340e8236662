//! The folder of a site's local state, `.feedwright/`. It contains keys, drafts and logs, and only
//! its owner can read it.
//!
//! [`store`] defines the format of the caches in this folder, and how their files are replaced.
//! [`scratch`] stores data that does not fit in memory in an unnamed temporary file.

pub mod scratch;
pub mod store;

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};

pub const FOLDER: &str = ".feedwright";

/// Creates a folder and its missing parents. Only their owner can read `.feedwright/` and the
/// folders in it.
pub fn make_folders(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    if let Some(local) = folder.ancestors().find(|part| part.ends_with(FOLDER)) {
        use std::os::unix::fs::DirBuilderExt;
        // Folders above `.feedwright/` get the default permissions.
        local.parent().map_or(Ok(()), fs::create_dir_all)?;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Creates `.feedwright/` if it is missing. Only its owner can read it, and git ignores it.
pub fn local_folder(root: &Path) -> io::Result<PathBuf> {
    let folder = root.join(FOLDER);
    if !folder.is_dir() {
        make_folders(&folder)?;
        if cfg!(unix) {
            // The new folder survives a power cut only if its parent folder is flushed.
            fs::File::open(root)?.sync_all()?;
        }
    }
    restrict_to_owner(root);
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        fs::write(ignore, "*\n")?;
    }
    Ok(folder)
}

/// Removes the permissions of other users from an existing folder. Older versions, copies and
/// backups may have set them. Errors are ignored, since they mean that another user owns the
/// folder.
pub fn restrict_to_owner(root: &Path) {
    #[cfg(unix)]
    {
        remove_special_files(root);
        use std::os::unix::fs::PermissionsExt;
        let folder = root.join(FOLDER);
        let facts = fs::symlink_metadata(&folder).ok();
        let is_open =
            |facts: &fs::Metadata| facts.is_dir() && facts.permissions().mode() & 0o077 != 0;
        if facts.as_ref().is_some_and(is_open) {
            let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
        }
    }
    #[cfg(not(unix))]
    let _ = root;
}

/// Removes named pipes, sockets and devices from the folder. Opening such a file could block
/// forever, and feedwright creates no such files.
#[cfg(unix)]
fn remove_special_files(root: &Path) {
    let entries = fs::read_dir(root.join(FOLDER)).into_iter().flatten();
    for entry in entries.flatten() {
        let is_special =
            |kind: fs::FileType| !(kind.is_file() || kind.is_dir() || kind.is_symlink());
        if entry.file_type().is_ok_and(is_special) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).map_or(0, |found| found.permissions().mode() & 0o777)
    }

    #[test]
    fn local_state_is_readable_only_by_its_owner() {
        let site = tempfile::tempdir().unwrap();
        make_folders(&site.path().join("content/.feedwright/a/b")).unwrap();
        let local = site.path().join("content/.feedwright");
        assert_eq!((mode(&local), mode(&local.join("a/b"))), (0o700, 0o700));
        assert_ne!(mode(&site.path().join("content")), 0o700);
        let root = site.path();
        fs::create_dir(root.join(FOLDER)).unwrap();
        fs::set_permissions(root.join(FOLDER), fs::Permissions::from_mode(0o755)).unwrap();
        restrict_to_owner(root);
        assert_eq!(mode(&root.join(FOLDER)), 0o700);
    }
}
