//! The record of the last deploy from this machine, in `.feedwright/last-deploy.json`. A show with its
//! own address has its own record. The editor shows it, and compares the files with the deployed
//! commit.

use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Options;
use model::ContentFolder;

/// The last deploy to the destination in `site.toml` or `show.toml`.
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

    /// Reads the record of the site or show. Returns None if it is missing or damaged.
    pub fn read(options: &Options) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(file(options)).ok()?).ok()
    }

    /// Writes the record after the deploy of the site or show.
    pub fn write(&self, options: &Options) -> io::Result<()> {
        local::local_folder(&options.root)?;
        edit::keep(&file(options), &serde_json::to_vec(self)?)
    }
}

fn file(options: &Options) -> PathBuf {
    let show = options.show.as_ref().and_then(ContentFolder::show);
    let name = show.map_or_else(String::new, |name| format!("-{name}"));
    options.root.join(format!(".feedwright/last-deploy{name}.json"))
}
