//! Moves deleted files to the trash folder.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use jiff::Timestamp;

use super::write::{move_without_overwrite, sync_folder, write_new};
use model::SitePath;

/// The folder for deleted files.
pub const TRASH: &str = ".feedwright/trash";

/// Moves a file or folder of the site to `.feedwright/trash/<UTC time>/<its path>` and returns the
/// path in the trash. Never overwrites anything in the trash. Removes folders that become empty,
/// except `content/items` and similar folders.
///
/// # Errors
///
/// Returns an error if the file cannot be copied or removed. The file then remains where it is.
pub fn remove_to_trash(root: &Path, path: &SitePath, now: Timestamp) -> io::Result<SitePath> {
    let trashed = move_to_trash(root, path, now)?;
    remove_empty(root, path)?;
    Ok(trashed)
}

/// Like [`remove_to_trash`], but keeps empty folders.
pub(super) fn move_to_trash(root: &Path, path: &SitePath, now: Timestamp) -> io::Result<SitePath> {
    put_in_trash(root, path, now, |source, target| {
        // The move is one step. If another program saves the file at the same time, its version is
        // either moved to the trash or stays in place.
        match move_without_overwrite(source, target) {
            Err(error) if error.kind() == ErrorKind::CrossesDevices && source.is_dir() => {
                copy(source, target)?;
                fs::remove_dir_all(source)
            }
            Err(error) if error.kind() == ErrorKind::CrossesDevices => {
                link_or_copy(source, target)?;
                fs::remove_file(source)
            }
            moved => moved,
        }
    })
}

fn copy(source: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let target = target.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?
        } else {
            write_new(&target, &fs::read(entry.path())?)?
        }
    }
    sync_folder(target)
}

pub(super) fn put_in_trash(
    root: &Path,
    path: &SitePath,
    now: Timestamp,
    put: impl Fn(&Path, &Path) -> io::Result<()>,
) -> io::Result<SitePath> {
    let source = path.on_disk(root);
    let mut number = 1;
    let trashed = loop {
        let trashed = in_trash(path, now, number)?;
        let target = trashed.on_disk(root);
        if let Some(folder) = target.parent() {
            local::make_folders(folder)?;
        }
        match put(&source, &target) {
            Ok(()) => break trashed,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    };
    flush_folders(root, &trashed)?;
    Ok(trashed)
}

/// Returns the path of a file in the trash. `number` distinguishes entries of the same time.
pub(super) fn in_trash(path: &SitePath, now: Timestamp, number: usize) -> io::Result<SitePath> {
    let time = now.strftime("%Y-%m-%dT%H-%M-%S%.3fZ");
    let again = match number {
        1 => String::new(),
        number => format!("-{number}"),
    };
    let trashed = SitePath::parse(&format!("{TRASH}/{time}{again}/{path}"));
    trashed.ok_or_else(|| ErrorKind::InvalidInput.into())
}

/// Gives a file a second name, with a hard link if the file system allows it, otherwise with a
/// copy.
fn link_or_copy(source: &Path, target: &Path) -> io::Result<()> {
    match fs::hard_link(source, target) {
        Err(error) if !matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {
            write_new(target, &fs::read(source)?)
        }
        linked => linked,
    }
}

/// Flushes every folder from the file's folder up to the site's root.
fn flush_folders(root: &Path, path: &SitePath) -> io::Result<()> {
    let file = path.on_disk(root);
    let folders = file.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
    for folder in folders {
        sync_folder(folder)?;
    }
    Ok(())
}

/// Removes the folders that a removed file leaves empty, except folders that every site has
/// (`content/items`). Flushes the innermost remaining folder.
pub(super) fn remove_empty(root: &Path, path: &SitePath) -> io::Result<()> {
    let mut folder = path.parent();
    while let Some(inner) = folder.filter(|folder| folder.matches('/').count() >= 2) {
        if fs::remove_dir(root.join(inner)).is_err() {
            break;
        }
        folder = inner.rsplit_once('/').map(|(outer, _)| outer);
    }
    sync_folder(&folder.map_or(root.to_owned(), |folder| root.join(folder)))
}
