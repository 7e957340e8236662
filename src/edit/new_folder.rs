//! A new folder that appears in one step with all its files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::write::{folder_of, make_folders, move_without_overwrite, sync_folder};
use local::store::temporary;

/// Number of bytes to copy between two reports of progress.
const PIECE: u64 = 32 << 20;

/// A folder under a temporary name. It is removed on drop if it was not kept. [`sweep`](super::sweep)
/// removes it after a crash.
#[derive(Debug)]
pub struct NewFolder {
    path: PathBuf,
    target: PathBuf,
    /// Parent folders that were created, innermost first.
    parents: Vec<PathBuf>,
}

impl NewFolder {
    /// Creates the temporary folder for a folder that will be at `target`.
    pub fn next_to(target: &Path) -> io::Result<Self> {
        let missing = target.ancestors().skip(1).take_while(|folder| !folder.exists());
        let parents = missing.map(Path::to_owned).collect();
        let new = Self { path: temporary(target), target: target.to_owned(), parents };
        make_folders(folder_of(target))?;
        fs::create_dir(&new.path)?;
        Ok(new)
    }

    /// The folder under its temporary name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file in the folder.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        super::write::write_new(&self.path.join(name), bytes)
    }

    /// Adds a file that keeps its place, as another name for the same bytes, or else as a copy.
    pub fn link(&self, from: &Path, name: &str, copied: &dyn Fn(u64)) -> io::Result<()> {
        // A link to a symbolic link would not be a second name for the bytes.
        let from = from.canonicalize()?;
        match fs::hard_link(&from, self.path.join(name)) {
            Ok(()) => Ok(()),
            Err(_) => self.copy(&from, name, copied),
        }
    }

    /// Copies a file into the folder, and passes the number of bytes to `copied` after each piece.
    /// The kernel copies the bytes, or shares them on file systems that can.
    pub fn copy(&self, from: &Path, name: &str, copied: &dyn Fn(u64)) -> io::Result<()> {
        let from = File::open(from)?;
        let mut to = File::options().write(true).create_new(true).open(self.path.join(name))?;
        loop {
            let length = io::copy(&mut io::Read::take(&from, PIECE), &mut to)?;
            if length == 0 {
                break;
            }
            copied(length);
        }
        to.flush()?;
        to.sync_all()
    }

    /// Gives the folder its final name. An existing file or folder is an error
    /// ([`io::ErrorKind::AlreadyExists`]).
    pub fn keep(mut self) -> io::Result<()> {
        sync_folder(&self.path)?;
        move_without_overwrite(&self.path, &self.target)?;
        self.parents.clear();
        sync_folder(folder_of(&self.target))
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
        for folder in &self.parents {
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_appears_whole_or_not_at_all() {
        let site = tempfile::tempdir().unwrap();
        let root = site.path().join("content");
        fs::create_dir(&root).unwrap();
        let from = site.path().join("walk.mp3");
        fs::write(&from, vec![7; 70_000]).unwrap();
        let begin = || NewFolder::next_to(&root.join("items/walk")).unwrap();
        let dropped = begin();
        dropped.copy(&from, "walk.mp3", &|_| ()).unwrap();
        drop(dropped);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 0, "parents are removed too");
        let kept = begin();
        kept.link(&from, "walk.mp3", &|_| ()).unwrap();
        kept.write("index.md", b"text").unwrap();
        assert!(!root.join("items/walk").exists());
        kept.keep().unwrap();
        assert_eq!(fs::read(root.join("items/walk/walk.mp3")).unwrap(), vec![7; 70_000]);
        assert!(from.exists());
        let again = begin();
        assert_eq!(again.keep().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_dir(root.join("items")).unwrap().count(), 1);
    }
}
