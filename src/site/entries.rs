//! Items become entries of a snapshot; those that did not change keep the entry they had.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use rayon::prelude::*;

use super::paths;
use super::snapshot::{Entry, Snapshot};
use crate::model::{Config, Item, Slug, SortKey, SortOrder, Status, Visibility};

/// An item on its way into a snapshot.
pub struct Draft {
    /// The entry it has so far.
    pub entry: Arc<Entry>,
    /// The item and fingerprint of the file, where the entry is the previous snapshot's.
    pub known: Option<(Arc<Item>, u64)>,
}

/// The entries of a site's items, links not resolved but in those of the previous snapshot.
pub fn drafts(
    config: &Config,
    items: Vec<(Arc<Item>, u64)>,
    visibility: Visibility,
    previous: Option<&Snapshot>,
) -> Vec<Draft> {
    let previous = previous.filter(|previous| previous.config.base_url == config.base_url);
    let known: HashMap<usize, &Arc<Entry>> = previous
        .iter()
        .flat_map(|previous| &previous.entries)
        .map(|entry| (entry.made_of.as_ptr().addr(), entry))
        .collect();
    let draft = |(item, fingerprint): (Arc<Item>, u64)| {
        let status = visibility.effective(item.status, item.date_published);
        match known.get(&Arc::as_ptr(&item).addr()) {
            Some(entry) if entry.status == status => Draft {
                entry: Arc::clone(entry),
                known: Some((item, fingerprint)),
            },
            _ => Draft {
                entry: Arc::new(Entry::of(config, item, fingerprint, status)),
                known: None,
            },
        }
    };
    items.into_par_iter().map(draft).collect()
}

impl Entry {
    /// The entry of an item as its file has it.
    pub fn of(config: &Config, mut item: Arc<Item>, fingerprint: u64, status: Status) -> Self {
        let made_of = Arc::downgrade(&item);
        let segment = item.segment();
        // An item that names its own page is about nothing elsewhere.
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
            made_of,
            segment,
            status,
            item,
            fingerprint,
        }
    }
}

/// Entries in the order of the feed. Items without a date are the oldest; equal dates keep the order
/// of ids.
pub fn in_feed_order(drafts: Vec<Draft>, config: &Config) -> Vec<Arc<Entry>> {
    let date = |item: &Item| -> Option<Timestamp> {
        match config.feed.sort {
            SortKey::Published => item.date_published,
            SortKey::Updated => item.date_modified.or(item.date_published),
            SortKey::Created => item.date_created.or(item.date_published),
        }
    };
    // The dates lie beside the entries: comparing them reaches into no item.
    let mut dated: Vec<(Option<Timestamp>, Arc<Entry>)> = drafts
        .into_iter()
        .map(|draft| (date(&draft.entry.item), draft.entry))
        .collect();
    dated.sort_by(|(first, a), (second, b)| {
        let ascending = first.cmp(second).then_with(|| b.item.id.cmp(&a.item.id));
        match config.feed.order {
            SortOrder::Asc => ascending,
            SortOrder::Desc => ascending.reverse(),
        }
    });
    dated.into_iter().map(|(_, entry)| entry).collect()
}
