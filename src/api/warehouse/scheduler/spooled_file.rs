//! A file of the spool folder, which holds the data of a job that has not started.

use std::fs;
use std::path::PathBuf;

/// Data in a file of the spool folder, which goes when this is dropped.
#[derive(Debug)]
pub struct SpooledFile(PathBuf);

impl SpooledFile {
    /// The data in a file that lies in [`Scheduler::spool`].
    pub fn new(file: PathBuf) -> Self {
        Self(file)
    }

    pub fn name(&self) -> Option<String> {
        Some(self.0.file_name()?.to_str()?.to_owned())
    }

    /// The name of the file, which stays from now on.
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
