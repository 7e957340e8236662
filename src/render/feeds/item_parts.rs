//! Serialized items that feeds share: an item has the same bytes in its own feed and in the site's
//! feed.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::view::FeedEnvelope;
use model::ItemId;

/// Serialized items from the items' own feeds, kept for reuse in the site's feed. The collection
/// grows to the size of the items' feeds, so it lives only while one batch of documents is written.
#[derive(Debug, Default)]
pub struct ItemParts {
    items: Mutex<HashMap<(Format, ItemId), Vec<u8>>>,
    /// The parts of the JSON Feed that are the same in the feeds of all items.
    json_feed: OnceLock<FeedEnvelope>,
}

/// The format of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Format {
    Json,
    Rss,
}

impl ItemParts {
    pub(super) fn keep(&self, format: Format, id: &ItemId, written: &[u8]) {
        self.parts().insert((format, id.clone()), written.to_vec());
    }

    /// Removes and returns a stored item.
    pub(super) fn take(&self, format: Format, id: &ItemId) -> Option<Vec<u8>> {
        self.parts().remove(&(format, id.clone()))
    }

    /// Returns the parts that the JSON Feeds of all items share. `make` is called only once.
    pub(super) fn json_feed(&self, make: impl FnOnce() -> FeedEnvelope) -> &FeedEnvelope {
        self.json_feed.get_or_init(make)
    }

    fn parts(&self) -> std::sync::MutexGuard<'_, HashMap<(Format, ItemId), Vec<u8>>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
