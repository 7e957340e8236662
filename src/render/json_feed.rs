//! JSON Feed 1.1 documents.

use super::inputs::{JsonFeedPage, Shared};
use super::view::{self, FeedView, Neighbours};
use crate::model::podcast::LiveItem;
use crate::site::{ItemEntry, paths};

/// A document of the site's feed.
pub fn page(shared: &Shared<'_>, page: &JsonFeedPage<'_>) -> Vec<u8> {
    let url = |n| shared.config.url(&paths::json_feed(n));
    let at = Neighbours::of(page.number, page.has_next, url);
    let shows = page.shows.map_or(&[][..], |shows| shows.items);
    let entries = page.entries.iter().copied();
    document(shared, &at, shows, entries)
}

/// The feed of one item.
pub fn of_item(shared: &Shared<'_>, entry: &ItemEntry) -> Vec<u8> {
    let own = shared.config.url(&paths::item_json(entry.item.id.as_str()));
    document(shared, &Neighbours::none(own), &[], std::iter::once(entry))
}

/// A feed with these live shows and items.
pub fn document<'a>(
    shared: &Shared<'_>,
    at: &Neighbours,
    shows: &[LiveItem],
    entries: impl Iterator<Item = &'a ItemEntry>,
) -> Vec<u8> {
    let namespace = &shared.config.namespace;
    let feed = view::feed(shared.config, shared.channel, shared.year, at, namespace);
    written(shared, &feed.with_shows(shows), entries)
}

/// Views hold only what JSON can, so this cannot fail.
fn written<'a>(
    shared: &Shared<'_>,
    feed: &FeedView<'_>,
    entries: impl Iterator<Item = &'a ItemEntry>,
) -> Vec<u8> {
    let config = shared.config;
    let mut out = serde_json::to_vec(feed).unwrap_or_default();
    // The feed is an object that is never empty: its items go before its closing brace.
    out.pop();
    out.extend_from_slice(b",\"items\":[");
    for (number, entry) in entries.enumerate() {
        if number > 0 {
            out.push(b',');
        }
        let item = view::item(config, entry, &config.namespace);
        let written = serde_json::to_writer(&mut out, &item);
        debug_assert!(written.is_ok(), "a view holds only what JSON can");
    }
    out.extend_from_slice(b"]}");
    out
}
