//! The dependencies between the files of a folder, and the files with problems. With this index, a
//! change does not require a check of every file.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::kept::Kept;
use crate::listing::{below, in_walk_order};
use model::SitePath;

/// The index of a folder's files.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The files that looked up a path, by that path, whether the path exists or not.
    askers: BTreeMap<SitePath, BTreeSet<SitePath>>,
    faulty: BTreeSet<Walked>,
    /// Incomplete files whose remaining text is awaited.
    half: BTreeSet<Walked>,
}

impl Index {
    pub(super) fn of<T>(files: &[(SitePath, Kept<T>)]) -> Self {
        let mut index = Self::default();
        for (path, kept) in files {
            index.add(path, kept);
        }
        index
    }

    pub(super) fn add<T>(&mut self, path: &SitePath, kept: &Kept<T>) {
        for (asked, _) in &kept.asked {
            let askers = self.askers.entry(asked.clone()).or_default();
            askers.insert(path.clone());
        }
        if !kept.found.is_empty() {
            self.faulty.insert(Walked(path.clone()));
        }
        if kept.is_half {
            self.half.insert(Walked(path.clone()));
        }
    }

    /// Removes the entries that [`add`](Self::add) added.
    pub(super) fn remove<T>(&mut self, path: &SitePath, kept: &Kept<T>) {
        for (asked, _) in &kept.asked {
            if let Some(askers) = self.askers.get_mut(asked) {
                askers.remove(path);
                if askers.is_empty() {
                    self.askers.remove(asked);
                }
            }
        }
        let walked = Walked(path.clone());
        self.faulty.remove(&walked);
        self.half.remove(&walked);
    }

    /// Returns the files that looked up a path or a path below it.
    pub(super) fn askers<'i>(&'i self, path: &'i SitePath) -> impl Iterator<Item = &'i SitePath> {
        // In this order, paths such as `a.md` are between a folder `a` and the paths below it.
        let from = self.askers.range(path.clone()..);
        from.take_while(|(asked, _)| asked.as_str().starts_with(path.as_str()))
            .filter(move |(asked, _)| {
                *asked == path || below(asked.as_str(), path.as_str()).is_some()
            })
            .flat_map(|(_, askers)| askers)
    }

    pub(super) fn is_asked(&self, path: &SitePath) -> bool {
        self.askers.contains_key(path)
    }

    pub(super) fn asked(&self) -> impl Iterator<Item = &SitePath> {
        self.askers.keys()
    }

    /// Returns the paths outside these folders that files looked up.
    pub(super) fn asked_outside<'i>(&'i self, folders: &[&str]) -> Vec<&'i SitePath> {
        let mut outside = Vec::new();
        let mut keys = self.askers.range::<SitePath, _>(..);
        while let Some((path, _)) = keys.next() {
            if !is_in(path, folders) {
                outside.push(path);
            } else if let Some((folder, _)) = path.as_str().split_once('/')
                // In this order, the paths below a folder are contiguous, and `0` is the character
                // after `/`.
                && let Some(after) = SitePath::parse(&format!("{folder}0"))
            {
                keys = self.askers.range(after..);
            }
        }
        outside
    }

    pub(super) fn faulty(&self) -> impl Iterator<Item = &SitePath> {
        self.faulty.iter().map(|Walked(path)| path)
    }

    pub(super) fn half(&self) -> impl Iterator<Item = &SitePath> {
        self.half.iter().map(|Walked(path)| path)
    }
}

/// Returns whether a path is one of some folders in the site's root, or below one of them.
pub(super) fn is_in(path: &SitePath, folders: &[&str]) -> bool {
    let top = path.as_str().split('/').next();
    top.is_some_and(|top| folders.contains(&top))
}

/// A path, compared in walk order.
#[derive(Debug, PartialEq, Eq)]
struct Walked(SitePath);

impl Ord for Walked {
    fn cmp(&self, other: &Self) -> Ordering {
        in_walk_order(&self.0, &other.0)
    }
}

impl PartialOrd for Walked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
