//! Which items link to which content files: when a file gets another URL, these items change with it.

use crate::model::{ContentLink, Item, LinkTarget, List, SharedMap};

/// The files of items, by the file that they link to.
#[derive(Debug, Clone, Default)]
pub struct LinkingItems(SharedMap<List<Box<str>>>);

impl LinkingItems {
    pub fn of<'i>(items: impl Iterator<Item = &'i Item>) -> Self {
        let mut linking = Self::default();
        for item in items {
            linking.add(item);
        }
        linking
    }

    pub fn add(&mut self, item: &Item) {
        let own = item.source.as_str();
        for file in files_in(&item.content.links) {
            let mut items = self.0.get(file).cloned().unwrap_or_default();
            let at = items.partition_point(|one| **one < *own);
            if items.get(at).is_none_or(|one| **one != *own) {
                items.insert(at, own.into());
                self.0.insert(file, items);
            }
        }
    }

    /// Takes out what [`add`](Self::add) put in.
    pub fn remove(&mut self, item: &Item) {
        let own = item.source.as_str();
        for file in files_in(&item.content.links) {
            let Some(mut items) = self.0.get(file).cloned() else {
                continue;
            };
            let at = items.partition_point(|one| **one < *own);
            if items.get(at).is_some_and(|one| **one == *own) {
                items.remove(at);
                self.0.insert(file, items);
            }
        }
    }

    /// The files of the items that link to a file.
    pub fn to(&self, file: &str) -> impl Iterator<Item = &str> {
        let items = self.0.get(file).into_iter().flatten();
        items.map(|one| &**one)
    }
}

/// The content files that links lead to, each once.
pub fn files_in(links: &[ContentLink]) -> Vec<&str> {
    each_once(links, |target| match target {
        LinkTarget::File(file) => Some(file.as_str()),
        _ => None,
    })
}

/// The keys of words in a body, each once.
pub fn words_in(links: &[ContentLink]) -> Vec<&str> {
    each_once(links, |target| match target {
        LinkTarget::Word(key) => Some(key),
        _ => None,
    })
}

fn each_once(links: &[ContentLink], name: fn(&LinkTarget) -> Option<&str>) -> Vec<&str> {
    let names = links.iter().filter_map(|link| name(&link.target));
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}
