//! Items as feeds have them: an item's own feed and that of the site hold the same bytes.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::model::ItemId;

/// Items that were written into their own feeds, kept for the site's. It starts empty; what it keeps is as
/// large as those feeds, so it is for documents that are written together.
#[derive(Debug, Default)]
pub struct ItemParts(Mutex<HashMap<(Format, ItemId), Vec<u8>>>);

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

    fn parts(&self) -> std::sync::MutexGuard<'_, HashMap<(Format, ItemId), Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
