//! The changes that a commit would contain, and the commit.
//!
//! The editor shows git's diff of each file between the last commit and the disk. The diff includes
//! the full ids of both versions. A commit contains only the selected files, and fails if a diff is
//! no longer the same as shown. Changes that the author has staged in other files stay staged.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::PublishError;
use super::git::{Git, READ_TIMEOUT, WRITE_TIMEOUT};
use super::tasks::StopFlag;
use local::local_folder;
use site::Snapshot;
use state::random_id;

/// Maximum length of a diff that is shown, in bytes.
const MAX_DIFF_SHOWN: usize = 40_000;

/// Maximum length of a commit message, in characters.
const MAX_MESSAGE_LENGTH: usize = 10_000;

/// A file that differs from a commit.
#[derive(Debug, Clone, Serialize)]
pub struct Change {
    /// The path, from the site's root.
    pub path: String,
    pub kind: &'static str,
    diff: String,
    is_cut: bool,
    /// A hash of the diff, which detects later changes.
    pub version: String,
    /// Whether git does not track the file yet.
    #[serde(skip)]
    is_new: bool,
    /// Whether the file is part of a site or tracked by git. Such files are selected by default.
    pub is_content: bool,
    title: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Changes {
    pub files: Vec<Change>,
    /// The number of changed files that are left out of `files`: files whose names are not UTF-8,
    /// and nested repositories.
    pub left_out: usize,
}

/// A requested commit. For each file, it contains the version that the editor showed.
#[derive(Debug, Deserialize)]
pub struct PublishRequest {
    pub message: String,
    pub files: Vec<ChosenFile>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ChosenFile {
    pub path: String,
    pub version: String,
}

impl From<&Change> for ChosenFile {
    fn from(change: &Change) -> Self {
        Self { path: change.path.clone(), version: change.version.clone() }
    }
}

/// Compares the site's folder with the last commit.
pub fn changes(git: &Git, snapshot: &Snapshot) -> Result<Changes, PublishError> {
    changes_since(git, &base(git)?, snapshot)
}

/// Compares the site's folder with a commit.
pub fn changes_since(git: &Git, base: &str, snapshot: &Snapshot) -> Result<Changes, PublishError> {
    let in_conflict = git.query(&["ls-files", "-u", "-z", "--", "."])?.bytes()?;
    if !in_conflict.is_empty() {
        let words = "a merge has conflicts: resolve them first";
        return Err(PublishError::new(words).command("git status"));
    }
    let others = ["ls-files", "--others", "--exclude-standard", "-z", "--", "."];
    let (new, left_out) = names(&git.query(&others)?.bytes()?);
    let index = Index::with(git, &new)?;
    let said = differences(&git.with_index(&index.0), base, None)?;
    let titles = titles(snapshot);
    let mut files = Vec::new();
    let mut unnamed = 0;
    for (status, path, patch) in parse(&said)? {
        let Ok(path) = String::from_utf8(path.to_vec()) else {
            unnamed += 1;
            continue;
        };
        if path.starts_with(".feedwright/") {
            continue;
        }
        let is_new = new.contains(&path);
        files.push(Change {
            kind: match status {
                b'A' => "added",
                b'D' => "deleted",
                _ => "edited",
            },
            version: version(patch),
            diff: changed_lines(patch),
            is_cut: patch.len() > MAX_DIFF_SHOWN,
            is_content: !is_new || is_part_of_a_site(&path),
            title: titles.get(path.as_str()).map(|title| (*title).to_owned()),
            is_new,
            path,
        });
    }
    Ok(Changes { files, left_out: left_out + unnamed })
}

/// Returns the last commit, or the id of the empty tree before the first commit.
fn base(git: &Git) -> Result<String, PublishError> {
    let head = git.query(&["rev-parse", "--verify", "--quiet", "HEAD"])?.line();
    match head {
        Some(head) => Ok(head),
        None => {
            let nothing = git.query(&["hash-object", "-t", "tree", "--stdin"])?;
            Ok(nothing.text()?.trim().to_owned())
        }
    }
}

/// The arguments of a diff that does not depend on the author's configuration. The diff contains
/// the full ids of both sides. The diff of a file larger than 1 MiB is a single line.
const DIFF: &str = "-c core.bigFileThreshold=1m -c diff.autoRefreshIndex=true -c diff.noprefix=false -c diff.mnemonicPrefix=false \
diff --raw --patch -z --relative --full-index --abbrev=64 --no-renames --no-color --no-ext-diff --no-textconv \
--ignore-submodules=all --unified=3 --inter-hunk-context=0 --diff-algorithm=histogram";

/// Returns git's diff of the site's folder, from `base` to the commit `to`, or to the disk if `to`
/// is None.
fn differences(git: &Git, base: &str, to: Option<&str>) -> Result<Vec<u8>, PublishError> {
    let mut arguments: Vec<&str> = DIFF.split(' ').collect();
    arguments.push(base);
    arguments.extend(to);
    arguments.extend(["--", "."]);
    git.query(&arguments)?.bytes()
}

/// Commits the requested files and returns the new revision. If the commit fails, or is stopped
/// before it is made, nothing changes.
pub fn commit(
    git: &Git,
    stop: &StopFlag,
    publish_request: &PublishRequest,
    seen: &[Change],
) -> Result<Value, PublishError> {
    let chosen = find_requested(publish_request, seen)?;
    let all = list(chosen.iter().map(|file| &file.path));
    let new = list(chosen.iter().filter(|file| file.is_new).map(|file| &file.path));
    let from_input = ["--pathspec-from-file=-", "--pathspec-file-nul"];
    if !new.is_empty() {
        git.run(&[&["add", "--intent-to-add"][..], &from_input].concat(), &new, READ_TIMEOUT)?
            .text()?;
    }
    let base = base(git)?;
    let message = format!("--message={}", publish_request.message.trim());
    let arguments = ["commit", "--quiet", "--only", "--cleanup=whitespace", &message];
    let arguments = [&arguments[..], &from_input].concat();
    let said = git.with_stop(stop).run(&arguments, &all, WRITE_TIMEOUT);
    let words = match said {
        Ok(said) if said.is_ok => said.words,
        // If a commit is stopped while its last hook is running, the commit already exists.
        Err(trouble) if self::base(git)? != base => trouble.message,
        failed => {
            if !new.is_empty() {
                // Restores the previous state, in which git did not track these files.
                let _ =
                    git.run(&[&["reset", "--quiet"][..], &from_input].concat(), &new, READ_TIMEOUT);
            }
            return Err(commit_error(&failed?.words));
        }
    };
    let revision = git.query(&["rev-parse", "HEAD"])?.text()?.trim().to_owned();
    let altered_files = altered_files(git, &base, &chosen).unwrap_or_default();
    Ok(
        json!({ "revision": revision, "files": chosen.len(), "otherwise": altered_files, "said": words }),
    )
}

/// Commits a new file that can be outside the site's folder. Does nothing if git tracks the file.
pub fn commit_file(
    git: &Git,
    stop: &StopFlag,
    file: &Path,
    message: &str,
) -> Result<Value, PublishError> {
    let path = file.to_str().ok_or_else(|| PublishError::new("a path is not UTF-8 text"))?;
    if !git.query(&["ls-files", "-z", "--", path])?.bytes()?.is_empty() {
        return Ok(Value::Null);
    }
    git.run(&["add", "--intent-to-add", "--", path], b"", READ_TIMEOUT)?.text()?;
    let message = format!("--message={message}");
    let commit = ["commit", "--quiet", "--only", &message, "--", path];
    match git.with_stop(stop).run(&commit, b"", WRITE_TIMEOUT) {
        Ok(said) if said.is_ok => Ok(Value::Null),
        failed => {
            let _ = git.run(&["reset", "--quiet", "--", path], b"", READ_TIMEOUT);
            Err(commit_error(&failed?.words))
        }
    }
}

/// Returns the committed files whose content differs from the version shown. A hook can change a
/// file, and the author can save a file during the commit.
fn altered_files(git: &Git, base: &str, chosen: &[&Change]) -> Result<Vec<String>, PublishError> {
    let said = differences(git, base, Some("HEAD"))?;
    let is_as_shown = |path: &[u8], patch: &[u8]| {
        let version = version(patch);
        chosen.iter().any(|file| file.path.as_bytes() == path && file.version == version)
    };
    let others = parse(&said)?.into_iter().filter(|(_, path, patch)| !is_as_shown(path, patch));
    Ok(others.map(|(_, path, _)| String::from_utf8_lossy(path).into_owned()).collect())
}

fn version(patch: &[u8]) -> String {
    format!("{:016x}", xxh3_64(patch))
}

/// Returns the requested files. Returns an error if a file has changed since it was shown, or if
/// the message is not valid.
pub fn find_requested<'c>(
    publish_request: &PublishRequest,
    seen: &'c [Change],
) -> Result<Vec<&'c Change>, PublishError> {
    let message = publish_request.message.trim();
    if message.is_empty() {
        return Err(PublishError::new(
            "the commit message is missing: write what changed, and why",
        ));
    }
    if message.contains('\0') || message.chars().count() > MAX_MESSAGE_LENGTH {
        return Err(PublishError::new(format!(
            "the commit message must be text of at most {MAX_MESSAGE_LENGTH} characters"
        )));
    }
    if publish_request.files.is_empty() {
        return Err(PublishError::new("no file is selected: choose at least one to commit"));
    }
    let mut chosen = Vec::new();
    for file in &publish_request.files {
        let found =
            seen.iter().find(|change| change.path == file.path && change.version == file.version);
        chosen.push(found.ok_or_else(|| {
            PublishError::new(format!(
                "{} has changed since it was shown: review it again",
                file.path
            ))
        })?);
    }
    Ok(chosen)
}

