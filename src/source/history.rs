//! When files were last changed, by the repository's history. That is the same on every machine, while a
//! file's own time is that of the checkout.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use sha1::{Digest as _, Sha1};
use sha2::{Digest as _, Sha256};

use super::disk::Disk;
use model::SitePath;
use programs::git;

/// Largest file that is compared with its last commit, in bytes: 16 MiB.
const LARGEST: u64 = 16 * 1024 * 1024;

/// The files of a folder that have not changed since their last commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    committed: HashMap<SitePath, Committed>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Committed {
    /// The time of the last commit that changed the file.
    at: Timestamp,
    /// When the file was written, as long as it is known to be the same as in that commit.
    written: Timestamp,
}

impl History {
    /// Asks git about a folder of a site. The history is empty if there is no git, no repository or no
    /// commit.
    pub fn of(root: &Path, folder: &str) -> Self {
        // A merge that changed a file itself counts as well (`-c`).
        let log = [
            "log", "-c", "--no-ext-diff", "--no-textconv", "--name-only", "--no-renames",
            "--relative", "--format=%x00%ct",
        ];
        let tree = ["ls-tree", "-r", "-z", "HEAD"];
        let (Some(log), Some(tree)) =
            (git::about(root, &log, folder), git::about(root, &tree, folder))
        else {
            return Self::default();
        };
        let tree: HashMap<&str, &str> = blobs(&tree).collect();
        let disk = Disk::new(root);
        let is_as_committed = |path: &SitePath| {
            let id = tree.get(path.as_str());
            let file = path.on_disk(root);
            let is_read = fs::symlink_metadata(&file)
                .is_ok_and(|facts| facts.is_file() && facts.len() <= LARGEST);
            let file = is_read.then(|| fs::read(&file).ok()).flatten();
            id.zip(file).is_some_and(|(id, file)| is_blob(&file, id))
        };
        let mut committed: HashMap<SitePath, Committed> = HashMap::new();
        let mut changed: HashSet<SitePath> = HashSet::new();
        for (name, at) in commits(&log) {
            let Some(path) = SitePath::parse(name) else {
                continue;
            };
            match committed.get_mut(&path) {
                // Times of commits need not rise along the history; the newest never falls.
                Some(known) => known.at = known.at.max(at),
                None if changed.contains(&path) => {}
                None => {
                    let written = disk.written(&path);
                    if is_as_committed(&path) {
                        committed.insert(path, Committed { at, written });
                    } else {
                        changed.insert(path);
                    }
                }
            }
        }
        Self { committed }
    }

    /// When a file was last changed: the time of its last commit if it is the same as in that, otherwise
    /// `written`, the time it was written.
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

/// The files of a tree with the ids of what is in them.
fn blobs(tree: &str) -> impl Iterator<Item = (&str, &str)> {
    tree.split_terminator('\0').filter_map(|entry| {
        let (about, name) = entry.split_once('\t')?;
        let (_, id) = about.split_once(" blob ")?;
        Some((name, id))
    })
}

/// Whether a file holds what git has under an id; other line endings do not count. git itself is not asked:
/// it would run programs that the site's own configuration names.
fn is_blob(file: &[u8], id: &str) -> bool {
    let is = |bytes: &[u8]| {
        let head = format!("blob {}\0", bytes.len());
        let hex = match id.len() {
            64 => hex(&Sha256::new().chain_update(head).chain_update(bytes).finalize()),
            _ => hex(&Sha1::new().chain_update(head).chain_update(bytes).finalize()),
        };
        hex == id
    };
    is(file) || (file.contains(&b'\r') && is(&without_returns(file)))
}

fn without_returns(file: &[u8]) -> Vec<u8> {
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

/// The files that change with the last commit of the repository that a site lies in, each with a name that stays
/// when the site is moved: `HEAD` and the branch it names, or the list of reference tables (git's reftable format),
/// in which both are. Some of them may not exist.
pub fn files_of_last_commit(root: &Path) -> Vec<(&'static str, PathBuf)> {
    let Ok(root) = root.canonicalize() else {
        return Vec::new();
    };
    let repository = root.ancestors().map(|folder| folder.join(".git"));
    let Some(own) = repository.into_iter().find_map(|git| repository_at(&git)) else {
        return Vec::new();
    };
    // A linked work tree has its own `HEAD` and shares the branches.
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

/// The folder of a repository: `.git` itself, or the folder that the file `.git` names.
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
