//! What a commit would hold, and the commit.
//!
//! What is shown of a file is git's own diff between the last commit and the disk, with the whole ids of both texts. A
//! commit is made of those files whose diff is still that one, and of no other: what the author has staged elsewhere stays
//! as it is.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::Trouble;
use super::deeds::Stop;
use super::git::{Git, LOOK, WORK};
use local::local_folder;
use site::Snapshot;
use state::random_id;

/// Most characters of a diff that are shown.
const SHOWN: usize = 40_000;

/// Most characters of a message.
const LONGEST: usize = 10_000;

/// A file that differs from the last commit.
#[derive(Debug, Clone, Serialize)]
pub struct Change {
    /// From the site's root.
    pub path: String,
    kind: &'static str,
    diff: String,
    is_cut: bool,
    /// Tells what was shown from what is there later.
    pub version: String,
    /// Whether git does not know the file yet.
    #[serde(skip)]
    is_new: bool,
    /// Whether it is a part of a site, or already git's: such a file is chosen at first.
    is_content: bool,
    title: Option<String>,
}

pub struct Changes {
    pub files: Vec<Change>,
    /// How many files cannot be shown here: names that are no text, and repositories in this one.
    pub left_out: usize,
}

/// What a page asks to be committed: for each file, the version that it has shown.
#[derive(Debug, Deserialize)]
pub struct Wish {
    pub message: String,
    pub files: Vec<Chosen>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Chosen {
    pub path: String,
    pub version: String,
}

/// Compares the site's folder with the last commit.
pub fn changes(git: &Git, snapshot: &Snapshot) -> Result<Changes, Trouble> {
    let in_conflict = git.ask(&["ls-files", "-u", "-z", "--", "."])?.bytes()?;
    if !in_conflict.is_empty() {
        let words = "a merge left files in conflict: mend them first";
        return Err(Trouble::new(words).command("git status"));
    }
    let others = ["ls-files", "--others", "--exclude-standard", "-z", "--", "."];
    let (new, left_out) = names(&git.ask(&others)?.bytes()?);
    let index = Index::with(git, &new)?;
    let said = differences(&git.with_index(&index.0), &base(git)?, None)?;
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
            diff: shown(patch),
            is_cut: patch.len() > SHOWN,
            is_content: !is_new || is_part_of_a_site(&path),
            title: titles.get(path.as_str()).map(|title| (*title).to_owned()),
            is_new,
            path,
        });
    }
    Ok(Changes { files, left_out: left_out + unnamed })
}

/// The last commit. Before the first one there is nothing.
fn base(git: &Git) -> Result<String, Trouble> {
    let head = git.ask(&["rev-parse", "--verify", "--quiet", "HEAD"])?.line();
    match head {
        Some(head) => Ok(head),
        None => {
            let nothing = git.ask(&["hash-object", "-t", "tree", "--stdin"])?;
            Ok(nothing.text()?.trim().to_owned())
        }
    }
}

/// Whatever the author has set: the same text for the same difference, with the whole ids of both sides. What is larger
/// than a text is told in a line.
const DIFF: &str = "-c core.bigFileThreshold=1m -c diff.autoRefreshIndex=true -c diff.noprefix=false -c diff.mnemonicPrefix=false \
diff --raw --patch -z --relative --full-index --abbrev=64 --no-renames --no-color --no-ext-diff --no-textconv \
--ignore-submodules=all --unified=3 --inter-hunk-context=0 --diff-algorithm=histogram";

/// What git says of the site's folder: how a commit, or what is on the disk, differs from another one.
fn differences(git: &Git, base: &str, to: Option<&str>) -> Result<Vec<u8>, Trouble> {
    let mut arguments: Vec<&str> = DIFF.split(' ').collect();
    arguments.push(base);
    arguments.extend(to);
    arguments.extend(["--", "."]);
    git.ask(&arguments)?.bytes()
}

/// Commits what is wished for, and answers the new revision. Where it fails, or is stopped before, nothing is changed.
pub fn commit(git: &Git, stop: &Stop, wish: &Wish, seen: &[Change]) -> Result<Value, Trouble> {
    let chosen = checked(wish, seen)?;
    let all = list(chosen.iter().map(|file| &file.path));
    let new = list(chosen.iter().filter(|file| file.is_new).map(|file| &file.path));
    let from_input = ["--pathspec-from-file=-", "--pathspec-file-nul"];
    if !new.is_empty() {
        git.run(&[&["add", "--intent-to-add"][..], &from_input].concat(), &new, LOOK)?.text()?;
    }
    let base = base(git)?;
    let message = format!("--message={}", wish.message.trim());
    let arguments = ["commit", "--quiet", "--only", "--cleanup=whitespace", &message];
    let arguments = [&arguments[..], &from_input].concat();
    let said = git.until(stop).run(&arguments, &all, WORK);
    let words = match said {
        Ok(said) if said.is_ok => said.words,
        // One that was stopped may be made: its last hook hangs.
        Err(trouble) if self::base(git)? != base => trouble.message,
        failed => {
            if !new.is_empty() {
                // As it was: git did not know them.
                let _ = git.run(&[&["reset", "--quiet"][..], &from_input].concat(), &new, LOOK);
            }
            return Err(refused(&failed?.words));
        }
    };
    let revision = git.ask(&["rev-parse", "HEAD"])?.text()?.trim().to_owned();
    let otherwise = otherwise(git, &base, &chosen).unwrap_or_default();
    Ok(
        json!({ "revision": revision, "files": chosen.len(), "otherwise": otherwise, "said": words }),
    )
}

