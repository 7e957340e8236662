//! Detects that nothing changed since the last build, without reading content files.
//!
//! After a build, the names, sizes and times of all its inputs are stored as one hash. If neither
//! the hash nor the output has changed since, there is nothing to do. A file written just before
//! the build could change again within the same tick of the disk's clock. Such a file is called
//! young, and the hash covers its bytes instead of its size and times. Names are paths relative to
//! the site's root, so a site can be moved.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::hash::Hash;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64, xxh3_64_with_seed};

use super::Outcome;
use super::known_output::KnownOutput;
use super::out_dir::{path_inside_site, resolved};
use local::store::Cache;
use model::content_folder::CALENDARS;
use model::{Diagnostic, SitePath, Visibility, program};
use project::{Options, Site};
use site::Snapshot;
use source::history::files_of_last_commit;
use source::stamp::Stamp;
use source::survey::Survey;

const CACHE: Cache = Cache::new("unchanged", 1, 1 << 30);

/// The inputs of a build, before it runs.
pub struct Inputs {
    /// Path of the note about the last build with the same options.
    note: PathBuf,
    /// The combined hash of all inputs. Young files are hashed by their bytes, all other files by
    /// their stamps.
    hash: u64,
    /// Files too young for their stamps to be trusted: the hash of each path, mapped to the hash of
    /// the file's bytes.
    young: BTreeMap<u64, u64>,
    /// Input files that the [`Survey`] does not list: `site.toml`, themes and files that affect
    /// calendars.
    others: Vec<Input>,
}

/// One input file, as it was read from the disk.
struct Input {
    path: PathBuf,
    /// The hash of the file's path.
    name: u64,
    stamp: Stamp,
    /// The hash of the file's bytes, if the file is too young for its stamp to be trusted.
    bytes: Option<u64>,
}

/// The record of a finished build.
#[derive(Serialize, Deserialize)]
struct LastBuild {
    inputs: u64,
    /// Young input files, by the hash of their path. `inputs` hashes their bytes, not their stamps.
    young: BTreeSet<u64>,
    /// Files that content refers to and that the [`Survey`] does not list, relative to the site's
    /// root.
    named: Vec<PathBuf>,
    named_hash: u64,
    manifest: u64,
    /// The time of the build. Items dated later were left out, and the copyright year is the year
    /// of this time.
    built: Timestamp,
    valid_until: Timestamp,
    items: usize,
    pages: usize,
    drafts: usize,
    waiting: usize,
    files: usize,
    /// The output folder, in the form that [`stored_path`] returns.
    out: PathBuf,
    warnings: Vec<Diagnostic>,
}

impl Inputs {
    /// Collects the inputs of a build. Returns None if an input cannot be read; the build itself
    /// reports the error.
    pub fn of(survey: &Survey, options: &Options) -> Option<Self> {
        if !survey.is_whole() {
            return None;
        }
        let root = &options.root;
        let mut others = vec![(root.join("site.toml"), path_hash(Path::new("site.toml")))];
        let mut folders = survey.shows.iter().chain([survey]);
        if folders.any(|own| root.join(own.content.join(CALENDARS)).exists()) {
            let files = files_of_last_commit(root).into_iter();
            others.extend(files.map(|(name, path)| (path, path_hash(Path::new(name)))));
        }
        let themes = root.join("themes");
        if themes.exists() {
            for entry in WalkDir::new(&themes).follow_links(true) {
                let entry = entry.ok()?;
                if !entry.file_type().is_dir() {
                    let path = entry.into_path();
                    let name = path_hash(path.strip_prefix(root).ok()?);
                    others.push((path, name));
                }
            }
        }
        let others = stat_files(others)?;
        let content = survey.files().map(|(path, stamp)| {
            let name = content_path_hash(path);
            if stamp == Stamp::Young {
                let bytes = hash_of_bytes(&path.on_disk(root))?;
                return Some((part(name, bytes), vec![(name, bytes)]));
            }
            Some((part(name, hash_of_stamp(stamp)), Vec::new()))
        });
        let content = content.try_reduce(Default::default, |mut a, b| {
            a.1.extend(b.1);
            Some((a.0.wrapping_add(b.0), a.1))
        });
        let (hash, young) = content?;
        let mut young: BTreeMap<u64, u64> = young.into_iter().collect();
        young.extend(others.iter().filter_map(|file| Some((file.name, file.bytes?))));
        let of_others = hash_of(&others, &young.keys().copied().collect())?;
        let note = format!("{}-{:016x}", CACHE.name, options_hash(options));
        Some(Self {
            note: CACHE.path(root).with_file_name(note),
            hash: hash.wrapping_add(of_others).wrapping_add(hash_of_names(&survey.strays)),
            young,
            others,
        })
    }

