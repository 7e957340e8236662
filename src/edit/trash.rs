//! Where deleted files go.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use jiff::Timestamp;

use super::write::{move_to_free, sync_folder, write_new};
use crate::model::SitePath;

/// Moves a file of the site to `.feedwright/trash/<UTC time>/<its path>` and answers that path. Nothing
/// there is overwritten. A folder below `content/items` and the like that is empty then is removed; media
/// beside an `index.md` stay.
///
/// # Errors
///
/// The file cannot be copied or removed; then it is still where it was.
pub fn remove_to_trash(root: &Path, path: &SitePath, now: Timestamp) -> io::Result<SitePath> {
    let trashed = put_in_trash(root, path, now, |source, target| {
        // In one step: what a program saves at the same time is in the trash, or stays.
        match move_to_free(source, target) {
            Err(error) if error.kind() == ErrorKind::CrossesDevices => {
                keep(source, target)?;
                fs::remove_file(source)
            }
            moved => moved,
        }
    })?;
    remove_empty(root, path)?;
    Ok(trashed)
}

/// Keeps what a file holds now in the trash, before it becomes something else.
///
/// # Errors
///
/// The file cannot be copied.
pub fn keep_in_trash(root: &Path, path: &SitePath, now: Timestamp) -> io::Result<SitePath> {
    put_in_trash(root, path, now, keep)
}

fn put_in_trash(
    root: &Path,
    path: &SitePath,
    now: Timestamp,
    put: impl Fn(&Path, &Path) -> io::Result<()>,
) -> io::Result<SitePath> {
    let source = path.on_disk(root);
    let time = now.strftime("%Y-%m-%dT%H-%M-%S%.3fZ");
    let mut number = 1;
    let trashed = loop {
        let again = if number == 1 {
            String::new()
        } else {
            format!("-{number}")
        };
        let trashed = SitePath::parse(&format!(".feedwright/trash/{time}{again}/{path}"))
            .ok_or(ErrorKind::InvalidInput)?;
        let target = trashed.on_disk(root);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
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

/// The same file under another name, by a link where the file system allows it.
fn keep(source: &Path, target: &Path) -> io::Result<()> {
    match fs::hard_link(source, target) {
        Err(error) if !matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {
            write_new(target, &fs::read(source)?)
        }
        linked => linked,
    }
}

/// Flushes every folder from the file's up to the site's.
fn flush_folders(root: &Path, path: &SitePath) -> io::Result<()> {
    let file = path.on_disk(root);
    let folders = file
        .ancestors()
        .skip(1)
        .take_while(|folder| folder.starts_with(root));
    for folder in folders {
        sync_folder(folder)?;
    }
    Ok(())
}

/// Removes the folders that a file leaves empty, but those every site has (`content/items`), and
/// flushes the one that stays.
fn remove_empty(root: &Path, path: &SitePath) -> io::Result<()> {
    let mut folder = path.parent();
    while let Some(inner) = folder.filter(|folder| folder.matches('/').count() >= 2) {
        if fs::remove_dir(root.join(inner)).is_err() {
            break;
        }
        folder = inner.rsplit_once('/').map(|(outer, _)| outer);
    }
    sync_folder(&folder.map_or(root.to_owned(), |folder| root.join(folder)))
}