/// The files of the commit that are not as they were shown: a hook may change them, and so may who saves at that moment.
fn otherwise(git: &Git, base: &str, chosen: &[&Change]) -> Result<Vec<String>, Trouble> {
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

/// The files that are wished for. Err if one is no longer what was shown.
pub fn checked<'c>(wish: &Wish, seen: &'c [Change]) -> Result<Vec<&'c Change>, Trouble> {
    let message = wish.message.trim();
    if message.is_empty() {
        return Err(Trouble::new("write a message: it says what changed, and why"));
    }
    if message.contains('\0') || message.chars().count() > LONGEST {
        return Err(Trouble::new(format!(
            "the message has to be text of at most {LONGEST} characters"
        )));
    }
    if wish.files.is_empty() {
        return Err(Trouble::new("choose a file: there is nothing to commit"));
    }
    let mut chosen = Vec::new();
    for file in &wish.files {
        let found =
            seen.iter().find(|change| change.path == file.path && change.version == file.version);
        chosen.push(found.ok_or_else(|| {
            Trouble::new(format!(
                "{} is not what was shown: it was changed meanwhile; look at it again",
                file.path
            ))
        })?);
    }
    Ok(chosen)
}

fn refused(words: &str) -> Trouble {
    let has = |part: &str| words.contains(part);
    let trouble = if has("Please tell me who you are") || has("unable to auto-detect email") {
        Trouble::new("git does not know who you are")
            .command("git config --global user.name \"Your name\"\ngit config --global user.email you@example.com")
    } else if has("index.lock") {
        Trouble::new("another git is at work in this repository: try again when it has ended")
    } else if has("gpg") || has("signing") {
        Trouble::new("the commit could not be signed from here: commit in a terminal")
            .command("git commit")
    } else {
        Trouble::new("nothing was committed: git, or a hook of this repository, refused")
    };
    trouble.said(words)
}

/// A copy of the author's index that knows of the new files, though not of what is in them: so git compares them, too.
struct Index(PathBuf);

impl Index {
    fn with(git: &Git, new: &[String]) -> Result<Self, Trouble> {
        let lost = |error: &dyn Display| {
            Trouble::new(format!("the index of git cannot be copied: {error}"))
        };
        let own = git.ask(&["rev-parse", "--git-path", "index"])?.text()?;
        let own = git.root().join(own.strip_suffix('\n').unwrap_or(&own));
        let folder = local_folder(git.root()).map_err(|error| lost(&error))?;
        let id = random_id().map_err(|error| lost(&error))?;
        let index = Self(folder.join(format!("publish-index-{id}")));
        match fs::metadata(&own) {
            Ok(known) => {
                fs::copy(&own, &index.0).map_err(|error| lost(&error))?;
                // Files that were saved after it are read again: git sees that by its date.
                let copy = File::options().write(true).open(&index.0);
                copy.and_then(|copy| copy.set_modified(known.modified()?))
                    .map_err(|error| lost(&error))?;
            }
            // Before the first file is added there is none.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(lost(&error)),
        }
        if !new.is_empty() {
            let from_input =
                ["add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"];
            git.with_index(&index.0).ask_with(&from_input, &list(new))?.text()?;
        }
        Ok(index)
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Paths as git reads them.
fn list<P: AsRef<str>>(paths: impl IntoIterator<Item = P>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for path in paths {
        bytes.extend_from_slice(path.as_ref().as_bytes());
        bytes.push(0);
    }
    bytes
}

/// The paths of a list, and how many others there are.
fn names(output: &[u8]) -> (Vec<String>, usize) {
    let all: Vec<&[u8]> = output.split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
    let names: Vec<String> = all
        .iter()
        .filter_map(|name| String::from_utf8(name.to_vec()).ok())
        // A folder is a repository of its own.
        .filter(|name| !name.ends_with('/'))
        .collect();
    let left_out = all.len() - names.len();
    let own = |name: &String| !name.starts_with(".feedwright/");
    (names.into_iter().filter(own).collect(), left_out)
}

/// A file's status, its path and its patch.
type Part<'s> = (u8, &'s [u8], &'s [u8]);

/// What `diff --raw --patch -z` says of each file.
fn parse(said: &[u8]) -> Result<Vec<Part<'_>>, Trouble> {
    parts(said).ok_or_else(|| Trouble::new("git's diff was not understood"))
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
    // Between the two parts.
    let rest = rest.strip_prefix(&[0]).unwrap_or(rest);
    let mut patches = patches(rest).into_iter();
    let mut files = Vec::new();
    for (status, path) in raw {
        let mut patch = patches.next()?;
        // A file that became a link is one that goes and one that comes.
        if status == b'T' {
            let next = patches.next()?;
            let start = patch.as_ptr() as usize - rest.as_ptr() as usize;
            patch = &rest[start..start + patch.len() + next.len()];
        }
        files.push((status, path, patch));
    }
    patches.next().is_none().then_some(files)
}

/// The patches of single files. No line of a file begins as their first lines do: each has a sign before it.
fn patches(all: &[u8]) -> Vec<&[u8]> {
    const HEAD: &[u8] = b"diff --git ";
    let starts = (0..all.len())
        .filter(|at| (*at == 0 || all[at - 1] == b'\n') && all[*at..].starts_with(HEAD));
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().skip(1).copied().chain([all.len()]);
    starts.iter().zip(ends).map(|(start, end)| &all[*start..end]).collect()
}

/// The lines that differ, without those for programs.
fn shown(patch: &[u8]) -> String {
    let text = String::from_utf8_lossy(&patch[..patch.len().min(SHOWN)]);
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

fn is_part_of_a_site(path: &str) -> bool {
    path == "site.toml"
        || ["content/", "site-files/", "themes/"].iter().any(|folder| path.starts_with(folder))
}

/// The titles of items and Pages by their files.
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
