//! The places that take files one by one.

mod folder;
mod git;
mod rsync;
mod s3;
mod sftp;
mod ssh;

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Fault, LocalFile};

pub use folder::Folder;
pub use git::Git;
pub use rsync::Rsync;
pub use s3::S3;
pub use sftp::Sftp;

/// How long a program may say nothing that asks another machine.
const PATIENCE: Duration = Duration::from_mins(3);

/// Is told how many bytes more are on their way.
pub type Sent<'s> = &'s (dyn Fn(u64) + Sync);

/// A place that files are put to. Each file there is whole at any instant, a former one or a new one.
pub trait Target {
    /// The files that lie there, temporary ones too.
    fn list(&mut self) -> Result<Vec<RemoteFile>, Fault>;

    /// The bytes of a file. None if it is not there.
    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, Fault>;

    /// Puts files, in any order, replaces those that are there, and tells `sent` how many bytes more are
    /// on their way. Answers the tag of each, as [`list`](Self::list) gives it. After an error it may be called again with the same files.
    fn put(&mut self, files: &[&LocalFile], sent: Sent<'_>) -> Result<Vec<String>, Fault>;

    /// Writes a small file that is no part of the site, so that visitors cannot read it where that can be said.
    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault>;

    /// Deletes files, and the folders that are empty without them. One that is not there is no error.
    fn delete(&mut self, paths: &[&str]) -> Result<(), Fault>;

    /// Makes public what was put, where all of it becomes public at once.
    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// The links of the last [`list`](Self::list) that are not followed, and where they lead.
    fn links(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// Whether a file cannot lie below another one.
    fn has_folders(&self) -> bool {
        true
    }

    /// Whether nothing is public before [`finish`](Self::finish).
    fn is_atomic(&self) -> bool {
        false
    }

    /// Whether the HTTP fields of a file are kept with it.
    fn keeps_fields(&self) -> bool {
        false
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFile {
    /// Its path below the place, with slashes.
    pub path: String,
    /// In bytes.
    pub length: u64,
    /// What the place itself tells this version of the file from others by; empty if by nothing.
    pub tag: String,
}
