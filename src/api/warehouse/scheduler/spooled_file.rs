//! A file in the spool folder with the data of a job.

use std::fs;
use std::path::PathBuf;

/// A file in the spool folder. Dropping this value removes the file.
#[derive(Debug)]
pub struct SpooledFile(PathBuf);

impl SpooledFile {
    /// Takes ownership of a file, which must be in [`Scheduler::spool`](super::Scheduler::spool).
    pub fn new(file: PathBuf) -> Self {
        Self(file)
    }

    pub fn name(&self) -> Option<String> {
        Some(self.0.file_name()?.to_str()?.to_owned())
    }

    /// Returns the name of the file, and keeps the file on the disk.
    pub fn keep(mut self) -> Option<String> {
        let name = self.name();
        self.0 = PathBuf::new();
        name
    }
}

impl Drop for SpooledFile {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.0);
        }
    }
}
