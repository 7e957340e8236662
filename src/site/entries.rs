//! Items become entries of a snapshot; those that did not change keep the entry they had.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use rayon::prelude::*;

use super::feed_order::compare_dated;
use super::item_entry::ItemEntry;
use super::paths;
use super::snapshot::Snapshot;
use model::{Config, Item, List, Slug, Status, Visibility};

/// An item's entry while its links are not resolved yet.
pub struct UnresolvedEntry {
    /// The entry, with unresolved links unless it is the previous snapshot's.
    pub entry: Arc<ItemEntry>,
    /// Set if the entry is the previous snapshot's.
    pub known: Option<PreviousEntry>,
}

/// Where an unchanged entry was in the previous snapshot.
pub struct PreviousEntry {
    /// Its index in the previous snapshot.
    pub at: usize,
    /// The item as its file has it.
    pub item: Arc<Item>,
    /// The fingerprint of the file.
    pub fingerprint: u64,
}

/// The entries of a site's items. Links are resolved only in entries of the previous snapshot.
pub fn drafts(
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
    let drafts: Vec<UnresolvedEntry> = items.into_vec().into_par_iter().map(draft).collect();
    match previous {
        Some(previous) => in_previous_order(drafts, previous.entries.len()),
        None => drafts,
    }
}

/// Known entries in the order of the previous snapshot, then the others: that is nearly feed order, which
/// sorts fast.
fn in_previous_order(drafts: Vec<UnresolvedEntry>, count: usize) -> Vec<UnresolvedEntry> {
    let mut known: Vec<Option<UnresolvedEntry>> = (0..count).map(|_| None).collect();
    let mut others = Vec::new();
    for draft in drafts {
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
    /// The entry of an item as its file has it.
    pub fn of(config: &Config, mut item: Arc<Item>, fingerprint: u64, status: Status) -> Self {
        let made_of = Arc::downgrade(&item);
        let segment = item.segment();
        // An item whose `url` is its own page has no page elsewhere.
        let names_itself = item.url.as_ref().is_some_and(|url| {
            let url = url.trim_end_matches('/');
            [segment.as_str(), item.id.as_str()]
                .iter()
                .any(|key| config.url(&paths::item(key)).trim_end_matches('/') == url)
        });
        if names_itself {
            Arc::make_mut(&mut item).url = None;
        }
        Self {
            tags: item.tags.iter().map(|tag| Slug::from_tag(tag)).collect(),
            authors: item.authors.iter().map(|author| Slug::from_title(&author.name)).collect(),
            made_of,
            segment,
            status,
            item,
            fingerprint,
        }
    }
}

/// Entries in the order of the feed.
pub fn in_feed_order(drafts: Vec<UnresolvedEntry>, config: &Config) -> List<Arc<ItemEntry>> {
    // The dates are copied beside the entries, so that comparing them does not touch the items.
    let mut dated: Vec<(Option<Timestamp>, UnresolvedEntry)> =
        drafts.into_iter().map(|draft| (config.feed.sort.date(&draft.entry.item), draft)).collect();
    dated.par_sort_by(|(first, a), (second, b)| {
        compare_dated(config, (*first, &a.entry.item), (*second, &b.entry.item))
    });
    dated.into_iter().map(|(_, draft)| draft.entry).collect()
}
