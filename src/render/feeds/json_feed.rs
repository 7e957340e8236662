//! JSON Feed 1.1 documents.

use super::facet_channel::facet_channel;
use super::item_parts::{Format, ItemParts};
use crate::inputs::{FacetFeed, JsonFeedPage, Shared};
use crate::pictures::artwork::squared;
use crate::pictures::shown::body_with_sizes;
use crate::view::{self, FeedEnvelope, Neighbours};
use model::Image;
use model::artwork::{FAVICON, JSON_ICON};
use model::podcast::LiveItem;
use site::{ItemEntry, paths};

/// Writes a document of the site's feed.
pub fn page(shared: &Shared<'_>, page: &JsonFeedPage<'_>, parts: Option<&ItemParts>) -> Vec<u8> {
    let url = |n| shared.config.url(&paths::json_feed(n));
    let at = Neighbours::of(page.number, page.has_next, url);
    let shows = page.shows.map_or(&[][..], |shows| shows.items);
    let feed = feed_envelope(shared, &at, shows);
    write(&feed, &at.own, &page.entries, |out, entry| {
        let kept = parts.and_then(|parts| parts.take(Format::Json, &entry.item.id));
        match kept {
            Some(written) => out.extend_from_slice(&written),
            None => item(shared, entry, out),
        }
    })
}

/// Writes the feed of one item.
pub fn write_item_feed(
    shared: &Shared<'_>,
    entry: &ItemEntry,
    parts: Option<&ItemParts>,
) -> Vec<u8> {
    let shared = &shared.with_own_channel();
    let own = shared.config.url(&paths::item_json(entry));
    let make = || feed_envelope(shared, &Neighbours::default(), &[]);
    let feed = match parts {
        Some(parts) => parts.json_feed(make),
        None => &make(),
    };
    write(feed, &own, &[entry], |out, entry| {
        let start = out.len();
        item(shared, entry, out);
        if let Some(parts) = parts {
            parts.keep(Format::Json, &entry.item.id, &out[start..]);
        }
    })
}

/// Writes the feed of a facet.
pub fn write_facet_feed(shared: &Shared<'_>, feed: &FacetFeed<'_>) -> Vec<u8> {
    let channel = facet_channel(shared, &feed.of);
    let shared = &shared.with_channel(&channel);
    let around = feed_envelope(shared, &Neighbours::default(), &[]);
    let own = paths::facet_json(feed.of.kind, feed.of.slug);
    write(&around, &shared.config.url(&own), &feed.entries, |out, entry| item(shared, entry, out))
}

/// Writes the first document of a feed with only these live shows and items.
pub fn feed_excerpt(shared: &Shared<'_>, shows: &[LiveItem], entries: &[&ItemEntry]) -> Vec<u8> {
    let feed = feed_envelope(shared, &Neighbours::default(), shows);
    let own = shared.config.url(&paths::json_feed(1));
    write(&feed, &own, entries, |out, entry| item(shared, entry, out))
}

fn feed_envelope(shared: &Shared<'_>, at: &Neighbours, shows: &[LiveItem]) -> FeedEnvelope {
    let namespace = &shared.config.namespace;
    let feed = view::feed(shared.config, shared.channel, shared.year, at, namespace);
    let sized =
        |icon: &Option<Image>, side| Some(squared(shared, icon.as_ref()?, side).url.clone());
    let icon = sized(&shared.channel.icon, JSON_ICON);
    let favicon = sized(&shared.channel.favicon, FAVICON);
    feed.with_icons(icon, favicon).with_shows(shows).feed_envelope()
}

fn write(
    feed: &FeedEnvelope,
    own: &str,
    entries: &[&ItemEntry],
    item: impl Fn(&mut Vec<u8>, &ItemEntry),
) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 * 1024);
    feed.write(own, &mut out, |out| {
        for (number, entry) in entries.iter().enumerate() {
            if number > 0 {
                out.push(b',');
            }
            item(out, entry);
        }
    });
    out
}

fn item(shared: &Shared<'_>, entry: &ItemEntry, out: &mut Vec<u8>) {
    let item = &entry.item;
    let body = body_with_sizes(shared, &item.media, item.content.body());
    let size = shared.recordings.size_in_bytes(entry);
    view::in_document(shared.config, entry, body, size).write(out);
}