    /// Returns the outcome of the last build if its inputs are the same and its output still
    /// exists.
    pub fn unchanged_outcome(
        &self,
        survey: &Survey,
        options: &Options,
        output: &mut KnownOutput,
    ) -> Option<Outcome> {
        let done = CACHE.load(&self.note, program())?;
        let done: LastBuild = serde_json::from_slice(&done).ok()?;
        let now = options.visibility.now;
        if now < done.built || now >= done.valid_until {
            return None;
        }
        if self.comparable_hash(survey, &options.root, &done.young)? != done.inputs {
            return None;
        }
        let named = stat_files(named(&options.root, &done.named))?;
        if hash_of(&named, &done.young)? != done.named_hash {
            return None;
        }
        if output.manifest.unfinished || output.manifest.hash != done.manifest {
            return None;
        }
        output.verify();
        if !output.manifest.is_complete() {
            return None;
        }
        output.manifest.save_versions();
        Some(Outcome {
            items: done.items,
            pages: done.pages,
            drafts: done.drafts,
            waiting: done.waiting,
            files: done.files,
            out: options.root.join(&done.out),
            warnings: done.warnings,
            ..Outcome::default()
        })
    }

    /// Returns the combined hash for comparison with the last build. The files in `young` are
    /// hashed by their bytes, as in that build. Returns None if a file has certainly changed since
    /// that build.
    fn comparable_hash(&self, survey: &Survey, root: &Path, young: &BTreeSet<u64>) -> Option<u64> {
        if !self.young.keys().all(|name| young.contains(name)) {
            return None;
        }
        let settled = |name: u64| young.contains(&name) && !self.young.contains_key(&name);
        if young.len() == self.young.len() {
            return Some(self.hash);
        }
        let content = survey.files().filter_map(|(path, stamp)| {
            let name = content_path_hash(path);
            settled(name).then(|| (path.on_disk(root), name, stamp))
        });
        let mut files: Vec<(PathBuf, u64, Stamp)> = content.collect();
        let others = self.others.iter().filter(|file| settled(file.name));
        files.extend(others.map(|file| (file.path.clone(), file.name, file.stamp)));
        files.iter().try_fold(self.hash, |hash, (path, name, stamp)| {
            let bytes = hash_of_bytes(path)?;
            let hash = hash.wrapping_sub(part(*name, hash_of_stamp(*stamp)));
            Some(hash.wrapping_add(part(*name, bytes)))
        })
    }

    /// Saves the outcome of a build of these inputs. `manifest` is the hash of the build's
    /// manifest. If saving fails, the next run builds again.
    pub fn save_state(&self, options: &Options, site: &Site, manifest: u64, outcome: &Outcome) {
        let root = &options.root;
        let outside_files = site.content.outside_files.iter();
        let outside_files: Vec<PathBuf> = outside_files.map(|file| file.as_str().into()).collect();
        // The build read these files after `self` was made, and they may have changed again. So the
        // note is saved only if the stamps of all these files are now old enough to be trusted.
        let named = stat_files(named(root, &outside_files));
        let is_old = |file: &Input| file.bytes.is_none();
        let Some(named) = named.filter(|named| named.iter().all(is_old)) else {
            let _ = fs::remove_file(&self.note);
            return;
        };
        // A young file may have changed after it was hashed and before the build read it, so the
        // two hashes are compared.
        let read = site.content.young.iter();
        let read: HashMap<u64, u64> =
            read.map(|(path, hash)| (content_path_hash(path), *hash)).collect();
        let is_as_read = |(name, bytes): (&u64, &u64)| read.get(name) == Some(bytes);
        let young: BTreeSet<u64> = self.young.keys().copied().collect();
        let named_hash = hash_of(&named, &young);
        let Some(named_hash) = named_hash.filter(|_| self.young.iter().all(is_as_read)) else {
            let _ = fs::remove_file(&self.note);
            return;
        };
        let now = options.visibility.now;
        let done = LastBuild {
            inputs: self.hash,
            young,
            named: outside_files,
            named_hash,
            manifest,
            built: now,
            valid_until: next_change(&site.snapshot, now),
            items: outcome.items,
            pages: outcome.pages,
            drafts: outcome.drafts,
            waiting: outcome.waiting,
            files: outcome.files,
            out: stored_path(root, &outcome.out),
            warnings: outcome.warnings.clone(),
        };
        if let Ok(done) = serde_json::to_vec(&done) {
            let _ = CACHE.save(&self.note, program(), &done);
        }
    }
}

/// Returns the path of an output folder as it is stored in the note: relative to the site's root if
/// possible. Symlinks in the relative path are not resolved, since they may point elsewhere after a
/// move.
fn stored_path(root: &Path, out: &Path) -> PathBuf {
    match out.strip_prefix(root) {
        Ok(path) => path.to_path_buf(),
        Err(_) => path_inside_site(root, out).unwrap_or_else(|| resolved(out)),
    }
}

