//! What is to be done so that a place holds the site.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::{SignedDuration, Timestamp};

use super::{Entry, LocalFile, Record, RemoteFile};
use local::store::TEMPORARY;

/// The files that lie there and not here, with their lengths in bytes.
pub type Stored = BTreeMap<String, u64>;

/// What is known of a place and of what belongs there, beside its files.
#[derive(Debug, Clone)]
pub struct Terms<'t> {
    /// The address of the site.
    pub site: &'t str,
    /// Files that the place is to have, and that are not here.
    pub stored: &'t Stored,
    /// Folders there that are places of their own.
    pub apart: Vec<String>,
    pub now: Timestamp,
    /// For how many days a file stays that the site no longer has.
    pub keep_days: u16,
    /// Whether a place that another site was published to becomes this one's.
    pub takes_over: bool,
}

impl Terms<'_> {
    /// The folder of a path that is a place of its own.
    pub fn apart(&self, path: &str) -> Option<&str> {
        let mut folders = self.apart.iter().map(String::as_str);
        folders.find(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }
}

/// What is to be done, in this order.
#[derive(Debug, Clone, Default)]
pub struct Plan<'a> {
    /// Files where the site has a folder now, or the reverse: they go first.
    pub clear: Vec<String>,
    pub put: Vec<Put<'a>>,
    /// Files that the site has not had for long enough.
    pub delete: Vec<String>,
    /// Files that the site no longer has, and since when; they stay for those who read an older page.
    pub waiting: Vec<(String, Timestamp)>,
    /// The files to be put that the place had before another version of them.
    pub outdated: BTreeSet<String>,
    /// How many files are as they are to be.
    pub unchanged: usize,
    /// How many files no deploy put there. They are left alone.
    pub others: usize,
    /// What is known of the place before the first step.
    pub record: Record,
    /// Whether the place's own record says the same.
    is_noted: bool,
}

/// A file that is to be put.
#[derive(Debug, Clone, Copy)]
pub struct Put<'a> {
    pub file: &'a LocalFile,
    /// Whether nothing is there yet.
    pub is_new: bool,
}

impl<'a> Plan<'a> {
    /// Compares what is here, what is there, and what earlier deploys noted. A file that the site no longer has
    /// stays for some days, and one that is stored there alone stays for good; where `keeps_fields` is false, the place
    /// keeps no HTTP fields.
    pub fn of(
        here: &'a [LocalFile],
        there: &[RemoteFile],
        known: &Record,
        terms: &Terms<'_>,
        keeps_fields: bool,
    ) -> Self {
        let mut plan = Self::default();
        plan.record.deploy.clone_from(&known.deploy);
        plan.record.untold.clone_from(&known.untold);
        terms.site.clone_into(&mut plan.record.site);
        let keep = SignedDuration::from_hours(24 * i64::from(terms.keep_days));
        let wanted: HashSet<&str> = here.iter().map(|file| file.path.as_str()).collect();
        let there: BTreeMap<&str, &RemoteFile> = there
            .iter()
            .filter(|file| terms.apart(&file.path).is_none())
            .map(|file| (file.path.as_str(), file))
            .collect();
        for file in here {
            let found = there.get(file.path.as_str());
            let entry = known.files.get(&file.path);
            match (found, entry) {
                (Some(found), Some(entry)) if is_same(file, found, entry, keeps_fields) => {
                    let entry = Entry { unwanted: None, ..entry.clone() };
                    plan.record.files.insert(file.path.clone(), entry);
                    plan.unchanged += 1;
                }
                _ => {
                    // From now on nobody knows what is there.
                    if entry.is_some_and(|entry| entry.former.contains(&file.hash)) {
                        plan.outdated.insert(file.path.clone());
                    }
                    let entry = Entry::unknown(entry, file);
                    plan.record.files.insert(file.path.clone(), entry);
                    plan.put.push(Put { file, is_new: found.is_none() });
                }
            }
        }
        let folders = folders(here);
        for path in there.keys().filter(|path| !wanted.contains(**path)) {
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

    /// What differs at a host that takes a site as a whole, and whether it shows just this one.
    pub fn of_whole(
        here: &[LocalFile],
        put: Vec<Put<'a>>,
        delete: Vec<String>,
        is_shown: bool,
    ) -> Self {
        Self {
            unchanged: here.len() - put.len(),
            put,
            delete,
            is_noted: is_shown,
            ..Self::default()
        }
    }

    /// Leaves what would be deleted to a later deploy.
    pub fn keep_all(&mut self, now: Timestamp) {
        for path in self.delete.drain(..) {
            let entry = self.record.files.get(&path);
            let since = entry.and_then(|entry| entry.unwanted).unwrap_or(now);
            self.waiting.push((path, since));
        }
    }

    /// Whether the place is as it is to be, and noted so.
    pub fn is_done(&self) -> bool {
        self.is_noted && self.clear.is_empty() && self.put.is_empty() && self.delete.is_empty()
    }
}

/// Whether what is there is what is here: it is what a deploy put there, and that was this.
fn is_same(file: &LocalFile, found: &RemoteFile, entry: &Entry, keeps_fields: bool) -> bool {
    entry.hash == file.hash
        && entry.length == file.length
        && found.length == file.length
        && entry.tag == found.tag
        && (!keeps_fields || entry.sent_as == Entry::fields(&file.sent_as))
}

/// All folders that files lie in.
fn folders(files: &[LocalFile]) -> BTreeSet<&str> {
    files.iter().flat_map(|file| parents(&file.path)).collect()
}

/// The folders above a file: `a/b` and `a` of `a/b/c`.
fn parents(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(at, _)| &path[..at])
}
