//! The times of the last changes to files, from the repository's history. Commit times are the same
//! on every machine, while the modification time of a file is the time of the checkout.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use sha1::{Digest as _, Sha1};
use sha2::{Digest as _, Sha256};

use super::disk::Disk;
use model::SitePath;
use programs::git;

/// Maximum size of a file that is compared with its last commit, in bytes: 16 MiB.
const MAX_COMPARED_SIZE: u64 = 16 * 1024 * 1024;

/// The files of a folder that have not changed since their last commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    committed: HashMap<SitePath, CommittedFile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct CommittedFile {
    /// The time of the last commit that changed the file.
    at: Timestamp,
    /// The modification time of the file when its content was the same as in that commit.
    written: Timestamp,
}

impl History {
    /// Reads the history of a site's folder from git. The history is empty if there is no git, no
    /// repository or no commit.
    pub fn of(root: &Path, folder: &str) -> Self {
        // `-c` includes the files that a merge commit itself changed.
        let log = [
            "log", "-c", "--no-ext-diff", "--no-textconv", "--name-only", "--no-renames",
            "--relative", "--format=%x00%ct",
        ];
        let tree = ["ls-tree", "-r", "-z", "HEAD"];
        let (Some(log), Some(tree)) =
            (git::scoped_output(root, &log, folder), git::scoped_output(root, &tree, folder))
        else {
            return Self::default();
        };
        let tree: HashMap<&str, &str> = blobs(&tree).collect();
        let disk = Disk::new(root);
        let is_as_committed = |path: &SitePath| {
            let id = tree.get(path.as_str());
            let file = path.on_disk(root);
            let is_read = fs::symlink_metadata(&file)
                .is_ok_and(|facts| facts.is_file() && facts.len() <= MAX_COMPARED_SIZE);
            let file = is_read.then(|| fs::read(&file).ok()).flatten();
            id.zip(file).is_some_and(|(id, file)| is_blob(&file, id))
        };
        let mut committed: HashMap<SitePath, CommittedFile> = HashMap::new();
        let mut changed: HashSet<SitePath> = HashSet::new();
        for (name, at) in commits(&log) {
            let Some(path) = SitePath::parse(name) else {
                continue;
            };
            match committed.get_mut(&path) {
                // Commit times can be out of order in the history, so the newest time of each file
                // is used.
                Some(known) => known.at = known.at.max(at),
                None if changed.contains(&path) => {}
                None => {
                    let written = disk.written(&path);
                    if is_as_committed(&path) {
                        committed.insert(path, CommittedFile { at, written });
                    } else {
                        changed.insert(path);
                    }
                }
            }
        }
        Self { committed }
    }

    /// Returns the time when a file was last changed. This is the time of its last commit if the
    /// file is the same as in that commit, and otherwise `written`, the time it was written.
    pub fn changed(&self, path: &SitePath, written: Timestamp) -> Timestamp {
        match self.committed.get(path) {
            Some(commit) if commit.written == written => commit.at,
            _ => written,
        }
    }
}

/// Returns the files of each commit, with the commit's time.
fn commits(log: &str) -> impl Iterator<Item = (&str, Timestamp)> {
    log.split('\0').flat_map(|commit| {
        let (time, names) = commit.split_once('\n').unwrap_or((commit, ""));
        let seconds = time.trim().parse().ok();
        let at = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
        let names = names.lines().filter(|name| !name.is_empty());
        names.filter_map(move |name| Some((name, at?)))
    })
}

/// Returns the files of a tree, with the ids of their blobs.
fn blobs(tree: &str) -> impl Iterator<Item = (&str, &str)> {
    tree.split_terminator('\0').filter_map(|entry| {
        let (about, name) = entry.split_once('\t')?;
        let (_, id) = about.split_once(" blob ")?;
        Some((name, id))
    })
}

/// Returns whether a file has the content of a git blob. Different line endings are ignored. git
/// itself is not run, because it would run programs that the site's own git configuration
/// specifies.
fn is_blob(file: &[u8], id: &str) -> bool {
    let is = |bytes: &[u8]| {
        let head = format!("blob {}\0", bytes.len());
        let hex = match id.len() {
            64 => hex(&Sha256::new().chain_update(head).chain_update(bytes).finalize()),
            _ => hex(&Sha1::new().chain_update(head).chain_update(bytes).finalize()),
        };
        hex == id
    };
    is(file) || (file.contains(&b'\r') && is(&strip_carriage_returns(file)))
}

fn strip_carriage_returns(file: &[u8]) -> Vec<u8> {
    let lines = file.split_inclusive(|byte| *byte == b'\n');
    lines
        .flat_map(|line| match line.strip_suffix(b"\r\n") {
            Some(line) => line.iter().chain(b"\n"),
            None => line.iter().chain(b""),
        })
        .copied()
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the files that change with each new commit in the repository of a site: `HEAD` and the
/// file of the current branch. In git's reftable format, a single file, the list of tables,
/// contains both. Each file is returned with a name that does not change when the site is moved.
/// Some of the files may not exist.
pub fn files_of_last_commit(root: &Path) -> Vec<(&'static str, PathBuf)> {
    let Ok(root) = root.canonicalize() else {
        return Vec::new();
    };
    let repository = root.ancestors().map(|folder| folder.join(".git"));
    let Some(own) = repository.into_iter().find_map(|git| repository_at(&git)) else {
        return Vec::new();
    };
    // A linked worktree has its own `HEAD` and shares the branches.
    let shared = fs::read_to_string(own.join("commondir"))
        .map_or_else(|_| own.clone(), |path| own.join(path.trim()));
    let head = fs::read_to_string(own.join("HEAD")).unwrap_or_default();
    let branch = head.trim().strip_prefix("ref: ");
    let mut files = vec![
        ("HEAD", own.join("HEAD")),
        ("packed refs", shared.join("packed-refs")),
        ("own tables", own.join("reftable/tables.list")),
        ("tables", shared.join("reftable/tables.list")),
    ];
    files.extend(branch.map(|branch| ("branch", shared.join(branch))));
    files
}

/// Returns the folder of a repository: `.git` itself, or the folder that a `.git` file points to.
fn repository_at(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git.to_path_buf());
    }
    let text = fs::read_to_string(git).ok()?;
    let path = text.trim().strip_prefix("gitdir: ")?;
    Some(git.parent()?.join(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_of_a_commit_has_its_time() {
        let log = "\u{0}1700000100\n\na/b.md\na/c.md\n\u{0}1700000000\n\u{0}soon\n\na/d.md\n";
        let found: Vec<_> = commits(log).map(|(name, at)| (name, at.as_second())).collect();
        assert_eq!(found, [("a/b.md", 1_700_000_100), ("a/c.md", 1_700_000_100)]);
    }
}
