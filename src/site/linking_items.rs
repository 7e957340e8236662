//! Records which items link to which content files, by path or by name. When a file's URL changes
//! or a name points to another file, these items change too.

use std::collections::BTreeSet;

use super::names::normalized_name;
use model::{ContentLink, Item, LinkTarget, List, SharedMap};

/// The files of linking items, by link target: a file's path, or the [key of a name](key_of_name).
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
        for key in keys(&item.content.links) {
            let mut items = self.0.get(&key).cloned().unwrap_or_default();
            let at = items.partition_point(|one| **one < *own);
            if items.get(at).is_none_or(|one| **one != *own) {
                items.insert(at, own.into());
                self.0.insert(&key, items);
            }
        }
    }

    /// Removes the entries that [`add`](Self::add) inserted for an item.
    pub fn remove(&mut self, item: &Item) {
        let own = item.source.as_str();
        for key in keys(&item.content.links) {
            let Some(mut items) = self.0.get(&key).cloned() else {
                continue;
            };
            let at = items.partition_point(|one| **one < *own);
            if items.get(at).is_some_and(|one| **one == *own) {
                items.remove(at);
                self.0.insert(&key, items);
            }
        }
    }

    /// Returns the files of the items that link to a file or name with this key.
    pub fn linking_to(&self, key: &str) -> impl Iterator<Item = &str> {
        let items = self.0.get(key).into_iter().flatten();
        items.map(|one| &**one)
    }
}

/// Returns the key for a normalized name. No file path has the same key.
pub fn key_of_name(name: &str) -> String {
    format!("name/{name}")
}

/// Returns the keys of the targets of links, without duplicates.
pub fn keys(links: &[ContentLink]) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for link in links {
        match &link.target {
            LinkTarget::File(file) => {
                keys.insert(file.as_str().to_owned());
            }
            LinkTarget::Name(name) => {
                keys.insert(key_of_name(&normalized_name(name)));
                // A link by name may contain a path, whose last part alone may also be the name.
                if let Some((_, last)) = name.rsplit_once('/') {
                    keys.insert(key_of_name(&normalized_name(last)));
                }
            }
            LinkTarget::Path(_) | LinkTarget::Here | LinkTarget::Word(_) => {}
        }
    }
    keys
}
