//! Why something could not be done out there.

use std::fmt::Display;

use super::RECORD;
use model::Diagnostic;

/// Why something could not be done, with the remedy.
#[derive(Debug, Clone)]
pub struct Fault {
    message: String,
    help: String,
    /// Whether the same may work in a moment.
    pub may_pass: bool,
}

impl Fault {
    /// What has to be mended first.
    pub fn lasting(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), may_pass: false }
    }

    /// What may pass: a connection that broke, a server that is busy.
    pub fn passing(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { may_pass: true, ..Self::lasting(message, help) }
    }

    /// A file that is no longer the one that was looked at.
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

    /// A file that is not here, and not as it was there, where it has this length.
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

    /// A place that another site was published to.
    pub fn of_another_site(other: &str, own: &str) -> Self {
        Self::lasting(
            format!("the place holds another site, {other}, and its files would go"),
            format!(
                "name a place of its own; or if {other} is now {own}, run `feedwright deploy --take-over` once"
            ),
        )
    }

    /// A file that would lie in a place of its own.
    pub fn apart(file: &str, folder: &str) -> Self {
        Self::lasting(
            format!("{file} would lie in {folder} out there, which is a place of its own"),
            format!(
                "name another place; or if {folder} is none of its own any more, delete {folder}/{RECORD} there"
            ),
        )
    }

    /// A folder that cannot be both.
    pub fn overlaps_output(folder: &str) -> Self {
        Self::lasting(
            format!(
                "the site cannot be deployed to folder:{folder}: it is the folder that the site is built in, or one lies in the other"
            ),
            "name a folder outside of it",
        )
    }

    /// One place for the site and its media.
    pub fn same_place() -> Self {
        Self::lasting(
            "the site would go to the place of [deploy.media], and each would delete what the other put there",
            "name another place for the site, or leave [deploy.media] out",
        )
    }

    /// A file in place of which git has only its name.
    pub fn pointer(file: &str) -> Self {
        Self::lasting(
            format!("{file} is only a pointer of Git LFS, not the file itself"),
            "run `git lfs pull`, and deploy again",
        )
    }

    /// An older version of a file than the one that was published last.
    pub fn outdated(file: &str) -> Self {
        Self::lasting(
            format!(
                "this machine has an older version of /media/{file} than the one that content/media.json names"
            ),
            "delete it here, and the newer one stays; to publish it again, give it another name",
        )
    }

    /// A file of this machine that cannot be read.
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
