//! The RSS 2.0 document, with the `atom`, `content`, `dc`, `itunes` and `podcast` namespaces,
//! and `psc` for chapters.
//!
//! Choices that a specification leaves open:
//! - Authors are `dc:creator`: RSS's own `author` must be an e-mail address.
//! - An item's `description` is its summary, `content:encoded` the full text.
//! - `guid` is not a permalink unless it is the item's own page.
//! - Dates come from the content, never from the clock, so the same content gives the same bytes.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::Timestamp;

use super::chapters::{names, simple_chapters};
use super::podcast::{self, bool_text, guid};
use super::xml::{Stylesheet, Xml};
use crate::pictures::artwork::RssArtwork;
use crate::text::{html_of_text, rfc_822};
use crate::view::copyright;
use crate::view::numbers::{Numbers, numbers};
use model::podcast::{LiveItem, PodcastImage};
use model::{Author, Body, Category, Channel, Item};

/// The content of an RSS document.
#[derive(Debug, Clone)]
pub struct RssFeed<'a> {
    pub channel: &'a Channel,
    /// The feed's address, which readers subscribe to. It is the address of the first page.
    pub feed_url: &'a str,
    /// The address of the website page that the feed belongs to.
    pub home_url: &'a str,
    pub artwork: Option<RssArtwork>,
    /// The social card of the site.
    pub social_image: Option<PodcastImage>,
    /// The items, in order.
    pub items: &'a [RssItem<'a>],
    /// Live shows from the calendars, in addition to the channel's own live items.
    pub shows: &'a [LiveItem],
    /// The addresses of this document and the other documents of the feed.
    pub paging: Paging,
    /// The stylesheets with which browsers display the feed.
    pub stylesheets: Vec<Stylesheet>,
    /// The time when the content last changed.
    pub last_build: Option<Timestamp>,
    /// The year that replaces `{{current_year}}` in the copyright notice.
    pub year: i16,
    /// The program's name and version.
    pub generator: &'a str,
    /// The hubs that notify subscribers of changes (WebSub, section 4).
    pub hubs: &'a [String],
}

/// An item and its addresses.
#[derive(Debug, Clone)]
pub struct RssItem<'a> {
    pub item: &'a Item,
    /// The size of the attachment in bytes.
    pub size_in_bytes: Option<u64>,
    /// The address of the item's picture.
    pub cover: Option<String>,
    /// The social card of the item, if it has one.
    pub social_image: Option<PodcastImage>,
    /// The item's body with every link resolved to an absolute URL.
    pub body: Arc<Body>,
    /// The absolute URL of the item's page.
    pub web_url: String,
    /// The absolute URL of the item's chapters document, if it has one.
    pub chapters_url: Option<String>,
    /// Title and address of the feed of the item's show, in the feed of a network.
    pub source: Option<(&'a str, &'a str)>,
    /// The authors in `itunes:author`.
    pub authors: &'a [Author],
    /// The paragraph of chapter times that follows the text, as HTML.
    pub chapter_times: Option<String>,
}

/// The addresses of a paged feed's documents (RFC 5005 section 3).
#[derive(Debug, Clone, Default)]
pub struct Paging {
    /// The address of this document. Defaults to the feed's address.
    pub self_url: Option<String>,
    /// The address of the first page.
    pub first: Option<String>,
    /// The address of the last page.
    pub last: Option<String>,
    /// The address of the previous page.
    pub prev: Option<String>,
    /// The address of the next page.
    pub next: Option<String>,
}

/// Appends the document to `out`.
pub fn document(feed: &RssFeed<'_>, out: &mut Vec<u8>) {
    let content: usize = feed.items.iter().map(|item| item.body.html.len() + 2048).sum();
    out.reserve(content + 16 * 1024);
    let newest = feed.items.iter().map(|entry| entry.item.date_published);
    with_items(feed, newest.max().flatten(), out, |xml| {
        for entry in feed.items {
            item(xml, feed.channel, entry);
        }
    });
}

