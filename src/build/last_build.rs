//! The last build's inputs: tells without reading a content file whether anything changed since.
//!
//! After a build, the names, sizes and times of all its inputs are kept as one hash. While the hash stays
//! the same, and the output is as it was written, there is nothing to do. A file that was written while the
//! build ran could change again within the same tick of the disk's clock; then the hash is not kept.

use std::fs;
use std::hash::Hash;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64, xxh3_64_with_seed};

use super::Outcome;
use super::manifest::Manifest;
use crate::model::calendar::Calendar;
use crate::model::{Diagnostic, Visibility};
use crate::project::{Options, Site};
use crate::site::Snapshot;
use crate::source::disk::touched;

/// An input must be older than this for its time to differ from that of a later version.
const SETTLED: Duration = Duration::from_millis(100);

/// The inputs of a build, before it runs.
pub struct Inputs {
    path: PathBuf,
    hash: u64,
    newest: SystemTime,
    started: SystemTime,
}

/// A build that was done.
#[derive(Serialize, Deserialize)]
struct LastBuild {
    inputs: u64,
    /// Files that content names outside the folders that are walked.
    named: Vec<PathBuf>,
    named_hash: u64,
    manifest: u64,
    /// The build's present: items dated later were left out, and it decides the copyright year.
    built: Timestamp,
    valid_until: Timestamp,
    items: usize,
    pages: usize,
    drafts: usize,
    waiting: usize,
    files: usize,
    out: PathBuf,
    warnings: Vec<Diagnostic>,
}

impl Inputs {
    /// Looks at the inputs of a build. None if one cannot be looked at; the build itself reports why.
    pub fn look(options: &Options) -> Option<Self> {
        let started = SystemTime::now();
        let program = std::env::current_exe().ok()?;
        let chosen = chosen(options);
        let path = options
            .root
            .join(".feedwright")
            .join(format!("unchanged-{:016x}", chosen));
        let mut entries = vec![options.root.join("site.toml"), program];
        if options.root.join(Calendar::FOLDER).exists() {
            entries.extend(history(&options.root));
        }
        for folder in ["content", "site-files", "themes"] {
            let folder = options.root.join(folder);
            if folder.exists() {
                for entry in WalkDir::new(&folder).follow_links(true) {
                    entries.push(entry.ok()?.into_path());
                }
            }
        }
        let (hash, newest) = look_at_all(&entries, chosen)?;
        Some(Self {
            path,
            hash,
            newest,
            started,
        })
    }

    /// The outcome of the last build of these inputs, if its output is still there.
    pub fn recall(&self, options: &Options) -> Option<Outcome> {
        let done: LastBuild = serde_json::from_slice(&fs::read(&self.path).ok()?).ok()?;
        let now = options.visibility.now;
        if done.inputs != self.hash || now < done.built || now >= done.valid_until {
            return None;
        }
        if look_at_all(&done.named, 0)?.0 != done.named_hash {
            return None;
        }
        let manifest = Manifest::load(&options.root, &done.out);
        let is_there = |(file, record): (&String, &super::manifest::FileRecord)| {
            fs::symlink_metadata(done.out.join(file))
                .is_ok_and(|found| found.is_file() && found.len() == record.length)
        };
        let kept = !manifest.unfinished
            && manifest.text_hash == done.manifest
            && manifest.records.par_iter().all(is_there);
        kept.then_some(Outcome {
            items: done.items,
            pages: done.pages,
            drafts: done.drafts,
            waiting: done.waiting,
            files: done.files,
            out: done.out,
            warnings: done.warnings,
            ..Outcome::default()
        })
    }

