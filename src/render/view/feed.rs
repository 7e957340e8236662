//! The view of the feed.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::json_text::json_text;
use super::parts::{AuthorView, Extension, Itunes, authors, seo, write_part};
use crate::text;
use model::podcast::{ChannelPodcast, LiveItem};
use model::{Author, Channel, ChannelItunes, Config, Seo, SubscribeMethod, TopicCategory};
use site::paths;

pub const JSON_FEED_VERSION: &str = "https://jsonfeed.org/version/1.1";

/// A feed without its items.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "FeedOutput")]
pub struct FeedView<'a> {
    #[serde(flatten)]
    start: FeedStart<'a>,
    feed_url: String,
    #[serde(flatten)]
    end: FeedEnd<'a>,
}

/// The fields of a feed before the address of its document.
#[derive(Debug, serde::Serialize, JsonSchema)]
struct FeedStart<'a> {
    version: &'static str,
    title: &'a str,
    home_page_url: String,
}

/// The fields of a feed after the address of its document.
#[derive(Debug, serde::Serialize, JsonSchema)]
struct FeedEnd<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    next_url: Option<String>,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    icon: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    favicon: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    authors: Vec<AuthorView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    expired: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hubs: Vec<Hub<'a>>,
    #[serde(flatten)]
    extension: Extension<FeedExtension<'a>>,
}

/// A hub that notifies subscribers of changes.
#[derive(Debug, serde::Serialize, JsonSchema)]
struct Hub<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    url: &'a str,
}

impl FeedView<'_> {
    /// Returns the view with the live shows of the site's calendars in addition to the channel's
    /// own.
    #[must_use]
    pub fn with_shows(mut self, shows: &[LiveItem]) -> Self {
        if !shows.is_empty() {
            let podcast = self.end.extension.value.podcast.to_mut();
            podcast.live_items.extend_from_slice(shows);
        }
        self
    }

    /// Returns the view with these addresses of the channel's icon and favicon.
    #[must_use]
    pub fn with_icons(mut self, icon: Option<String>, favicon: Option<String>) -> Self {
        self.end.icon = icon.map(Cow::Owned);
        self.end.favicon = favicon.map(Cow::Owned);
        self
    }

    /// Serializes the view as JSON in two parts.
    pub fn feed_envelope(&self) -> FeedEnvelope {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        write_part(&self.start, &mut before);
        write_part(&self.end, &mut after);
        FeedEnvelope { before, after }
    }
}

/// A feed's JSON without the address of its document and without its items. It is the same for the
/// feeds of all items.
#[derive(Debug)]
pub struct FeedEnvelope {
    /// The two parts, each as a JSON object that is never empty.
    before: Vec<u8>,
    after: Vec<u8>,
}

impl FeedEnvelope {
    /// Writes the feed with the address of the document and with its items.
    pub fn write(&self, url: &str, out: &mut Vec<u8>, items: impl FnOnce(&mut Vec<u8>)) {
        out.extend_from_slice(&self.before[..self.before.len() - 1]);
        out.extend_from_slice(b",\"feed_url\":");
        json_text(url, false, |part| out.extend_from_slice(part.as_bytes()));
        out.push(b',');
        out.extend_from_slice(&self.after[1..self.after.len() - 1]);
        out.extend_from_slice(b",\"items\":[");
        items(out);
        out.extend_from_slice(b"]}");
    }
}

/// Fields of a feed that JSON Feed does not define.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "FeedExtensionOutput")]
pub struct FeedExtension<'a> {
    #[serde(flatten)]
    #[schemars(with = "VersionSchema")]
    version: VersionKey,
    base_url: &'a str,
    description_text: &'a str,
    categories: &'a [TopicCategory],
    subscribe_methods: Vec<Cow<'a, SubscribeMethod>>,
    copyright: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    publisher: Option<&'a Author>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seo: Option<&'a Seo>,
    items_sort: &'static str,
    items_order: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prev_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items_next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items_prev_cursor: Option<String>,
    #[serde(skip_serializing_if = "is_default_channel_podcast")]
    podcast: Cow<'a, ChannelPodcast>,
    #[serde(flatten)]
    itunes: Itunes<'a, ChannelItunes>,
}

fn is_default_channel_podcast(podcast: &ChannelPodcast) -> bool {
    *podcast == ChannelPodcast::default()
}

/// The key `<namespace>_version`.
#[derive(Debug)]
struct VersionKey(String);

