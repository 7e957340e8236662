//! The dependencies between the files of a folder, and the files with problems. With this index, a
//! change does not require a check of every file.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::cached_reading::CachedReading;
use crate::listing::{below, in_walk_order};
use model::SitePath;

/// The index of a folder's files.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// For each path that was looked up, the files that looked it up. The path may not exist.
    dependents: BTreeMap<SitePath, BTreeSet<SitePath>>,
    faulty: BTreeSet<WalkOrdered>,
    /// Incomplete files. The library waits until they are saved completely.
    incomplete: BTreeSet<WalkOrdered>,
}

impl Index {
    pub(super) fn of<T>(files: &[(SitePath, CachedReading<T>)]) -> Self {
        let mut index = Self::default();
        for (path, cached_reading) in files {
            index.add(path, cached_reading);
        }
        index
    }

    pub(super) fn add<T>(&mut self, path: &SitePath, cached_reading: &CachedReading<T>) {
        for (looked_up, _) in &cached_reading.looked_up {
            let dependents = self.dependents.entry(looked_up.clone()).or_default();
            dependents.insert(path.clone());
        }
        if !cached_reading.found.is_empty() {
            self.faulty.insert(WalkOrdered(path.clone()));
        }
        if cached_reading.is_half {
            self.incomplete.insert(WalkOrdered(path.clone()));
        }
    }

    /// Removes the entries that [`add`](Self::add) added.
    pub(super) fn remove<T>(&mut self, path: &SitePath, cached_reading: &CachedReading<T>) {
        for (looked_up, _) in &cached_reading.looked_up {
            if let Some(dependents) = self.dependents.get_mut(looked_up) {
                dependents.remove(path);
                if dependents.is_empty() {
                    self.dependents.remove(looked_up);
                }
            }
        }
        let key = WalkOrdered(path.clone());
        self.faulty.remove(&key);
        self.incomplete.remove(&key);
    }

    /// Returns the files that looked up a path or a path below it.
    pub(super) fn dependents<'i>(
        &'i self,
        path: &'i SitePath,
    ) -> impl Iterator<Item = &'i SitePath> {
        // In this order, paths such as `a.md` come between a folder `a` and the paths below `a/`.
        // They are filtered out.
        let from = self.dependents.range(path.clone()..);
        from.take_while(|(looked_up, _)| looked_up.as_str().starts_with(path.as_str()))
            .filter(move |(looked_up, _)| {
                *looked_up == path || below(looked_up.as_str(), path.as_str()).is_some()
            })
            .flat_map(|(_, dependents)| dependents)
    }

    pub(super) fn is_looked_up(&self, path: &SitePath) -> bool {
        self.dependents.contains_key(path)
    }

    pub(super) fn looked_up(&self) -> impl Iterator<Item = &SitePath> {
        self.dependents.keys()
    }

    /// Returns the paths outside these folders that files looked up.
    pub(super) fn lookups_outside<'i>(&'i self, folders: &[&str]) -> Vec<&'i SitePath> {
        let mut outside = Vec::new();
        let mut keys = self.dependents.range::<SitePath, _>(..);
        while let Some((path, _)) = keys.next() {
            if !is_in(path, folders) {
                outside.push(path);
            } else if let Some((folder, _)) = path.as_str().split_once('/')
                // The map is sorted by path, so the paths below a folder are contiguous. The range
                // continues after them: `0` is the character after `/`.
                && let Some(after) = SitePath::parse(&format!("{folder}0"))
            {
                keys = self.dependents.range(after..);
            }
        }
        outside
    }

    pub(super) fn faulty(&self) -> impl Iterator<Item = &SitePath> {
        self.faulty.iter().map(|WalkOrdered(path)| path)
    }

    pub(super) fn incomplete(&self) -> impl Iterator<Item = &SitePath> {
        self.incomplete.iter().map(|WalkOrdered(path)| path)
    }
}

/// Returns whether a path is one of the given top-level folders of the site, or below one of them.
pub(super) fn is_in(path: &SitePath, folders: &[&str]) -> bool {
    let top = path.as_str().split('/').next();
    top.is_some_and(|top| folders.contains(&top))
}

/// A path, compared in walk order.
#[derive(Debug, PartialEq, Eq)]
struct WalkOrdered(SitePath);

impl Ord for WalkOrdered {
    fn cmp(&self, other: &Self) -> Ordering {
        in_walk_order(&self.0, &other.0)
    }
}

impl PartialOrd for WalkOrdered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