fn commit_error(words: &str) -> PublishError {
    let has = |part: &str| words.contains(part);
    let trouble = if has("Please tell me who you are") || has("unable to auto-detect email") {
        PublishError::new("your name and email are not set in git: set them")
            .command("git config --global user.name \"Your name\"\ngit config --global user.email you@example.com")
    } else if has("index.lock") {
        PublishError::new(
            "another git process is using this repository: try again when it has finished",
        )
    } else if has("gpg") || has("signing") {
        PublishError::new("the commit could not be signed here: commit in a terminal")
            .command("git commit")
    } else {
        PublishError::new("nothing was committed: git or a hook rejected the commit")
    };
    trouble.said(words)
}

/// A copy of the author's index that lists the new files without their content. Git then includes
/// these files in its diff.
struct Index(PathBuf);

impl Index {
    fn with(git: &Git, new: &[String]) -> Result<Self, PublishError> {
        let copy_error = |error: &dyn Display| {
            PublishError::new(format!("git's index cannot be copied: {error}"))
        };
        let own = git.query(&["rev-parse", "--git-path", "index"])?.text()?;
        let own = git.root().join(own.strip_suffix('\n').unwrap_or(&own));
        let folder = local_folder(git.root()).map_err(|error| copy_error(&error))?;
        let id = random_id().map_err(|error| copy_error(&error))?;
        let index = Self(folder.join(format!("publish-index-{id}")));
        match fs::metadata(&own) {
            Ok(known) => {
                fs::copy(&own, &index.0).map_err(|error| copy_error(&error))?;
                // The copy keeps the index's modification time. Git uses this time to find files
                // that were saved later and must be read again.
                let copy = File::options().write(true).open(&index.0);
                copy.and_then(|copy| copy.set_modified(known.modified()?))
                    .map_err(|error| copy_error(&error))?;
            }
            // There is no index before the first file is added.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(copy_error(&error)),
        }
        if !new.is_empty() {
            let from_input =
                ["add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"];
            git.with_index(&index.0).query_with_input(&from_input, &list(new))?.text()?;
        }
        Ok(index)
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns paths in the format that git reads: each path is followed by a null byte.
fn list<P: AsRef<str>>(paths: impl IntoIterator<Item = P>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for path in paths {
        bytes.extend_from_slice(path.as_ref().as_bytes());
        bytes.push(0);
    }
    bytes
}

/// Parses git's list of paths. Also returns the number of paths that were left out.
fn names(output: &[u8]) -> (Vec<String>, usize) {
    let all: Vec<&[u8]> = output.split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
    let names: Vec<String> = all
        .iter()
        .filter_map(|name| String::from_utf8(name.to_vec()).ok())
        // A path with a trailing slash is a nested repository.
        .filter(|name| !name.ends_with('/'))
        .collect();
    let left_out = all.len() - names.len();
    let own = |name: &String| !name.starts_with(".feedwright/");
    (names.into_iter().filter(own).collect(), left_out)
}

/// A file's status, path and patch.
type Part<'s> = (u8, &'s [u8], &'s [u8]);

/// Parses the output of `diff --raw --patch -z`.
fn parse(said: &[u8]) -> Result<Vec<Part<'_>>, PublishError> {
    parts(said).ok_or_else(|| PublishError::new("the output of git diff cannot be parsed"))
}

fn parts(said: &[u8]) -> Option<Vec<Part<'_>>> {
    let mut rest = said;
    let mut raw: Vec<(u8, &[u8])> = Vec::new();
    while rest.first() == Some(&b':') {
        let mut parts = rest.splitn(3, |byte| *byte == 0);
        let (facts, path) = (parts.next()?, parts.next()?);
        raw.push((*facts.rsplit(|byte| *byte == b' ').next()?.first()?, path));
        rest = parts.next()?;
    }
    // A null byte separates the raw part from the patches.
    let rest = rest.strip_prefix(&[0]).unwrap_or(rest);
    let mut patches = patches(rest).into_iter();
    let mut files = Vec::new();
    for (status, path) in raw {
        let mut patch = patches.next()?;
        // A file that became a symlink has two patches: a deletion and an addition.
        if status == b'T' {
            let next = patches.next()?;
            let start = patch.as_ptr() as usize - rest.as_ptr() as usize;
            patch = &rest[start..start + patch.len() + next.len()];
        }
        files.push((status, path, patch));
    }
    patches.next().is_none().then_some(files)
}

