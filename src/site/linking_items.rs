//! Which items link to which content files: when a file gets another URL, these items change with it.

use super::link_resolution::files_in;
use super::snapshot::ItemEntry;
use crate::model::{List, SharedMap};

/// The files of items, by the file that they link to.
#[derive(Debug, Clone, Default)]
pub struct LinkingItems(SharedMap<List<Box<str>>>);

impl LinkingItems {
    pub fn of<'e>(entries: impl Iterator<Item = &'e ItemEntry>) -> Self {
        let mut linking = Self::default();
        for entry in entries {
            linking.add(entry);
        }
        linking
    }

    pub fn add(&mut self, entry: &ItemEntry) {
        let own = entry.item.source.as_str();
        for file in files_in(&entry.item.content.links) {
            let mut items = self.0.get(file).cloned().unwrap_or_default();
            let at = items.partition_point(|item| **item < *own);
            if items.get(at).is_none_or(|item| **item != *own) {
                items.insert(at, own.into());
                self.0.insert(file, items);
            }
        }
    }

    /// Takes out what [`add`](Self::add) put in.
    pub fn remove(&mut self, entry: &ItemEntry) {
        let own = entry.item.source.as_str();
        for file in files_in(&entry.item.content.links) {
            let Some(mut items) = self.0.get(file).cloned() else {
                continue;
            };
            let at = items.partition_point(|item| **item < *own);
            if items.get(at).is_some_and(|item| **item == *own) {
                items.remove(at);
                self.0.insert(file, items);
            }
        }
    }

    /// The files of the items that link to a file.
    pub fn to(&self, file: &str) -> impl Iterator<Item = &str> {
        let items = self.0.get(file).into_iter().flatten();
        items.map(|item| &**item)
    }
}