/// The schema of a [`VersionKey`], with the key of the default namespace.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct VersionSchema {
    /// Version of the program that generated the feed.
    service_version: String,
}

impl Serialize for VersionKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(&self.0, env!("CARGO_PKG_VERSION"))?;
        map.end()
    }
}

/// The absolute URLs of a feed document and its neighbours.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    pub own: String,
    /// The document with newer items.
    pub prev: Option<String>,
    /// The document with older items.
    pub next: Option<String>,
    /// The cursor for newer items. Only the API uses cursors.
    pub prev_cursor: Option<String>,
    /// The cursor for older items.
    pub next_cursor: Option<String>,
}

impl Neighbours {
    /// Returns the neighbours of the `n`th document of a list, starting at 1. `url` returns the URL
    /// of a document.
    pub fn of(n: usize, has_next: bool, url: impl Fn(usize) -> String) -> Self {
        Self {
            own: url(n),
            prev: (n > 1).then(|| url(n - 1)),
            next: has_next.then(|| url(n + 1)),
            ..Self::default()
        }
    }
}

/// Returns the view of the feed, without its items. `year` is the year of the copyright notice.
pub fn feed<'a>(
    config: &'a Config,
    channel: &'a Channel,
    year: i16,
    at: &Neighbours,
    namespace: &str,
) -> FeedView<'a> {
    let title = title(config, channel);
    let extension = FeedExtension {
        version: VersionKey(format!("{namespace}_version")),
        base_url: &config.base_url,
        description_text: &channel.description_text,
        categories: &channel.categories,
        subscribe_methods: subscribe_methods(config, channel),
        copyright: copyright(channel, title, year),
        publisher: channel.publisher.as_ref(),
        seo: seo(&channel.seo),
        items_sort: config.feed.sort.as_str(),
        items_order: config.feed.order.as_str(),
        next_url: at.next.clone(),
        prev_url: at.prev.clone(),
        items_next_cursor: at.next_cursor.clone(),
        items_prev_cursor: at.prev_cursor.clone(),
        podcast: Cow::Borrowed(&channel.podcast),
        itunes: Itunes(Cow::Borrowed(&channel.itunes)),
    };
    FeedView {
        start: FeedStart {
            version: JSON_FEED_VERSION,
            title,
            home_page_url: channel.homepage_url.clone().unwrap_or_else(|| config.url("/")),
        },
        feed_url: at.own.clone(),
        end: FeedEnd {
            next_url: at.next.clone(),
            description: &channel.description_html,
            icon: channel.icon.as_ref().map(|image| image.url.as_str().into()),
            favicon: channel.favicon.as_ref().map(|image| image.url.as_str().into()),
            authors: authors(&channel.authors),
            language: channel.language.as_deref(),
            expired: channel.expired || channel.itunes.complete,
            hubs: config.hubs.iter().map(|url| Hub { kind: "WebSub", url }).collect(),
            extension: Extension::new(namespace, extension),
        },
    }
}

/// Returns the ways to follow the channel: the methods that the channel lists, or else the
/// channel's feeds.
pub fn subscribe_methods<'a>(
    config: &Config,
    channel: &'a Channel,
) -> Vec<Cow<'a, SubscribeMethod>> {
    let own = &channel.subscribe_methods;
    if !own.is_empty() {
        let enabled = own.iter().filter(|method| method.enabled);
        return enabled.map(Cow::Borrowed).collect();
    }
    let feed = |id: &str, name: &str, path: String| {
        Cow::Owned(SubscribeMethod::of_feed(id, name, config.url(&path)))
    };
    let rss = config.feed.rss.then(|| feed("rss", "RSS", paths::rss(1)));
    rss.into_iter().chain([feed("json", "JSON Feed", paths::json_feed(1))]).collect()
}

/// Returns the channel's copyright notice with the year filled in. Without a notice, the rights
/// holder is the publisher, or else the channel itself.
pub fn copyright(channel: &Channel, title: &str, year: i16) -> String {
    match &channel.copyright {
        Some(notice) => text::fill_year(notice, year),
        None => {
            let publisher = channel.publisher.as_ref();
            format!("© {year} {}", publisher.map_or(title, |one| &one.name))
        }
    }
}

/// Returns the channel's title, or the host if it has no title.
pub fn title<'a>(config: &'a Config, channel: &'a Channel) -> &'a str {
    match channel.title.as_str() {
        "" => config.base_url.split_once("://").map_or("", |(_, rest)| rest),
        title => title,
    }
}
