//! Items as feeds have them: an item's own feed and that of the site hold the same bytes.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::view::AroundUrl;
use model::ItemId;

/// Items that were written into their own feeds, kept for the site's. It starts empty; what it keeps is as
/// large as those feeds, so it is for documents that are written together.
#[derive(Debug, Default)]
pub struct ItemParts {
    items: Mutex<HashMap<(Format, ItemId), Vec<u8>>>,
    /// The rest of an item's own JSON Feed.
    json_feed: OnceLock<AroundUrl>,
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

    /// Gives what was kept, once.
    pub(super) fn take(&self, format: Format, id: &ItemId) -> Option<Vec<u8>> {
        self.parts().remove(&(format, id.clone()))
    }

    /// What the JSON Feeds of items have in common, made once.
    pub(super) fn json_feed(&self, make: impl FnOnce() -> AroundUrl) -> &AroundUrl {
        self.json_feed.get_or_init(make)
    }

    fn parts(&self) -> std::sync::MutexGuard<'_, HashMap<(Format, ItemId), Vec<u8>>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
