//! JSON Feed 1.1 documents.

use super::view::{self, FeedView};
use crate::site::{ItemEntry, Snapshot};

/// A document of a feed with these items. Views hold only what JSON can, so this cannot fail.
pub fn document<'a>(
    snapshot: &Snapshot,
    feed: &FeedView<'_>,
    entries: impl Iterator<Item = &'a ItemEntry>,
) -> Vec<u8> {
    let namespace = &snapshot.config.namespace;
    let mut out = serde_json::to_vec(feed).unwrap_or_default();
    // The feed is an object that is never empty: its items go before its closing brace.
    out.pop();
    out.extend_from_slice(b",\"items\":[");
    for (number, entry) in entries.enumerate() {
        if number > 0 {
            out.push(b',');
        }
        let written =
            serde_json::to_writer(&mut out, &view::item(&snapshot.config, entry, namespace));
        debug_assert!(written.is_ok(), "a view holds only what JSON can");
    }
    out.extend_from_slice(b"]}");
    out
}
