//! Reads from a git repository that may be untrusted: its configuration can specify programs to
//! run.
//!
//! Therefore this module runs no git command that reads the work tree, because such a command could
//! run filters, monitors and hooks. Git does not fetch objects that are missing from a partial
//! clone, and runs no external diff program. It never prompts, and it changes nothing.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use model::SitePath;

/// A file in a commit.
pub struct Blob {
    /// The file's path, relative to the site's root.
    pub path: SitePath,
    /// The file's length in bytes.
    pub length: u64,
    id: String,
}

/// Returns the output of a git command that is limited to `folder`. Returns `None` if git fails or
/// its output is not UTF-8.
pub fn scoped_output(root: &Path, arguments: &[&str], folder: &str) -> Option<String> {
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--", folder]).collect();
    output(root, &arguments)
}

/// Returns the id of the commit that a revision refers to. A revision is a branch, a tag or an
/// expression such as `HEAD~3`.
pub fn commit(root: &Path, revision: &str) -> Option<String> {
    let named = format!("{revision}^{{commit}}");
    let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &named];
    let commit = output(root, &arguments)?.trim().to_owned();
    (!commit.is_empty() && commit.bytes().all(|b| b.is_ascii_hexdigit())).then_some(commit)
}

/// Lists the files of the site's folder in a commit. Skips symlinks, and paths that are not valid
/// in a site.
pub fn blobs(root: &Path, commit: &str) -> Option<Vec<Blob>> {
    let tree = output(root, &["ls-tree", "-r", "-l", "-z", commit])?;
    let blob = |line: &str| {
        let (facts, path) = line.split_once('\t')?;
        let mut facts = facts.split_ascii_whitespace();
        let (mode, kind, id, length) = (facts.next()?, facts.next()?, facts.next()?, facts.next()?);
        let is_file = kind == "blob" && mode != "120000";
        Some(Blob {
            path: SitePath::parse(path).filter(|_| is_file)?,
            length: length.parse().ok()?,
            id: id.to_owned(),
        })
    };
    Some(tree.split('\0').filter_map(blob).collect())
}

/// Lists the paths of the files in `folders` at a revision. Each path ends with a NUL.
pub fn names(root: &Path, revision: &str, folders: &[&str]) -> Option<String> {
    let input = ["ls-tree", "-r", "-z", "--name-only", revision, "--"];
    output(root, &[&input, folders].concat())
}

/// Passes the path and the bytes of each file to `keep`.
pub fn contents(
    root: &Path,
    blobs: &[Blob],
    mut keep: impl FnMut(&SitePath, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut git = command(root, &["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut input), Some(reader)) = (git.stdin.take(), git.stdout.take()) else {
        return Err(io::Error::other("git was started without pipes"));
    };
    let ids: String = blobs.iter().map(|blob| format!("{}\n", blob.id)).collect();
    // Git writes output while it still reads input, so a separate thread writes the ids.
    let asking = thread::spawn(move || input.write_all(ids.as_bytes()));
    let mut reader = BufReader::new(reader);
    for blob in blobs {
        let mut head = String::new();
        reader.read_line(&mut head)?;
        let length: Option<u64> = head.trim().rsplit(' ').next().and_then(|text| text.parse().ok());
        if length != Some(blob.length) {
            let _ = git.kill();
            let _ = git.wait();
            return Err(io::Error::other(format!(
                "git does not have the content of {}",
                blob.path
            )));
        }
        let mut bytes = Vec::new();
        reader.by_ref().take(blob.length).read_to_end(&mut bytes)?;
        reader.read_exact(&mut [0])?;
        keep(&blob.path, &bytes)?;
    }
    drop(reader);
    let _ = asking.join();
    git.wait().map(|_| ())
}

pub(super) fn output(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = command(root, arguments).stdin(Stdio::null()).output();
    let output = output.ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

pub(super) fn command(root: &Path, arguments: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.arg("-C")
        .arg(root)
        .args(["--no-optional-locks", "--no-pager"])
        .args(["-c", "core.quotePath=false", "-c", "core.fsmonitor=false"])
        .args(["-c", "log.showSignature=false"])
        .args(["-c", "core.hooksPath=/dev/null"])
        .args(arguments)
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stderr(Stdio::null());
    git
}
