//! JSON Feed 1.1 documents.

use super::inputs::{JsonFeedPage, Shared};
use super::item_parts::{Format, ItemParts};
use super::view::{self, Neighbours};
use crate::model::podcast::LiveItem;
use crate::site::{ItemEntry, paths};

/// A document of the site's feed.
pub fn page(shared: &Shared<'_>, page: &JsonFeedPage<'_>, parts: Option<&ItemParts>) -> Vec<u8> {
    let url = |n| shared.config.url(&paths::json_feed(n));
    let at = Neighbours::of(page.number, page.has_next, url);
    let shows = page.shows.map_or(&[][..], |shows| shows.items);
    write(shared, &at, shows, &page.entries, |out, entry| {
        let kept = parts.and_then(|parts| parts.take(Format::Json, &entry.item.id));
        match kept {
            Some(written) => out.extend_from_slice(&written),
            None => item(shared, entry, out),
        }
    })
}

/// The feed of one item.
pub fn of_item(shared: &Shared<'_>, entry: &ItemEntry, parts: Option<&ItemParts>) -> Vec<u8> {
    let own = shared.config.url(&paths::item_json(entry.item.id.as_str()));
    let at = Neighbours::none(own);
    write(shared, &at, &[], &[entry], |out, entry| {
        let start = out.len();
        item(shared, entry, out);
        if let Some(parts) = parts {
            parts.keep(Format::Json, &entry.item.id, &out[start..]);
        }
    })
}

/// The first document of a feed with these live shows and items alone.
pub fn alone(shared: &Shared<'_>, shows: &[LiveItem], entries: &[&ItemEntry]) -> Vec<u8> {
    let own = shared.config.url(&paths::json_feed(1));
    let at = Neighbours::none(own);
    write(shared, &at, shows, entries, |out, entry| {
        item(shared, entry, out);
    })
}

fn write(
    shared: &Shared<'_>,
    at: &Neighbours,
    shows: &[LiveItem],
    entries: &[&ItemEntry],
    item: impl Fn(&mut Vec<u8>, &ItemEntry),
) -> Vec<u8> {
    let namespace = &shared.config.namespace;
    let feed = view::feed(shared.config, shared.channel, shared.year, at, namespace);
    let mut out = Vec::with_capacity(16 * 1024);
    let written = serde_json::to_writer(&mut out, &feed.with_shows(shows));
    debug_assert!(written.is_ok(), "a view holds only what JSON can");
    // The feed is an object that is never empty: its items go before its closing brace.
    out.pop();
    out.extend_from_slice(b",\"items\":[");
    for (number, entry) in entries.iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        item(&mut out, entry);
    }
    out.extend_from_slice(b"]}");
    out
}

fn item(shared: &Shared<'_>, entry: &ItemEntry, out: &mut Vec<u8>) {
    view::item(shared.config, entry, &shared.config.namespace).write(out);
}
