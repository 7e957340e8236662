//! The record of the last deploy from this machine, in `.feedwright/last-deploy.json`. The editor
//! shows it, and compares the files with the deployed commit.

use std::io;
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

const FILE: &str = ".feedwright/last-deploy.json";

/// The last deploy to the destination in `site.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastDeploy {
    /// The time at which the deploy began.
    pub time: Timestamp,
    /// The address of the destination.
    pub to: String,
    /// The commit that was checked out, or None if the site is in no repository.
    pub revision: Option<String>,
}

impl LastDeploy {
    /// Returns the record of a deploy that begins now.
    pub fn begin(root: &Path, to: String) -> Self {
        Self { time: Timestamp::now(), to, revision: programs::git::commit(root, "HEAD") }
    }

    /// Reads the record. Returns None if it is missing or damaged.
    pub fn read(root: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(root.join(FILE)).ok()?).ok()
    }

    /// Writes the record after the deploy.
    pub fn write(&self, root: &Path) -> io::Result<()> {
        local::local_folder(root)?;
        edit::keep(&root.join(FILE), &serde_json::to_vec(self)?)
    }
}
