//! Turns items into entries of a snapshot. Unchanged items keep their entry of the previous
//! snapshot.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use rayon::prelude::*;

use super::feed_order::compare_dated;
use super::item_entry::ItemEntry;
use super::paths;
use super::snapshot::Snapshot;
use model::{Config, Item, List, Slug, Status, Visibility};

/// An item's entry, before the links of all entries are resolved.
pub struct UnresolvedEntry {
    /// The entry. Its links are already resolved if it comes from the previous snapshot.
    pub entry: Arc<ItemEntry>,
    /// The position in the previous snapshot, if the entry comes from there.
    pub known: Option<PreviousEntry>,
}

/// An unchanged entry of the previous snapshot.
pub struct PreviousEntry {
    /// The entry's index in the previous snapshot.
    pub at: usize,
    /// The item as it was read from its file, with unresolved links.
    pub item: Arc<Item>,
    /// The fingerprint of the file.
    pub fingerprint: u64,
}

/// Creates the entries of a site's items. Only entries of the previous snapshot have resolved
/// links.
pub fn unresolved_entries(
    config: &Config,
    items: List<(Arc<Item>, u64)>,
    visibility: Visibility,
    previous: Option<&Snapshot>,
) -> Vec<UnresolvedEntry> {
    let previous = previous.filter(|previous| previous.config.base_url == config.base_url);
    let known: HashMap<usize, (usize, &Arc<ItemEntry>)> = previous
        .iter()
        .flat_map(|previous| previous.entries.iter().enumerate())
        .map(|(at, entry)| (entry.made_of.as_ptr().addr(), (at, entry)))
        .collect();
    let draft = |(item, fingerprint): (Arc<Item>, u64)| {
        let status = visibility.effective(item.status, item.date_published);
        match known.get(&Arc::as_ptr(&item).addr()) {
            Some((at, entry)) if entry.status == status => UnresolvedEntry {
                entry: Arc::clone(entry),
                known: Some(PreviousEntry { at: *at, item, fingerprint }),
            },
            _ => UnresolvedEntry {
                entry: Arc::new(ItemEntry::of(config, item, fingerprint, status)),
                known: None,
            },
        }
    };
    let unresolved_entries: Vec<UnresolvedEntry> =
        items.into_vec().into_par_iter().map(draft).collect();
    match previous {
        Some(previous) => in_previous_order(unresolved_entries, previous.entries.len()),
        None => unresolved_entries,
    }
}

/// Sorts entries of the previous snapshot in their previous order, followed by the other entries.
/// This is nearly feed order, so the later sort is fast.
fn in_previous_order(
    unresolved_entries: Vec<UnresolvedEntry>,
    count: usize,
) -> Vec<UnresolvedEntry> {
    let mut known: Vec<Option<UnresolvedEntry>> = (0..count).map(|_| None).collect();
    let mut others = Vec::new();
    for draft in unresolved_entries {
        match &draft.known {
            Some(PreviousEntry { at, .. }) => {
                let at = *at;
                known[at] = Some(draft);
            }
            None => others.push(draft),
        }
    }
    known.into_iter().flatten().chain(others).collect()
}

impl ItemEntry {
    /// Creates the entry of an item as it was read from its file.
    pub fn of(config: &Config, mut item: Arc<Item>, fingerprint: u64, status: Status) -> Self {
        let made_of = Arc::downgrade(&item);
        let mount = config.languages.mount(config.languages.index(item.language.as_deref()));
        let segment = item.segment();
        let path = paths::item_in_site(config, &item);
        // If the `url` of an item is the item's own page, the `url` is ignored: the item is not a
        // link to another page.
        let names_itself = item.url.as_ref().is_some_and(|url| {
            let url = url.trim_end_matches('/');
            let own = [paths::item_key(&segment), paths::item_key(item.id.as_str())];
            own.iter().chain([&path]).any(|own| config.url(own).trim_end_matches('/') == url)
        });
        if names_itself {
            Arc::make_mut(&mut item).url = None;
        }
        Self {
            tags: item.tags.iter().map(|tag| Slug::from_tag(tag)).collect(),
            authors: item.authors.iter().map(|author| Slug::from_title(&author.name)).collect(),
            made_of,
            segment,
            path,
            mount,
            channel: None,
            status,
            item,
            fingerprint,
        }
    }
}

/// Sorts entries in feed order.
pub fn in_feed_order(
    unresolved_entries: Vec<UnresolvedEntry>,
    config: &Config,
) -> List<Arc<ItemEntry>> {
    // The dates are copied, so that comparing them does not access the items.
    let mut dated: Vec<(Option<Timestamp>, UnresolvedEntry)> = unresolved_entries
        .into_iter()
        .map(|draft| (config.feed.sort.date(&draft.entry.item), draft))
        .collect();
    dated.par_sort_by(|(first, a), (second, b)| {
        compare_dated(config, (*first, &a.entry.item), (*second, &b.entry.item))
    });
    dated.into_iter().map(|(_, draft)| draft.entry).collect()
}
