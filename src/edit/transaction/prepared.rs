//! A change of one file, prepared so that only a rename is left. Every step that needs disk space
//! is done during preparation, so a full disk is noticed before any file changes.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::super::replace::{Replaced, Replacement, is_being_written, remember_own_write};
use super::super::revision_chain::RevisionChain;
use super::super::trash;
use super::super::write::{Temporary, make_folders, move_without_overwrite, sync_folder};
use super::displaced;
use model::SitePath;

/// Whether a file goes to the trash alone or with its folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrashScope {
    File,
    /// The file's folder with everything in it.
    Folder,
}

impl TrashScope {
    /// Returns the path to move to the trash.
    pub fn of(self, path: &SitePath) -> SitePath {
        let folder = path.parent().and_then(SitePath::parse);
        match (self, folder) {
            (Self::Folder, Some(folder)) => folder,
            _ => path.clone(),
        }
    }
}

/// A prepared change. If it is dropped before [`put`](Self::put), it leaves nothing behind.
#[derive(Debug)]
pub struct Prepared<'a> {
    root: &'a Path,
    path: SitePath,
    change: Change,
}

#[derive(Debug)]
enum Change {
    Replace {
        replacement: Replacement,
        /// The revision chain of the new text, once the text is in place.
        revision_chain: Option<RevisionChain>,
    },
    Create {
        temporary: Temporary,
        bytes: Vec<u8>,
        /// Folders created for the file. This field is declared after the temporary file: fields
        /// are dropped in order, and the folders are empty only without that file.
        _folders: Folders,
    },
    Remove {
        whole: TrashScope,
        /// The required content of the file. `None` accepts any content.
        expected: Option<Vec<u8>>,
        now: Timestamp,
        /// The file's path in the trash, once the file is removed.
        trashed: Option<SitePath>,
        _folders: Folders,
    },
}

/// Folders that were created for a file. On drop, folders that are still empty are removed.
#[derive(Debug)]
struct Folders(Vec<PathBuf>);

impl Folders {
    fn create_parents(file: &Path) -> io::Result<Self> {
        let missing = file.ancestors().skip(1).take_while(|folder| !folder.exists());
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
    /// Prepares to replace `old` with `new`. Returns `None` if the content of the file is not
    /// `old`.
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
            change: Change::Replace { replacement, revision_chain: None },
        }))
    }

    /// Prepares a new file with these bytes. If the path is already taken when the new file is put
    /// in place, that is an error ([`ErrorKind::AlreadyExists`]).
    pub fn create(root: &'a Path, path: &SitePath, bytes: &[u8]) -> io::Result<Self> {
        let file = path.on_disk(root);
        let folders = Folders::create_parents(&file)?;
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

    /// Prepares to move a file to the trash. If `expected` is given, the file must contain exactly
    /// these bytes. An item's `index.md` is moved with its whole folder; see [`TrashScope`].
    pub fn remove(
        root: &'a Path,
        path: &SitePath,
        whole: TrashScope,
        expected: Option<&[u8]>,
        now: Timestamp,
    ) -> io::Result<Self> {
        let place = trash::in_trash(&whole.of(path), now, 1)?;
        let folders = Folders::create_parents(&place.on_disk(root))?;
        Ok(Self {
            root,
            path: path.clone(),
            change: Change::Remove {
                whole,
                expected: expected.map(<[u8]>::to_vec),
                now,
                trashed: None,
                _folders: folders,
            },
        })
    }

    pub fn put(&mut self) -> io::Result<Replaced> {
        let file = self.path.on_disk(self.root);
        match &mut self.change {
            Change::Replace { replacement, revision_chain } => {
                let (replaced, followed) = replacement.put()?;
                *revision_chain = followed;
                Ok(replaced)
            }
            Change::Create { temporary, .. } => {
                remember_own_write(&temporary.path);
                move_without_overwrite(&temporary.path, &file)?;
                sync_folder(&temporary.folder)?;
                Ok(Replaced::Done)
            }
            Change::Remove { whole, expected, now, trashed, .. } => {
                if is_being_written(&file)? {
                    return Ok(Replaced::Open);
                }
                let removed = match trash::move_to_trash(self.root, &whole.of(&self.path), *now) {
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        return Ok(Replaced::Changed);
                    }
                    removed => removed?,
                };
                let is_other = match &expected {
                    Some(expected) => fs::read(removed.on_disk(self.root))? != *expected,
                    None => false,
                };
                *trashed = Some(removed);
                if is_other {
                    // The author saved the file meanwhile. The saved file is moved back from the
                    // trash, unless another file is now at its path.
                    self.undo()?;
                    return Ok(Replaced::Changed);
                }
                trash::remove_empty(self.root, &whole.of(&self.path))?;
                Ok(Replaced::Done)
            }
        }
    }

    /// Undoes the change. Returns an error if undoing fails, or if the file was changed since.
    pub fn undo(&mut self) -> io::Result<()> {
        let file = self.path.on_disk(self.root);
        match &mut self.change {
            Change::Replace { replacement, .. } => replacement.undo(),
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
                move_without_overwrite(&trashed.on_disk(self.root), &to)
            }
        }
    }

    /// Watches the replaced file for a while, because a program that had it open may still write to
    /// it.
    pub fn watch_for_saves(&self) {
        if let Change::Replace { replacement, revision_chain: Some(successors) } = &self.change {
            displaced::watch_for_saves(self.root, &self.path, replacement, *successors);
        }
    }
}
