//! A change of one file of the site with everything done that may fail for want of room: what is left is
//! a rename. So it can be told whether a write is possible before anything is changed.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::displaced;
use super::replace::{Replaced, Replacement, is_being_written, remember_own};
use super::trash::{self, TrashScope};
use super::write::{Temporary, make_folders, move_to_free, sync_folder};
use crate::model::SitePath;

/// A change that is prepared. Dropped before it is put in place, nothing of it stays.
#[derive(Debug)]
pub struct Prepared<'a> {
    root: &'a Path,
    path: SitePath,
    change: Change,
}

#[derive(Debug)]
enum Change {
    Replace(Replacement),
    Create {
        temporary: Temporary,
        bytes: Vec<u8>,
        /// After the temporary file, which lies in them.
        _folders: Folders,
    },
    Remove {
        whole: TrashScope,
        /// What the file has to hold, where that matters.
        held: Option<Vec<u8>>,
        now: Timestamp,
        /// Where it is, once it is removed.
        trashed: Option<SitePath>,
        _folders: Folders,
    },
}

/// Folders that were made for a file. Those that are still empty in the end go.
#[derive(Debug)]
struct Folders(Vec<PathBuf>);

impl Folders {
    fn above(file: &Path) -> io::Result<Self> {
        let missing = file
            .ancestors()
            .skip(1)
            .take_while(|folder| !folder.exists());
        let missing = Self(missing.map(Path::to_owned).collect());
        if let Some(folder) = missing.0.first() {
            make_folders(folder)?;
        }
        Ok(missing)
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        for folder in &self.0 {
            let _ = fs::remove_dir(folder);
        }
    }
}

impl<'a> Prepared<'a> {
    /// A file that holds `old` is to hold `new`. None where it does not hold `old`.
    pub fn replace(
        root: &'a Path,
        path: &SitePath,
        old: &[u8],
        new: &[u8],
    ) -> io::Result<Option<Self>> {
        let replacement = Replacement::prepare(&path.on_disk(root), old, new)?;
        Ok(replacement.map(|replacement| Self {
            root,
            path: path.clone(),
            change: Change::Replace(replacement),
        }))
    }

    /// A file that is not there is to hold these bytes. One that is there when it is put in place is an
    /// error ([`ErrorKind::AlreadyExists`]).
    pub fn create(root: &'a Path, path: &SitePath, bytes: &[u8]) -> io::Result<Self> {
        let file = path.on_disk(root);
        let folders = Folders::above(&file)?;
        Ok(Self {
            root,
            path: path.clone(),
            change: Change::Create {
                temporary: Temporary::write(&file, bytes)?,
                bytes: bytes.to_vec(),
                _folders: folders,
            },
        })
    }

    /// A file is to go to the trash, where `held` says what it holds only if it does. Of one that is all
    /// that a folder is about, `index.md`, the folder goes with all in it; see [`TrashScope`].
    pub fn remove(
        root: &'a Path,
        path: &SitePath,
        whole: TrashScope,
        held: Option<&[u8]>,
        now: Timestamp,
    ) -> io::Result<Self> {
        let place = trash::place(&whole.of(path), now)?;
        let folders = Folders::above(&place.on_disk(root))?;
        Ok(Self {
            root,
            path: path.clone(),
            change: Change::Remove {
                whole,
                held: held.map(<[u8]>::to_vec),
                now,
                trashed: None,
                _folders: folders,
            },
        })
    }

    /// Changes the file.
    pub fn put(&mut self) -> io::Result<Replaced> {
        let file = self.path.on_disk(self.root);
        match &mut self.change {
            Change::Replace(replacement) => replacement.put(),
            Change::Create { temporary, .. } => {
                remember_own(&temporary.path);
                move_to_free(&temporary.path, &file)?;
                sync_folder(&temporary.folder)?;
                Ok(Replaced::Done)
            }
            Change::Remove {
                whole,
                held,
                now,
                trashed,
                ..
            } => {
                if is_being_written(&file)? {
                    return Ok(Replaced::Open);
                }
                let removed = match trash::move_to_trash(self.root, &whole.of(&self.path), *now) {
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        return Ok(Replaced::Changed);
                    }
                    removed => removed?,
                };
                let is_other = match &held {
                    Some(held) => fs::read(removed.on_disk(self.root))? != *held,
                    None => false,
                };
                *trashed = Some(removed);
                if is_other {
                    // What its author saved meanwhile has its name again, unless that is taken.
                    self.undo()?;
                    return Ok(Replaced::Changed);
                }
                trash::remove_empty(self.root, &whole.of(&self.path))?;
                Ok(Replaced::Done)
            }
        }
    }

    /// Changes the file back. Err where that cannot be done, or it was changed since.
    pub fn undo(&mut self) -> io::Result<()> {
        let file = self.path.on_disk(self.root);
        match &mut self.change {
            Change::Replace(replacement) => replacement.undo(),
            Change::Create { bytes, .. } => {
                if fs::read(&file)? == *bytes {
                    fs::remove_file(file)
                } else {
                    Err(ErrorKind::Other.into())
                }
            }
            Change::Remove { whole, trashed, .. } => {
                let Some(trashed) = trashed.take() else {
                    return Ok(());
                };
                let to = whole.of(&self.path).on_disk(self.root);
                if let Some(folder) = to.parent() {
                    make_folders(folder)?;
                }
                move_to_free(&trashed.on_disk(self.root), &to)
            }
        }
    }

    /// Watches over the file that was replaced for a while: who had it open may write only now.
    pub fn watch_over(&self) {
        if let Change::Replace(replacement) = &self.change {
            displaced::watch_over(self.root, &self.path, replacement);
        }
    }
}
