//! When files were last changed, as the repository's history tells it: the same on every machine that
//! has the history, where a file's own time is that of the checkout.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::{Command, Stdio};

use jiff::Timestamp;

use super::disk::Disk;
use crate::model::SitePath;

/// The files of a folder that are as their last commit left them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    committed: HashMap<SitePath, Committed>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Committed {
    /// The time of the last commit that changed the file.
    at: Timestamp,
    /// When the file was written, while it was known to be as that commit left it.
    written: Timestamp,
}

impl History {
    /// Asks git about a folder of a site. Nothing is known where there is no git, no repository or no
    /// commit.
    pub fn of(root: &Path, folder: &str) -> Self {
        // A merge that changed a file itself counts as well (`-c`).
        let log = [
            "log",
            "-c",
            "--name-only",
            "--no-renames",
            "--relative",
            "--format=%x00%ct",
        ];
        let changed = ["diff", "--name-only", "--no-renames", "--relative", "HEAD"];
        let (Some(log), Some(changed)) = (git(root, &log, folder), git(root, &changed, folder))
        else {
            return Self::default();
        };
        let changed: HashSet<&str> = changed.lines().collect();
        let disk = Disk::new(root);
        let mut committed: HashMap<SitePath, Committed> = HashMap::new();
        for (name, at) in commits(&log).filter(|(name, _)| !changed.contains(name)) {
            let Some(path) = SitePath::parse(name) else {
                continue;
            };
            match committed.get_mut(&path) {
                // Times of commits need not rise along the history; the newest never falls.
                Some(known) => known.at = known.at.max(at),
                None => {
                    let written = disk.written(&path);
                    committed.insert(path, Committed { at, written });
                }
            }
        }
        Self { committed }
    }

    /// When a file was last changed that was written at this time: by its last commit while it is as
    /// that left it, else when it was written.
    pub fn changed(&self, path: &SitePath, written: Timestamp) -> Timestamp {
        match self.committed.get(path) {
            Some(commit) if commit.written == written => commit.at,
            _ => written,
        }
    }
}

/// The files of each commit with the commit's time.
fn commits(log: &str) -> impl Iterator<Item = (&str, Timestamp)> {
    log.split('\0').flat_map(|commit| {
        let (time, names) = commit.split_once('\n').unwrap_or((commit, ""));
        let seconds = time.trim().parse().ok();
        let at = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
        let names = names.lines().filter(|name| !name.is_empty());
        names.filter_map(move |name| Some((name, at?)))
    })
}

/// What git prints, which neither waits for anyone nor changes anything. None where it fails.
fn git(root: &Path, arguments: &[&str], folder: &str) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["--no-optional-locks", "--no-pager"])
        .args(["-c", "core.quotePath=false", "-c", "core.fsmonitor=false"])
        .args(["-c", "log.showSignature=false"])
        .args(arguments)
        .args(["--", folder])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let output = output.ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_of_a_commit_has_its_time() {
        let log = "\u{0}1700000100\n\na/b.md\na/c.md\n\u{0}1700000000\n\u{0}soon\n\na/d.md\n";
        let found: Vec<_> = commits(log)
            .map(|(name, at)| (name, at.as_second()))
            .collect();
        assert_eq!(
            found,
            [("a/b.md", 1_700_000_100), ("a/c.md", 1_700_000_100)]
        );
    }
}
