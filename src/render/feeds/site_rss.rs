//! The site's RSS documents: the site's feed, the feed of one item and the feed of a facet.

use jiff::Timestamp;

use super::chapter_times::chapter_times;
use super::facet_channel::facet_channel;
use super::item_parts::{Format, ItemParts};
use super::rss::{self, Paging, RssFeed, RssItem};
use super::xml::{Stylesheet, Xml};
use crate::inputs::{FacetFeed, RssPage, Shared};
use crate::pictures::artwork::{RssArtwork, cover};
use crate::pictures::cards::podcast_image;
use crate::pictures::shown::body_with_sizes;
use crate::social_cards::CardSubject;
use crate::view::Neighbours;
use model::podcast::LiveItem;
use model::{Access, Channel};
use site::{ItemEntry, paths};
use theme::Slot;

/// Writes a document of the site's feed.
pub fn page(shared: &Shared<'_>, page: &RssPage<'_>, parts: Option<&ItemParts>) -> Vec<u8> {
    let url = |n: usize| shared.config.url(&paths::rss(n));
    let at = Neighbours::of(page.number, page.number < page.count, url);
    let paged = page.count > 1;
    let paging = Paging {
        first: paged.then(|| url(1)),
        last: paged.then(|| url(page.count)),
        prev: at.prev,
        next: at.next,
        self_url: (page.number > 1).then_some(at.own),
    };
    let document = RssDocument {
        path: paths::rss(1),
        paging,
        shows: page.shows.map_or(&[][..], |shows| shows.items),
        last_build: page.last_changed,
    };
    document.write(shared, &page.entries, |xml, entry| {
        let kept = parts.and_then(|parts| parts.take(Format::Rss, &entry.item.id));
        match kept {
            Some(written) => xml.paste(&written),
            None => item(shared, entry, xml),
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
    let own = shared.config.url(&paths::item_rss(entry));
    let document = RssDocument {
        path: paths::rss(1),
        paging: Paging { self_url: Some(own), ..Paging::default() },
        shows: &[],
        last_build: entry.item.updated(),
    };
    document.write(shared, &[entry], |xml, entry| {
        let written = xml.copy_of(|xml| item(shared, entry, xml));
        if let Some(parts) = parts {
            parts.keep(Format::Rss, &entry.item.id, written);
        }
    })
}

/// Writes the feed of a facet.
pub fn write_facet_feed(shared: &Shared<'_>, feed: &FacetFeed<'_>) -> Vec<u8> {
    let channel = facet_channel(shared, &feed.of);
    let shared = &shared.with_channel(&channel);
    let changed = feed.entries.iter().map(|entry| entry.item.updated());
    let document = RssDocument {
        path: paths::facet_rss(feed.of.kind, feed.of.slug),
        paging: Paging::default(),
        shows: &[],
        last_build: changed.max().flatten(),
    };
    document.write(shared, &feed.entries, |xml, entry| item(shared, entry, xml))
}

/// Writes the feed of a publisher, which lists the feeds of its shows and has no items.
pub fn write_publisher_feed(shared: &Shared<'_>, channel: &Channel) -> Vec<u8> {
    let shared = &shared.with_channel(channel);
    let document = RssDocument {
        path: paths::PUBLISHER.into(),
        paging: Paging::default(),
        shows: &[],
        last_build: None,
    };
    document.write(shared, &[], |_, _| ())
}

/// The data that differs between RSS documents, apart from the items.
struct RssDocument<'a> {
    /// The path of the feed that the document belongs to.
    path: String,
    paging: Paging,
    shows: &'a [LiveItem],
    last_build: Option<Timestamp>,
}

impl RssDocument<'_> {
    fn write(
        self,
        shared: &Shared<'_>,
        entries: &[&ItemEntry],
        item: impl Fn(&mut Xml<'_>, &ItemEntry),
    ) -> Vec<u8> {
        let config = shared.config;
        let home = config.url("/");
        let feed = RssFeed {
            channel: shared.channel,
            feed_url: &config.url(&self.path),
            home_url: shared.channel.homepage_url.as_deref().unwrap_or(&home),
            artwork: RssArtwork::of(shared),
            social_image: podcast_image(
                shared,
                CardSubject::Home,
                &shared.channel.podcast.shared.images,
            ),
            items: &[],
            paging: self.paging,
            shows: self.shows,
            stylesheets: stylesheets(shared),
            last_build: self.last_build,
            year: shared.year,
            generator: concat!("feedwright ", env!("CARGO_PKG_VERSION")),
            hubs: &config.hubs,
        };
        let dates = entries.iter().map(|entry| entry.item.date_published);
        let mut out = Vec::with_capacity(16 * 1024);
        rss::with_items(&feed, dates.max().flatten(), &mut out, |xml| {
            entries.iter().for_each(|entry| item(xml, entry));
        });
        out
    }
}

/// Returns the theme's stylesheets for feeds. XSL comes before CSS: browsers without XSL support
/// use the CSS.
pub(super) fn stylesheets(shared: &Shared<'_>) -> Vec<Stylesheet> {
    let (config, slots) = (shared.config, &shared.theme.slots);
    let all = [
        (Slot::RssStylesheet, paths::RSS_STYLESHEET, "text/xsl"),
        (Slot::RssStyles, paths::RSS_STYLES, "text/css"),
    ];
    let are_there = |slot: &Slot| config.access == Access::Public && slots.contains_key(slot);
    let all = all.into_iter().filter(|(slot, ..)| are_there(slot));
    all.map(|(_, path, media_type)| Stylesheet { url: config.path(path), media_type }).collect()
}

fn item(shared: &Shared<'_>, entry: &ItemEntry, xml: &mut Xml<'_>) {
    let config = shared.config;
    let show = shared.show_of(entry);
    let shared = &show.map_or(*shared, |show| shared.of_show(show));
    let chapters = || config.url(&paths::chapters(entry, entry.item.id.as_str()));
    let body = body_with_sizes(shared, &entry.item.media, entry.item.content.body());
    let has_times = entry.has_chapters() && config.feed.chapter_times.has(shared.channel);
    let item = RssItem {
        item: &entry.item,
        size_in_bytes: shared.recordings.size_in_bytes(entry),
        cover: cover(shared, entry),
        social_image: podcast_image(
            shared,
            CardSubject::Item(entry),
            &entry.item.podcast.shared.images,
        ),
        chapter_times: has_times.then(|| chapter_times(&entry.item, &body.html)).flatten(),
        body,
        web_url: config.url(&entry.path),
        source: show.and_then(|show| Some((&*show.title, show.rss_url.as_deref()?))),
        authors: match &entry.channel {
            Some(channel) => entry.authors(channel),
            None => &entry.item.authors,
        },
        chapters_url: entry.has_chapters().then(chapters),
    };
    rss::item(xml, shared.channel, &item);
}
