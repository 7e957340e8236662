//! Which items link to which content files, and by which names: when a file gets another URL, or a name leads elsewhere,
//! these items change with it.

use std::collections::BTreeSet;

use super::names::compared;
use model::{ContentLink, Item, LinkTarget, List, SharedMap};

/// The files of items, by what they link to: a file, or the [key of a name](key_of_name).
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

    /// Takes out what [`add`](Self::add) put in.
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

    /// The files of the items that link to a file, or by a name.
    pub fn to(&self, key: &str) -> impl Iterator<Item = &str> {
        let items = self.0.get(key).into_iter().flatten();
        items.map(|one| &**one)
    }
}

/// What stands for a name, as it is compared, beside the paths of files.
pub fn key_of_name(name: &str) -> String {
    format!("name/{name}")
}

/// The keys of what links lead to, each once.
pub fn keys(links: &[ContentLink]) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for link in links {
        match &link.target {
            LinkTarget::File(file) => {
                keys.insert(file.as_str().to_owned());
            }
            LinkTarget::Name(name) => {
                keys.insert(key_of_name(&compared(name)));
                // It may be a path, of which the last part is the name of a file.
                if let Some((_, last)) = name.rsplit_once('/') {
                    keys.insert(key_of_name(&compared(last)));
                }
            }
            LinkTarget::Path(_) | LinkTarget::Here | LinkTarget::Word(_) => {}
        }
    }
    keys
}
