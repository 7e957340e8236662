//! Destinations that receive files individually.

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

/// Maximum time without output from a program that communicates with another machine.
const MAX_SILENCE: Duration = Duration::from_mins(3);

/// A callback that receives the number of additional bytes sent.
pub type ProgressCallback<'s> = &'s (dyn Fn(u64) + Sync);

/// A destination that files are uploaded to. At any time, each file at the destination is complete:
/// it is either the former or the new version.
pub trait Target {
    /// Lists all files at the destination, including temporary files.
    fn list(&mut self) -> Result<Vec<RemoteFile>, Fault>;

    /// Reads a file, or returns `None` if it does not exist.
    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, Fault>;

    /// Uploads files in any order, and replaces existing files. Calls `sent` with the number of
    /// additional bytes sent. Returns the tag of each file in the same form as
    /// [`list`](Self::list). After an error, the caller can call `put` again with the same files.
    fn put(
        &mut self,
        files: &[&LocalFile],
        sent: ProgressCallback<'_>,
    ) -> Result<Vec<String>, Fault>;

    /// Writes a small file that is not part of the site. Visitors cannot read the file if the
    /// destination supports private files.
    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault>;

    /// Deletes files, and folders that become empty. A missing file is not an error.
    fn delete(&mut self, paths: &[&str]) -> Result<(), Fault>;

    /// Publishes the uploaded files. Only destinations that publish all files at once need this
    /// step.
    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// Returns the symlinks found by the last [`list`](Self::list) that are not followed, with
    /// their targets.
    fn links(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// Whether the destination has folders, so that a file and a folder cannot share a path.
    fn has_folders(&self) -> bool {
        true
    }

    /// Whether uploaded files stay private until [`finish`](Self::finish).
    fn is_atomic(&self) -> bool {
        false
    }

    /// Whether the destination stores HTTP header fields with each file.
    fn stores_headers(&self) -> bool {
        false
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFile {
    /// The path relative to the destination, separated by slashes.
    pub path: String,
    /// The size in bytes.
    pub length: u64,
    /// The destination's identifier for this version of the file, or an empty string if it has
    /// none.
    pub tag: String,
}