/// Returns each file's path on the disk with the hash of its name. The given paths are relative to
/// the site's root.
fn named(root: &Path, paths: &[PathBuf]) -> Vec<(PathBuf, u64)> {
    let paths = paths.iter();
    paths.map(|path| (root.join(path), path_hash(path))).collect()
}

fn path_hash(path: &Path) -> u64 {
    xxh3_64(path.as_os_str().as_encoded_bytes())
}

fn content_path_hash(path: &SitePath) -> u64 {
    xxh3_64(path.as_str().as_bytes())
}

fn stat_files(files: Vec<(PathBuf, u64)>) -> Option<Vec<Input>> {
    files
        .into_par_iter()
        .map(|(path, name)| {
            let stamp = Stamp::of(&path);
            Input::of(path, name, stamp)
        })
        .collect()
}

/// Returns the combined hash of several files. The hashes are added, so the order in which the disk
/// lists files does not matter. Files in `young` are hashed by their bytes, all other files by
/// their stamps.
fn hash_of(files: &[Input], young: &BTreeSet<u64>) -> Option<u64> {
    files.iter().try_fold(0_u64, |sum, file| {
        let facts = if young.contains(&file.name) {
            file.bytes.map_or_else(|| hash_of_bytes(&file.path), Some)?
        } else {
            match file.stamp {
                // The file changed since the last build.
                Stamp::Young => return None,
                stamp => hash_of_stamp(stamp),
            }
        };
        Some(sum.wrapping_add(part(file.name, facts)))
    })
}

/// Returns a file's contribution to a combined hash. `facts` is the hash of the file's bytes or of
/// its stamp.
fn part(name: u64, facts: u64) -> u64 {
    xxh3_64_with_seed(&facts.to_le_bytes(), name)
}

fn hash_of_stamp(stamp: Stamp) -> u64 {
    let mut facts = Xxh3Default::new();
    stamp.hash(&mut facts);
    facts.digest()
}

/// Hashes a file's bytes in blocks, since a file may be larger than memory. A missing file has the
/// hash 0.
fn hash_of_bytes(path: &Path) -> Option<u64> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Some(0),
        file => file.ok()?,
    };
    let mut file = BufReader::with_capacity(64 * 1024, file);
    let mut hash = Xxh3Default::new();
    loop {
        let bytes = file.fill_buf().ok()?;
        if bytes.is_empty() {
            return Some(hash.digest());
        }
        hash.update(bytes);
        let length = bytes.len();
        file.consume(length);
    }
}

impl Input {
    fn of(path: PathBuf, name: u64, stamp: Stamp) -> Option<Self> {
        let bytes = match stamp {
            Stamp::Young => Some(hash_of_bytes(&path)?),
            _ => None,
        };
        Some(Self { path, name, stamp, bytes })
    }
}

fn hash_of_names(paths: &[SitePath]) -> u64 {
    let mut names = Xxh3Default::new();
    paths.hash(&mut names);
    names.digest()
}

/// Hashes the options of a build.
fn options_hash(options: &Options) -> u64 {
    let Visibility { drafts, future, .. } = options.visibility;
    let out = options.out.as_ref();
    let out = out.map(|out| path_inside_site(&options.root, out).unwrap_or_else(|| resolved(out)));
    let mut options_hash = Xxh3Default::new();
    (program(), out, &options.base_url, drafts, future).hash(&mut options_hash);
    options_hash.digest()
}

/// Returns the time at which the site next changes without an edit: the next date of a waiting
/// item, page or event, or the end of the year.
fn next_change(snapshot: &Snapshot, now: Timestamp) -> Timestamp {
    let items = snapshot.entries.iter().filter_map(|entry| entry.item.date_published);
    let pages = snapshot.pages.iter().filter_map(|entry| entry.page.date_published);
    // The feed's date is the newest past date of items and pages. A future modification date
    // therefore changes the feed when it passes.
    let changed = snapshot
        .entries
        .iter()
        .map(|entry| entry.item.date_modified)
        .chain(snapshot.pages.iter().map(|entry| entry.page.date_modified))
        .flatten();
    let waiting = items.chain(pages).chain(changed).filter(|date| *date > now).min();
    let year = jiff::civil::date(snapshot.year().saturating_add(1), 1, 1).at(0, 0, 0, 0);
    let next_year = year.to_zoned(jiff::tz::TimeZone::UTC).map_or(now, |time| time.timestamp());
    let of_events = snapshot.calendars.next_change(now);
    let waiting = waiting.into_iter().chain(of_events).min();
    waiting.map_or(next_year, |date| date.min(next_year))
}
