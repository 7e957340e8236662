//! Computes the changes that make a destination match the site.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::{SignedDuration, Timestamp};

use super::{Entry, LocalFile, Record, RemoteFile};
use builder::Changed;
use local::store::TEMPORARY;

/// Files that exist only at the destination, with their sizes in bytes.
pub type Stored = BTreeMap<String, u64>;

/// The inputs of a plan other than the files.
#[derive(Debug, Clone)]
pub struct Terms<'t> {
    /// The address of the site.
    pub site: &'t str,
    /// Files that must exist at the destination because they do not exist on this machine.
    pub stored: &'t Stored,
    /// Folders within the destination that are destinations of their own.
    pub separate: Vec<String>,
    pub now: Timestamp,
    /// The number of days for which a file stays at the destination after it was removed from the
    /// site.
    pub keep_days: u16,
    /// Whether to take over a destination that contains another site.
    pub takes_over: bool,
}

impl Terms<'_> {
    /// Returns the separate destination that contains a path, if there is one.
    pub fn separate(&self, path: &str) -> Option<&str> {
        let mut folders = self.separate.iter().map(String::as_str);
        folders.find(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }
}

/// The steps of a deploy. `clear`, `put` and `delete` are executed in this order.
#[derive(Debug, Clone, Default)]
pub struct Plan<'a> {
    /// Files to delete first, because the site now has a folder at their path, or a file in place
    /// of their folder.
    pub clear: Vec<String>,
    pub put: Vec<Put<'a>>,
    /// Files to delete, because they were removed from the site long enough ago.
    pub delete: Vec<String>,
    /// Files that were removed from the site, each with the time at which the removal was noticed.
    /// They stay for readers of older pages.
    pub waiting: Vec<(String, Timestamp)>,
    /// Files to upload that are older versions of the files at the destination.
    pub outdated: BTreeSet<String>,
    /// The number of unchanged files.
    pub unchanged: usize,
    /// The number of files at the destination that no deploy uploaded. These files stay unchanged.
    pub others: usize,
    /// The record to write before the first step.
    pub record: Record,
    /// Whether the destination already has this record.
    is_noted: bool,
}

/// A file to upload.
#[derive(Debug, Clone, Copy)]
pub struct Put<'a> {
    pub file: &'a LocalFile,
    /// Whether the destination has no file at this path yet.
    pub is_new: bool,
}

impl<'a> Plan<'a> {
    /// Computes a plan from the local files, the files at the destination and the record of earlier
    /// deploys. A file that was removed from the site stays for some days. A file that is stored
    /// only at the destination stays forever. `stores_headers` is false if the destination stores
    /// no HTTP header fields.
    pub fn of(
        output_files: &'a [LocalFile],
        remote: &[RemoteFile],
        known: &Record,
        terms: &Terms<'_>,
        stores_headers: bool,
    ) -> Self {
        let mut plan = Self::default();
        plan.record.deploy.clone_from(&known.deploy);
        plan.record.untold.clone_from(&known.untold);
        terms.site.clone_into(&mut plan.record.site);
        let keep = SignedDuration::from_hours(24 * i64::from(terms.keep_days));
        let wanted: HashSet<&str> = output_files.iter().map(|file| file.path.as_str()).collect();
        let remote: BTreeMap<&str, &RemoteFile> = remote
            .iter()
            .filter(|file| terms.separate(&file.path).is_none())
            .map(|file| (file.path.as_str(), file))
            .collect();
        for file in output_files {
            let found = remote.get(file.path.as_str());
            let entry = known.files.get(&file.path);
            match (found, entry) {
                (Some(found), Some(entry)) if is_same(file, found, entry, stores_headers) => {
                    let entry = Entry { unwanted: None, ..entry.clone() };
                    plan.record.files.insert(file.path.clone(), entry);
                    plan.unchanged += 1;
                }
                _ => {
                    // The content of the file at the destination is unknown until the upload
                    // completes.
                    if entry.is_some_and(|entry| entry.former.contains(&file.hash)) {
                        plan.outdated.insert(file.path.clone());
                    }
                    let entry = Entry::unknown(entry, file);
                    plan.record.files.insert(file.path.clone(), entry);
                    plan.put.push(Put { file, is_new: found.is_none() });
                }
            }
        }
        let folders = folders(output_files);
        for path in remote.keys().filter(|path| !wanted.contains(**path)) {
            if path.ends_with(TEMPORARY) {
                plan.delete.push((*path).to_owned());
                continue;
            }
            let Some(entry) = known.files.get(*path) else {
                plan.others += 1;
                continue;
            };
            if terms.stored.contains_key(*path) {
                let entry = Entry { unwanted: None, ..entry.clone() };
                plan.record.files.insert((*path).to_owned(), entry);
                plan.unchanged += 1;
                continue;
            }
            let since = entry.unwanted.unwrap_or(terms.now);
            if folders.contains(*path) || parents(path).any(|folder| wanted.contains(folder)) {
                plan.clear.push((*path).to_owned());
            } else if terms.now.duration_since(since) >= keep {
                plan.delete.push((*path).to_owned());
            } else {
                plan.waiting.push(((*path).to_owned(), since));
            }
            let entry = Entry { unwanted: Some(since), ..entry.clone() };
            plan.record.files.insert((*path).to_owned(), entry);
        }
        let is_noted = plan.record.files == known.files && known.untold.is_empty();
        plan.is_noted = is_noted && (plan.record.site == known.site || known.files.is_empty());
        plan
    }

    /// Creates a plan for a host that publishes a whole site. `is_shown` is true if the host
    /// already shows exactly this site.
    pub fn for_whole_site(
        output_files: &[LocalFile],
        put: Vec<Put<'a>>,
        delete: Vec<String>,
        is_shown: bool,
    ) -> Self {
        Self {
            unchanged: output_files.len() - put.len(),
            put,
            delete,
            is_noted: is_shown,
            ..Self::default()
        }
    }

    /// Postpones all deletions to a later deploy.
    pub fn postpone_deletions(&mut self, now: Timestamp) {
        for path in self.delete.drain(..) {
            let entry = self.record.files.get(&path);
            let since = entry.and_then(|entry| entry.unwanted).unwrap_or(now);
            self.waiting.push((path, since));
        }
    }

    /// Returns the recordings at the destination that get new tags or audio.
    pub fn recordings(&self) -> Changed {
        let changed = self.put.iter().filter(|put| !put.is_new && put.file.is_recording());
        changed.fold(Changed::default(), |sum, put| Changed {
            count: sum.count + 1,
            bytes: sum.bytes + put.file.length,
        })
    }

    /// Whether there is nothing to do: neither the files nor the record differ.
    pub fn is_done(&self) -> bool {
        self.is_noted && self.clear.is_empty() && self.put.is_empty() && self.delete.is_empty()
    }
}

/// Whether the file at the destination equals the local file. This is the case if a deploy uploaded
/// the same content and the file has not changed since.
fn is_same(file: &LocalFile, found: &RemoteFile, entry: &Entry, stores_headers: bool) -> bool {
    entry.hash == file.hash
        && entry.length == file.length
        && found.length == file.length
        && entry.tag == found.tag
        && (!stores_headers || entry.sent_as == Entry::fields(&file.sent_as))
}

/// Returns all folders that contain files.
fn folders(files: &[LocalFile]) -> BTreeSet<&str> {
    files.iter().flat_map(|file| parents(&file.path)).collect()
}

/// Returns the parent folders of a path, such as `a/b` and `a` for `a/b/c`.
fn parents(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(at, _)| &path[..at])
}
