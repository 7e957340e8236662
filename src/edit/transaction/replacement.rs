//! Undoes a replacement, and opens the replaced file.

use std::fs::File;
use std::io::{self, ErrorKind};

use super::super::replace::{Replacement, holds, lock, process_lock};
use super::super::revision_chain;
use super::super::write::{exchange, folder_of, sync_folder};

impl Replacement {
    /// Restores the old file, unless the file was changed since. Restoring the file needs no disk
    /// space.
    pub fn undo(&mut self) -> io::Result<()> {
        let _one = process_lock();
        let _other_processes = lock(folder_of(&self.path));
        if !holds(&self.path, &self.new)? {
            return Err(ErrorKind::Other.into());
        }
        revision_chain::follow(&self.path, &self.new, &self.old);
        match exchange(&self.temporary.path, &self.path) {
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                crate::replace(&self.path, &self.old)
            }
            exchanged => exchanged.and_then(|()| sync_folder(&self.temporary.folder)),
        }
    }

    /// Opens the replaced file, if the system keeps that file. The replaced file exists until this
    /// value is dropped.
    pub fn displaced(&self) -> io::Result<File> {
        File::open(&self.temporary.path)
    }
}
