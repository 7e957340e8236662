//! A file of the spool folder with the data of a job.

use std::fs;
use std::path::PathBuf;

/// A file in the spool folder. It is removed when this is dropped.
#[derive(Debug)]
pub struct SpooledFile(PathBuf);

impl SpooledFile {
    /// The file has to lie in [`Scheduler::spool`](super::Scheduler::spool).
    pub fn new(file: PathBuf) -> Self {
        Self(file)
    }

    pub fn name(&self) -> Option<String> {
        Some(self.0.file_name()?.to_str()?.to_owned())
    }

    /// The name of the file. It is not removed any more.
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
