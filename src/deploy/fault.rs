//! Errors of a deploy.

use std::fmt::Display;

use super::RECORD;
use model::Diagnostic;

/// The reason why a step of a deploy failed, with its remedy.
#[derive(Debug, Clone)]
pub struct Fault {
    message: String,
    help: String,
    /// Whether a retry may succeed soon.
    pub may_pass: bool,
}

impl Fault {
    /// Creates a fault that the author must fix before a retry.
    pub fn lasting(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), may_pass: false }
    }

    /// Creates a temporary fault, such as a broken connection or a busy server.
    pub fn passing(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { may_pass: true, ..Self::lasting(message, help) }
    }

    /// A file that changed after it was read.
    pub fn changed(file: &str) -> Self {
        Self::lasting(
            format!("{file} changed while it was sent"),
            "deploy again when no build is running",
        )
    }

    /// A file of the site that cannot be written.
    pub fn unwritten(file: &str, error: &std::io::Error) -> Self {
        Self::lasting(
            format!("{file} cannot be written: {error}"),
            "what was sent is there; check the rights and the room on the disk, and deploy again",
        )
    }

    /// A media file that is missing on this machine and at the destination. `found` is the length
    /// of another version at the destination.
    pub fn not_stored(file: &str, found: Option<u64>) -> Self {
        let there = match found {
            Some(length) => {
                format!("the place of media has another version of it, of {length} bytes")
            }
            None => "it is not in the place of media".to_owned(),
        };
        Self::lasting(
            format!(
                "/media/{file} stands in content/media.json and is not on this machine, and {there}"
            ),
            "put the file back and deploy from here, or delete its line in content/media.json with what names it",
        )
    }

    /// A destination that contains another site.
    pub fn of_another_site(other: &str, own: &str) -> Self {
        Self::lasting(
            format!("the place holds another site, {other}, and its files would go"),
            format!(
                "name a place of its own; or if {other} is now {own}, run `feedwright deploy --take-over` once"
            ),
        )
    }

    /// A file that would be uploaded into a folder that is a separate destination.
    pub fn apart(file: &str, folder: &str) -> Self {
        Self::lasting(
            format!("{file} would lie in {folder} out there, which is a place of its own"),
            format!(
                "name another place; or if {folder} is none of its own any more, delete {folder}/{RECORD} there"
            ),
        )
    }

    /// A folder that overlaps the output folder.
    pub fn overlaps_output(folder: &str) -> Self {
        Self::lasting(
            format!(
                "the site cannot be deployed to folder:{folder}: it is the folder that the site is built in, or one lies in the other"
            ),
            "name a folder outside of it",
        )
    }

    /// The site and its media have the same destination.
    pub fn same_place() -> Self {
        Self::lasting(
            "the site would go to the place of [deploy.media], and each would delete what the other put there",
            "name another place for the site, or leave [deploy.media] out",
        )
    }

    /// A Git LFS pointer in place of the file itself.
    pub fn pointer(file: &str) -> Self {
        Self::lasting(
            format!("{file} is only a pointer of Git LFS, not the file itself"),
            "run `git lfs pull`, and deploy again",
        )
    }

    /// An older version of a file than the last published one.
    pub fn outdated(file: &str) -> Self {
        Self::lasting(
            format!(
                "this machine has an older version of /media/{file} than the one that content/media.json names"
            ),
            "delete it here, and the newer one stays; to publish it again, give it another name",
        )
    }

    /// A file on this machine that cannot be read.
    pub fn unread(file: impl Display, error: &std::io::Error) -> Self {
        Self::lasting(
            format!("{file} cannot be read: {error}"),
            "build again; nobody may write into the output folder meanwhile",
        )
    }
}

impl From<Fault> for Diagnostic {
    fn from(fault: Fault) -> Self {
        Self::error(fault.message).help(fault.help)
    }
}
