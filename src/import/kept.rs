//! What a service keeps of an entry beside a feed: whether it is seen, whether it is a Page, what it is called.

use feeds::{Item, Kept};

use super::found::{Entry, Found};
use super::wordpress;
use crate::model::ItemId;

/// What the service that an item is from keeps of it.
pub fn of(item: &Item) -> Option<Kept> {
    let own = item.kept.clone();
    match &item.wordpress {
        Some(export) => Some(Kept {
            files: own.map(|own| own.files).unwrap_or_default(),
            ..wordpress::kept(export)
        }),
        None => own,
    }
}

/// Keys that Pages have.
const OF_PAGES: [&str; 10] = [
    "id",
    "title",
    "status",
    "date_published",
    "date_modified",
    "language",
    "meta_description",
    "navigation_label",
    "navigation_order",
    "show_in_navigation",
];

/// A service knows whether an entry is to be seen, and whether it is a Page.
pub fn put(mut entry: Entry, kept: Kept, found: &mut Found) {
    for (key, value) in kept.fields {
        entry.set(&key, value);
    }
    if kept.is_draft {
        // A draft's address is a number.
        entry.address = None;
    }
    if let Some(id) = kept.id.as_deref().and_then(|id| ItemId::parse(id).ok()) {
        entry.set("id", id.to_string());
        if id.as_str() != entry.identity {
            entry.set("guid", entry.identity.clone());
        }
    }
    entry.segment = kept.segment.filter(|name| !name.is_empty());
    entry.texts = kept.files.into_iter().collect();
    if kept.is_page {
        entry
            .fields
            .retain(|key, _| OF_PAGES.contains(&key.as_str()) || key == "aliases");
        found.pages.push(entry);
    } else {
        entry.fields.remove("meta_description");
        found.items.push(entry);
    }
}