    /// Keeps the outcome of a build of these inputs. If that fails, the next run builds again.
    pub fn keep(&self, options: &Options, site: &Site, outcome: &Outcome) {
        let snapshot = &site.snapshot;
        let named = site.elsewhere.iter();
        let named: Vec<PathBuf> = named.map(|file| file.on_disk(&options.root)).collect();
        let looked = look_at_all(&named, 0).filter(|(_, newest)| {
            self.started
                .duration_since(self.newest.max(*newest))
                .is_ok_and(|age| age > SETTLED)
        });
        let Some((named_hash, _)) = looked else {
            let _ = fs::remove_file(&self.path);
            return;
        };
        let now = options.visibility.now;
        let done = LastBuild {
            inputs: self.hash,
            named,
            named_hash,
            manifest: Manifest::load(&options.root, &outcome.out).text_hash,
            built: now,
            valid_until: next_change(snapshot, now),
            items: outcome.items,
            pages: outcome.pages,
            drafts: outcome.drafts,
            waiting: outcome.waiting,
            files: outcome.files,
            out: outcome.out.clone(),
            warnings: outcome.warnings.clone(),
        };
        if let Ok(text) = serde_json::to_vec(&done) {
            let _ = fs::write(&self.path, text);
        }
    }
}

/// The files that change with the repository's last commit: `HEAD` and the branch it names. Dates of change
/// in calendars come from commits.
fn history(root: &Path) -> Vec<PathBuf> {
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
    let mut files = vec![own.join("HEAD"), shared.join("packed-refs")];
    files.extend(branch.map(|branch| shared.join(branch)));
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

/// The hashes of several files, and the newest time among them. Hashes are added, so that the order in which
/// the disk lists files does not matter.
fn look_at_all(paths: &[PathBuf], seed: u64) -> Option<(u64, SystemTime)> {
    paths
        .par_iter()
        .map(|path| look_at(path))
        .try_reduce(
            || (0, SystemTime::UNIX_EPOCH),
            |a, b| Some((a.0.wrapping_add(b.0), a.1.max(b.1))),
        )
        .map(|(sum, newest)| (sum.wrapping_add(seed), newest))
}

/// The options of a build, as a hash.
fn chosen(options: &Options) -> u64 {
    let Visibility { drafts, future, .. } = options.visibility;
    let mut chosen = Xxh3Default::new();
    (&options.out, &options.base_url, drafts, future).hash(&mut chosen);
    chosen.digest()
}

/// A file's or folder's name, size and times as a hash, and the time it was last touched. A missing file has
/// a hash too.
fn look_at(path: &Path) -> Option<(u64, SystemTime)> {
    let name = path.as_os_str().as_encoded_bytes();
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Some((xxh3_64(name), SystemTime::UNIX_EPOCH));
        }
        found => found.ok()?,
    };
    let time = found.modified().ok()?;
    let nanoseconds = time.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_nanos();
    let length = if found.is_dir() { 0 } else { found.len() };
    let written = length ^ u64::try_from(nanoseconds & u128::from(u64::MAX)).ok()?;
    let touched = touched(&found);
    let seed = xxh3_64_with_seed(&touched.to_le_bytes(), written);
    let touched = u64::try_from(touched).map_or(Duration::ZERO, Duration::from_nanos);
    Some((
        xxh3_64_with_seed(name, seed),
        time.max(SystemTime::UNIX_EPOCH + touched),
    ))
}

/// When the site changes next without an edit: at the next date of a waiting item or Page, at the latest
/// with the year.
fn next_change(snapshot: &Snapshot, now: Timestamp) -> Timestamp {
    let items = snapshot
        .entries
        .iter()
        .filter_map(|entry| entry.item.date_published);
    let pages = snapshot
        .pages
        .iter()
        .filter_map(|entry| entry.page.date_published);
    // The feeds' own date is the newest past date, of Pages too.
    let changed = snapshot
        .entries
        .iter()
        .map(|entry| entry.item.date_modified)
        .chain(snapshot.pages.iter().map(|entry| entry.page.date_modified))
        .flatten();
    let waiting = items
        .chain(pages)
        .chain(changed)
        .filter(|date| *date > now)
        .min();
    let year = jiff::civil::date(snapshot.year().saturating_add(1), 1, 1).at(0, 0, 0, 0);
    let next_year = year
        .to_zoned(jiff::tz::TimeZone::UTC)
        .map_or(now, |time| time.timestamp());
    let of_events = snapshot.calendars.next_change(now);
    let waiting = waiting.into_iter().chain(of_events).min();
    waiting.map_or(next_year, |date| date.min(next_year))
}