/// Writes a document. The function `items` writes the items, each with [`item`]. `newest` is the
/// date of the most recently published item.
pub(super) fn with_items(
    feed: &RssFeed<'_>,
    newest: Option<Timestamp>,
    out: &mut Vec<u8>,
    items: impl FnOnce(&mut Xml<'_>),
) {
    Xml::document(out, &feed.stylesheets, |xml| {
        xml.element("rss")
            .attr("version", "2.0")
            .attr("xmlns:atom", "http://www.w3.org/2005/Atom")
            .attr("xmlns:content", "http://purl.org/rss/1.0/modules/content/")
            .attr("xmlns:dc", "http://purl.org/dc/elements/1.1/")
            .attr("xmlns:itunes", "http://www.itunes.com/dtds/podcast-1.0.dtd")
            .attr("xmlns:podcast", "https://podcastindex.org/namespace/1.0")
            .children(|xml| {
                xml.element("channel").children(|xml| {
                    channel(xml, feed, newest);
                    items(xml);
                });
            });
    });
}

fn channel(xml: &mut Xml<'_>, feed: &RssFeed<'_>, newest: Option<Timestamp>) {
    let channel = feed.channel;
    let title = first_nonempty([&channel.title, feed.home_url]);
    let link = channel.homepage_url.as_deref().unwrap_or(feed.home_url);
    xml.text("title", title);
    xml.text("link", link);
    xml.text("description", first_nonempty([channel.description_text.trim(), title]));
    xml.optional("language", channel.language.as_deref());
    xml.text("copyright", &copyright(channel, title, feed.year));
    let owner = channel.publisher.as_ref().or(channel.authors.first());
    let owner = owner.map_or(title, |owner| owner.name.as_str());
    if let Some(email) = &channel.itunes.email {
        xml.text("managingEditor", &format!("{email} ({owner})"));
    }
    if let Some(newest) = newest {
        xml.text("pubDate", &rfc_822(newest));
    }
    if let Some(last_build) = feed.last_build {
        xml.text("lastBuildDate", &rfc_822(last_build));
    }
    categories(xml, channel);
    xml.text("generator", feed.generator);
    if let Some(artwork) = &feed.artwork {
        xml.element("image").children(|xml| {
            xml.text("url", &artwork.small);
            xml.text("title", title);
            xml.text("link", link);
        });
    }
    paging(xml, feed);
    channel_itunes(xml, feed, owner);
    podcast::channel(xml, &channel.podcast, feed.feed_url);
    podcast::write_records(xml, feed.artwork.iter().flat_map(|artwork| &artwork.for_apps));
    podcast::write_records(xml, &feed.social_image);
    for live in channel.podcast.live_items.iter().chain(feed.shows) {
        podcast::live_item(xml, live);
    }
}

/// Writes RSS's categories. A subcategory is written as a path.
fn categories(xml: &mut Xml<'_>, channel: &Channel) {
    for category in &channel.categories {
        xml.text("category", &category.name);
        for child in &category.categories {
            xml.text("category", &format!("{}/{}", category.name, child.name));
        }
    }
}

/// Writes RFC 5005's link relations. `self` is always present.
fn paging(xml: &mut Xml<'_>, feed: &RssFeed<'_>) {
    let paging = &feed.paging;
    let this = paging.self_url.as_deref().unwrap_or(feed.feed_url);
    let links = [
        ("self", Some(this)),
        ("first", paging.first.as_deref()),
        ("previous", paging.prev.as_deref()),
        ("next", paging.next.as_deref()),
        ("last", paging.last.as_deref()),
    ];
    for (rel, url) in links {
        if let Some(url) = url {
            xml.element("atom:link")
                .attr("href", url)
                .attr("rel", rel)
                .attr("type", "application/rss+xml")
                .empty();
        }
    }
    for hub in feed.hubs {
        xml.element("atom:link").attr("href", hub).attr("rel", "hub").empty();
    }
}

fn channel_itunes(xml: &mut Xml<'_>, feed: &RssFeed<'_>, owner: &str) {
    let channel = feed.channel;
    let itunes = &channel.itunes;
    xml.optional("itunes:title", itunes.title.as_deref());
    xml.optional("itunes:author", names(&channel.authors).as_deref());
    if let Some(email) = &itunes.email {
        xml.element("itunes:owner").children(|xml| {
            xml.text("itunes:name", owner);
            xml.text("itunes:email", email);
        });
    }
    if let Some(artwork) = &feed.artwork {
        xml.element("itunes:image").attr("href", &artwork.whole).empty();
    }
    for category in &channel.categories {
        let tag = xml.element("itunes:category").attr("text", &category.name);
        if category.categories.is_empty() {
            tag.empty();
        } else {
            tag.children(|xml| {
                for child in &category.categories {
                    xml.element("itunes:category").attr("text", &child.name).empty();
                }
            });
        }
    }
    // Apple rejects feeds without this element.
    xml.text("itunes:explicit", bool_text(itunes.explicit.unwrap_or(false)));
    xml.optional("itunes:type", itunes.kind.map(|kind| kind.as_str()));
    if itunes.block {
        xml.text("itunes:block", "Yes");
    }
    if itunes.complete {
        xml.text("itunes:complete", "Yes");
    }
    xml.optional("itunes:new-feed-url", itunes.new_feed_url.as_deref());
}

pub(super) fn item(xml: &mut Xml<'_>, channel: &Channel, entry: &RssItem<'_>) {
    xml.element("item").children(|xml| item_children(xml, channel, entry));
}

fn item_children(xml: &mut Xml<'_>, channel: &Channel, entry: &RssItem<'_>) {
    let item = entry.item;
    xml.text("title", &item.title);
    xml.text("link", item.url.as_deref().unwrap_or(&entry.web_url));
    guid(xml, item.guid.as_deref().unwrap_or(item.id.as_str()), &entry.web_url);
    if let Some(published) = item.date_published {
        xml.text("pubDate", &rfc_822(published));
    }
    let authors = if item.authors.is_empty() { &channel.authors } else { &item.authors };
    for author in authors {
        xml.text("dc:creator", &author.name);
    }
    for tag in &item.tags {
        xml.text("category", tag);
    }
    description(xml, entry);
    let html = match &entry.chapter_times {
        Some(times) => Cow::Owned(format!("{}{times}", entry.body.html)),
        None => Cow::Borrowed(&*entry.body.html),
    };
    if !html.is_empty() {
        xml.element("content:encoded").cdata(&html);
    }
    if let Some(file) =
        item.attachment.as_ref().filter(|file| file.category != Category::ExternalUrl)
    {
        xml.element("enclosure")
            .attr("url", &file.url)
            .display("length", Some(entry.size_in_bytes.unwrap_or(0)))
            .attr("type", first_nonempty([&file.mime_type, "application/octet-stream"]))
            .empty();
    }
    if let Some((title, url)) = entry.source {
        xml.element("source").attr("url", url).text(title);
    }
    let numbers = numbers(item);
    item_itunes(xml, entry, numbers);
    podcast::item(
        xml,
        &item.podcast,
        Some(&channel.podcast.shared),
        numbers,
        entry.chapters_url.as_deref(),
    );
    simple_chapters(xml, &item.podcast.chapters);
    podcast::write_records(xml, &entry.social_image);
}

/// Writes the summary, or the beginning of the text. RSS requires a title or a description, so an
/// item that has neither gets its address as the description.
fn description(xml: &mut Xml<'_>, entry: &RssItem<'_>) {
    /// Maximum length of the excerpt, in characters.
    const MAX_EXCERPT_LENGTH: usize = 500;
    /// Maximum length of a description with chapter times, in bytes (PSP-1, `<description>`).
    const MAX_LENGTH: usize = 4000;
    let item = entry.item;
    let text = match &item.summary {
        Some(summary) => summary.trim().to_owned(),
        None => item.content.excerpt(MAX_EXCERPT_LENGTH),
    };
    let mut html = html_of_text(&text);
    let times = entry.chapter_times.as_deref().unwrap_or_default();
    if !times.is_empty() && html.len() + times.len() < MAX_LENGTH {
        html = format!("{html}\n{times}").into();
    }
    if !html.is_empty() {
        xml.text("description", &html);
    } else if item.title.is_empty() {
        xml.text("description", &html_of_text(&entry.web_url));
    }
}

fn item_itunes(xml: &mut Xml<'_>, entry: &RssItem<'_>, numbers: Numbers) {
    let item = entry.item;
    let itunes = &item.itunes;
    xml.optional("itunes:title", itunes.title.as_deref());
    let duration = item.attachment.as_ref().and_then(|file| file.duration_in_seconds);
    if let Some(seconds) = duration.filter(|seconds| *seconds > 0.0) {
        xml.text("itunes:duration", &format!("{:.0}", seconds.max(1.0)));
    }
    xml.optional("itunes:author", names(entry.authors).as_deref());
    if let Some(cover) = &entry.cover {
        xml.element("itunes:image").attr("href", cover).empty();
    }
    if let Some(explicit) = itunes.explicit {
        xml.text("itunes:explicit", bool_text(explicit));
    }
    if let Some(season) = numbers.season {
        xml.text("itunes:season", &season.to_string());
    }
    if let Some(episode) = numbers.episode {
        xml.text("itunes:episode", &episode.to_string());
    }
    xml.optional("itunes:episodeType", itunes.episode_type.map(|kind| kind.as_str()));
    if itunes.block {
        xml.text("itunes:block", "Yes");
    }
}

/// Returns the first string that is not empty.
fn first_nonempty(texts: [&str; 2]) -> &str {
    if texts[0].is_empty() { texts[1] } else { texts[0] }
}