/// Splits the output into one patch for each file. No line of a file's content looks like the first
/// line of a patch, because each content line starts with `+`, `-` or a space.
fn patches(all: &[u8]) -> Vec<&[u8]> {
    const HEAD: &[u8] = b"diff --git ";
    let starts = (0..all.len())
        .filter(|at| (*at == 0 || all[at - 1] == b'\n') && all[*at..].starts_with(HEAD));
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().skip(1).copied().chain([all.len()]);
    starts.iter().zip(ends).map(|(start, end)| &all[*start..end]).collect()
}

/// Returns the lines of a patch without the header lines that only programs need.
fn changed_lines(patch: &[u8]) -> String {
    let text = String::from_utf8_lossy(&patch[..patch.len().min(MAX_DIFF_SHOWN)]);
    let is_for_programs = |line: &str| {
        ["diff --git ", "index ", "--- ", "+++ "].iter().any(|start| line.starts_with(start))
    };
    let mut lines = Vec::new();
    let mut is_head = true;
    for line in text.split('\n') {
        is_head = (is_head || line.starts_with("diff --git ")) && !line.starts_with("@@");
        if !(is_head && is_for_programs(line)) {
            lines.push(line);
        }
    }
    lines.join("\n").trim_end_matches('\n').to_owned()
}

pub fn is_part_of_a_site(path: &str) -> bool {
    matches!(path, "site.toml" | ".gitignore" | ".gitlab-ci.yml")
        || ["content/", "shows/", "site-files/", "themes/", ".github/", ".forgejo/"]
            .iter()
            .any(|folder| path.starts_with(folder))
}

/// Returns the titles of items and pages by file path.
fn titles(snapshot: &Snapshot) -> HashMap<&str, &str> {
    let items = snapshot
        .entries
        .iter()
        .map(|entry| (entry.item.source.as_str(), entry.item.title.as_str()));
    let pages = snapshot.pages.iter().filter_map(|entry| {
        Some((entry.page.source.as_ref()?.as_str(), entry.page.title.as_str()))
    });
    items.chain(pages).filter(|(_, title)| !title.is_empty()).collect()
}
