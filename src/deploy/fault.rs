//! Errors during a deploy.

use std::fmt::Display;

use super::RECORD;
use model::Diagnostic;

/// The reason why a step of a deploy failed, with its remedy.
#[derive(Debug, Clone)]
pub struct Fault {
    message: String,
    help: String,
    /// Whether the same step may succeed if it is retried soon.
    pub is_temporary: bool,
}

impl Fault {
    /// Creates a fault that the author must fix before a retry.
    pub fn permanent(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), is_temporary: false }
    }

    /// Creates a temporary fault, such as a broken connection or a busy server.
    pub fn temporary(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { is_temporary: true, ..Self::permanent(message, help) }
    }

    /// Creates the fault for a file that changed after it was read.
    pub fn changed(file: &str) -> Self {
        Self::permanent(
            format!("{file} changed during the upload"),
            "deploy again when no build is running",
        )
    }

    /// Creates the fault for a file of the site that cannot be written.
    pub fn cannot_write(file: &str, error: &std::io::Error) -> Self {
        Self::permanent(
            format!("{file} cannot be written: {error}"),
            "check the permissions and the free disk space, and deploy again; the uploaded files are intact",
        )
    }

    /// Creates the fault for a media file that is missing on this machine and at the destination.
    /// If the destination has another version of the file, `found` is its length in bytes.
    pub fn not_stored(file: &str, found: Option<u64>) -> Self {
        let there = match found {
            Some(length) => {
                format!("the media destination has a different version of {length} bytes")
            }
            None => "it is missing at the media destination".to_owned(),
        };
        Self::permanent(
            format!(
                "/media/{file} is listed in content/media.json, but it is missing on this machine, and {there}"
            ),
            "put the file back and deploy again, or delete its line in content/media.json and all references to the file",
        )
    }

    /// Creates the fault for a destination that contains another site.
    pub fn contains_other_site(other: &str, own: &str) -> Self {
        Self::permanent(
            format!("the destination contains another site, {other}, whose files would be deleted"),
            format!(
                "choose another destination; if {other} has moved to {own}, run `feedwright deploy --take-over` once"
            ),
        )
    }

    /// Creates the fault for a file that would be uploaded into a folder that is a separate
    /// destination.
    pub fn separate(file: &str, folder: &str) -> Self {
        Self::permanent(
            format!("{file} would be uploaded to {folder}, which is a separate deploy destination"),
            format!(
                "choose another destination; if {folder} is no longer a separate destination, delete {folder}/{RECORD} at the destination"
            ),
        )
    }

    /// Creates the fault for a folder that overlaps the output folder.
    pub fn overlaps_output(folder: &str) -> Self {
        Self::permanent(
            format!(
                "the site cannot be deployed to folder:{folder}: it overlaps the output folder"
            ),
            "choose a folder outside the output folder",
        )
    }

    /// Creates the fault for a site and media with the same destination.
    pub fn same_place() -> Self {
        Self::permanent(
            "the site has the same destination as [deploy.media], so each would delete the other's files",
            "choose another destination for the site, or remove [deploy.media]",
        )
    }

    /// Creates the fault for a Git LFS pointer in place of the actual file.
    pub fn pointer(file: &str) -> Self {
        Self::permanent(
            format!("{file} is a Git LFS pointer, not the file itself"),
            "run `git lfs pull`, and deploy again",
        )
    }

    /// Creates the fault for a file that is older than the published version.
    pub fn outdated(file: &str) -> Self {
        Self::permanent(
            format!(
                "/media/{file} on this machine is older than the version in content/media.json"
            ),
            "delete the file on this machine to keep the newer version; to publish the older version, rename the file",
        )
    }

    /// Creates the fault for a local file that cannot be read.
    pub fn cannot_read(file: impl Display, error: &std::io::Error) -> Self {
        Self::permanent(
            format!("{file} cannot be read: {error}"),
            "build again, and let no other program write to the output folder during the deploy",
        )
    }
}

impl From<Fault> for Diagnostic {
    fn from(fault: Fault) -> Self {
        Self::error(fault.message).help(fault.help)
    }
}
