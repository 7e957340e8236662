//! The feed and its items as the public sees them: the shape of JSON Feed 1.1 with the service's
//! extension. JSON Feed documents, the API and every template read the same views.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::text;
use crate::model::chapter::Chapter;
use crate::model::podcast::{ChannelPodcast, ItemPodcast};
use crate::model::{
    Author, Category, Config, Seo, SortKey, SortOrder, SubscribeMethod, TopicCategory,
};
use crate::site::{Entry, Snapshot, paths};

/// JSON Feed's version.
pub const JSON_FEED_VERSION: &str = "https://jsonfeed.org/version/1.1";

/// An object with one key that begins with an underscore: JSON Feed's way to extend it.
#[derive(Debug)]
pub struct Extension<T> {
    key: String,
    /// The object under the key.
    pub value: T,
}

impl<T> Extension<T> {
    fn new(namespace: &str, value: T) -> Self {
        Self {
            key: format!("_{namespace}"),
            value,
        }
    }
}

impl<T: Serialize> Serialize for Extension<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(&self.key, &self.value)?;
        map.end()
    }
}

impl<T: JsonSchema> JsonSchema for Extension<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Extension_{}", T::schema_name()).into()
    }

    /// Under the name it has where no other is chosen.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": { "_service": generator.subschema_for::<T>() },
            "required": ["_service"],
        })
    }

    fn inline_schema() -> bool {
        true
    }
}

/// An author in JSON Feed.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "AuthorOutput")]
pub struct AuthorView<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

/// An author in the extension: with schema.org's type.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "TypedAuthorOutput")]
pub struct TypedAuthorView<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

fn authors(authors: &[Author]) -> Vec<AuthorView<'_>> {
    authors
        .iter()
        .map(|author| AuthorView {
            name: &author.name,
            url: author.url.as_deref(),
        })
        .collect()
}

fn typed_author(author: &Author) -> TypedAuthorView<'_> {
    TypedAuthorView {
        name: &author.name,
        kind: author.kind.as_str(),
        url: author.url.as_deref(),
    }
}

/// `seo` in the extension.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "SeoOutput")]
pub struct SeoView<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    social_image: Option<SocialImageView<'a>>,
}

#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "SocialImageOutput")]
struct SocialImageView<'a> {
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alt: Option<&'a str>,
}

fn seo(seo: &Seo) -> Option<SeoView<'_>> {
    (!seo.is_empty()).then(|| SeoView {
        title: seo.title.as_deref(),
        description: seo.description.as_deref(),
        social_image: seo.social_image.as_ref().map(|social| SocialImageView {
            url: &social.image.url,
            width: social.image.dimensions.map(|(width, _)| width),
            height: social.image.dimensions.map(|(_, height)| height),
            mime_type: social.image.mime_type.as_deref(),
            alt: social.image.alt.as_deref(),
        }),
    })
}

/// An item's medium in JSON Feed.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "AttachmentOutput")]
pub struct AttachmentView<'a> {
    url: &'a str,
    mime_type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    size_in_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "seconds")]
    duration_in_seconds: Option<f64>,
}

/// Whole seconds are written without a fraction, others with at most three digits.
fn seconds<S: Serializer>(seconds: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    let rounded = (seconds.unwrap_or_default() * 1000.0).round() / 1000.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    if rounded.fract() == 0.0 {
        serializer.serialize_u64(rounded as u64)
    } else {
        serializer.serialize_f64(rounded)
    }
}

/// An item.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "ItemOutput")]
pub struct ItemView<'a> {
    /// Its id.
    pub id: &'a str,
    title: &'a str,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_url: Option<&'a str>,
    content_html: &'a str,
    content_text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    banner_image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_modified: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    authors: Vec<AuthorView<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attachments: Vec<AttachmentView<'a>>,
    #[serde(flatten)]
    extension: Extension<ItemExtension<'a>>,
}

impl ItemView<'_> {
    /// Empties the plain text: it is as long as the rest of an item together.
    pub fn leave_text_out(&mut self) {
        self.content_text = "";
    }
}

/// What JSON Feed has no field for.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "ItemExtensionOutput")]
pub struct ItemExtension<'a> {
    web_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rss_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chapters_url: Option<String>,
    guid: &'a str,
    slug: &'a str,
    status: &'static str,
    is_audio: bool,
    is_video: bool,
    is_image: bool,
    is_document: bool,
    is_external_url: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_hhmmss: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published_short: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    authors: Vec<TypedAuthorView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seo: Option<SeoView<'a>>,
    #[serde(skip_serializing_if = "is_default_podcast")]
    #[schemars(with = "Map<String, Value>")]
    podcast: &'a ItemPodcast,
    #[serde(rename = "itunes:title", skip_serializing_if = "Option::is_none")]
    itunes_title: Option<&'a str>,
    #[serde(rename = "itunes:block", skip_serializing_if = "std::ops::Not::not")]
    itunes_block: bool,
    #[serde(rename = "itunes:explicit", skip_serializing_if = "Option::is_none")]
    itunes_explicit: Option<bool>,
    #[serde(rename = "itunes:season", skip_serializing_if = "Option::is_none")]
    itunes_season: Option<u32>,
    #[serde(rename = "itunes:episode", skip_serializing_if = "Option::is_none")]
    itunes_episode: Option<u32>,
    #[serde(rename = "itunes:episodeType", skip_serializing_if = "Option::is_none")]
    itunes_episode_type: Option<&'static str>,
}

fn is_default_podcast(podcast: &ItemPodcast) -> bool {
    *podcast == ItemPodcast::default()
}

/// The view of an item. `namespace` is the word of its extension's key.
pub fn item<'a>(config: &Config, entry: &'a Entry, namespace: &str) -> ItemView<'a> {
    let item = &entry.item;
    let attachment = item.attachment.as_ref();
    let is =
        |category: Category| attachment.is_some_and(|attachment| attachment.category == category);
    let web_url = config.url(&paths::item(&entry.segment));
    let outside = attachment
        .filter(|attachment| attachment.category == Category::ExternalUrl)
        .map(|attachment| attachment.url.as_str());
    let image_of_attachment = attachment
        .filter(|_| is(Category::Image))
        .map(|attachment| attachment.url.as_str());
    let extension = ItemExtension {
        json_url: config
            .output
            .item_json
            .then(|| config.url(&paths::item_json(item.id.as_str()))),
        rss_url: (config.output.item_rss && config.feed.rss)
            .then(|| config.url(&paths::item_rss(item.id.as_str()))),
        chapters_url: (entry.has_chapters() && config.feed.rss)
            .then(|| config.url(&paths::chapters(item.id.as_str()))),
        guid: item.guid.as_deref().unwrap_or(item.id.as_str()),
        slug: &entry.segment,
        status: entry.status.as_str(),
        is_audio: is(Category::Audio),
        is_video: is(Category::Video),
        is_image: is(Category::Image),
        is_document: is(Category::Document),
        is_external_url: is(Category::ExternalUrl),
        duration_hhmmss: attachment
            .and_then(|attachment| attachment.duration_in_seconds)
            .map(text::hhmmss),
        date_published_ms: item.date_published.map(|date| date.as_millisecond()),
        date_published_short: item
            .date_published
            .map(|date| text::short_date(date, &config.timezone)),
        authors: item.authors.iter().map(typed_author).collect(),
        seo: seo(&item.seo),
        podcast: &item.podcast,
        itunes_title: item.itunes.title.as_deref(),
        itunes_block: item.itunes.block,
        itunes_explicit: item.itunes.explicit,
        itunes_season: item.itunes.season,
        itunes_episode: item.itunes.episode,
        itunes_episode_type: item.itunes.episode_type.map(|kind| kind.as_str()),
        web_url: web_url.clone(),
    };
    ItemView {
        id: item.id.as_str(),
        title: &item.title,
        url: item.url.clone().unwrap_or(web_url),
        external_url: item.url.as_deref().or(outside),
        content_html: &item.content.html,
        content_text: &item.content.text,
        summary: item.summary.as_deref(),
        image: item.image.as_ref().map(|image| image.url.as_str()),
        banner_image: item
            .banner_image
            .as_ref()
            .map(|image| image.url.as_str())
            .or(image_of_attachment),
        date_published: item.date_published.map(text::rfc3339),
        date_modified: item.date_modified.map(text::rfc3339),
        authors: authors(&item.authors),
        tags: &item.tags,
        language: item.language.as_deref(),
        attachments: attachment
            .filter(|attachment| attachment.category != Category::ExternalUrl)
            .map(|attachment| AttachmentView {
                url: &attachment.url,
                mime_type: &attachment.mime_type,
                size_in_bytes: attachment.size_in_bytes,
                duration_in_seconds: attachment.duration_in_seconds,
            })
            .into_iter()
            .collect(),
        extension: Extension::new(namespace, extension),
    }
}

/// A feed without its items.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "FeedOutput")]
pub struct FeedView<'a> {
    version: &'static str,
    title: &'a str,
    home_page_url: String,
    feed_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_url: Option<String>,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    icon: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    favicon: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    authors: Vec<AuthorView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    expired: bool,
    #[serde(flatten)]
    extension: Extension<FeedExtension<'a>>,
}

/// What JSON Feed has no field for.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "FeedExtensionOutput")]
pub struct FeedExtension<'a> {
    #[serde(flatten)]
    #[schemars(with = "VersionSchema")]
    version: VersionKey,
    base_url: &'a str,
    description_text: &'a str,
    categories: &'a [TopicCategory],
    subscribe_methods: Vec<&'a SubscribeMethod>,
    #[serde(skip_serializing_if = "Option::is_none")]
    copyright: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    publisher: Option<TypedAuthorView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seo: Option<SeoView<'a>>,
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
    #[schemars(with = "Map<String, Value>")]
    podcast: &'a ChannelPodcast,
    #[serde(rename = "itunes:title", skip_serializing_if = "Option::is_none")]
    itunes_title: Option<&'a str>,
    #[serde(rename = "itunes:type", skip_serializing_if = "Option::is_none")]
    itunes_type: Option<&'a str>,
    #[serde(rename = "itunes:explicit", skip_serializing_if = "Option::is_none")]
    itunes_explicit: Option<bool>,
    #[serde(rename = "itunes:block", skip_serializing_if = "std::ops::Not::not")]
    itunes_block: bool,
    #[serde(rename = "itunes:complete", skip_serializing_if = "std::ops::Not::not")]
    itunes_complete: bool,
    #[serde(rename = "itunes:email", skip_serializing_if = "Option::is_none")]
    itunes_email: Option<&'a str>,
    #[serde(
        rename = "itunes:new-feed-url",
        skip_serializing_if = "Option::is_none"
    )]
    itunes_new_feed_url: Option<&'a str>,
}

fn is_default_channel_podcast(podcast: &ChannelPodcast) -> bool {
    *podcast == ChannelPodcast::default()
}

/// `<namespace>_version`.
#[derive(Debug)]
struct VersionKey(String);

/// The schema of a [`VersionKey`], under the name it has where no other is chosen.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "its schema alone is used")]
struct VersionSchema {
    /// The version of the program that made the feed.
    service_version: String,
}

impl Serialize for VersionKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(&self.0, env!("CARGO_PKG_VERSION"))?;
        map.end()
    }
}

/// Where a document of a feed stands among its neighbours: absolute URLs.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    /// This document.
    pub own: String,
    /// Newer items.
    pub prev: Option<String>,
    /// Older items.
    pub next: Option<String>,
    /// The cursors of the same, which the API has.
    pub prev_cursor: Option<String>,
    /// The cursor of older items.
    pub next_cursor: Option<String>,
}

/// The view of the feed, without its items.
pub fn feed<'a>(snapshot: &'a Snapshot, at: &Neighbours, namespace: &str) -> FeedView<'a> {
    let (config, channel) = (&snapshot.config, &snapshot.channel);
    let extension = FeedExtension {
        version: VersionKey(format!("{namespace}_version")),
        base_url: &config.base_url,
        description_text: &channel.description_text,
        categories: &channel.categories,
        subscribe_methods: channel
            .subscribe_methods
            .iter()
            .filter(|method| method.enabled)
            .collect(),
        copyright: channel
            .copyright
            .as_ref()
            .map(|notice| notice.replace("{{current_year}}", &snapshot.year().to_string())),
        publisher: channel.publisher.as_ref().map(typed_author),
        seo: seo(&channel.seo),
        items_sort: match config.feed.sort {
            SortKey::Created => "created_at",
            SortKey::Updated => "updated_at",
            SortKey::Published => "published_at",
        },
        items_order: match config.feed.order {
            SortOrder::Asc => "asc",
            SortOrder::Desc => "desc",
        },
        next_url: at.next.clone(),
        prev_url: at.prev.clone(),
        items_next_cursor: at.next_cursor.clone(),
        items_prev_cursor: at.prev_cursor.clone(),
        podcast: &channel.podcast,
        itunes_title: channel.itunes.title.as_deref(),
        itunes_type: channel.itunes.kind.as_deref(),
        itunes_explicit: channel.itunes.explicit,
        itunes_block: channel.itunes.block,
        itunes_complete: channel.itunes.complete,
        itunes_email: channel.itunes.email.as_deref(),
        itunes_new_feed_url: channel.itunes.new_feed_url.as_deref(),
    };
    FeedView {
        version: JSON_FEED_VERSION,
        title: title(snapshot),
        home_page_url: channel
            .homepage_url
            .clone()
            .unwrap_or_else(|| config.url("/")),
        feed_url: at.own.clone(),
        next_url: at.next.clone(),
        description: &channel.description_html,
        icon: channel.icon.as_ref().map(|image| image.url.as_str()),
        favicon: channel.favicon.as_ref().map(|image| image.url.as_str()),
        authors: authors(&channel.authors),
        language: channel.language.as_deref(),
        expired: channel.expired || channel.itunes.complete,
        extension: Extension::new(namespace, extension),
    }
}

/// The channel's title, or the host where it has none.
pub fn title(snapshot: &Snapshot) -> &str {
    match snapshot.channel.title.as_str() {
        "" => snapshot
            .config
            .base_url
            .split_once("://")
            .map_or("", |(_, rest)| rest),
        title => title,
    }
}

/// A view as a value that templates read. Views hold only what JSON can, so this cannot fail.
pub fn value(view: &impl Serialize) -> Value {
    serde_json::to_value(view).unwrap_or(Value::Null)
}

/// Adds the named keys that are missing as null, so that a template does not find an outer one instead.
pub fn fill(object: &mut Map<String, Value>, keys: &[&str]) {
    for key in keys {
        if !object.contains_key(*key) {
            object.insert((*key).to_owned(), Value::Null);
        }
    }
}

/// Chapters as templates read them: with their starts for people.
pub fn chapters(chapters: &[Chapter]) -> Value {
    let chapter = |chapter: &Chapter| {
        let mut value = value(chapter);
        if let Value::Object(object) = &mut value {
            object.insert(
                "start_hhmmss".into(),
                text::hhmmss(chapter.start_time).into(),
            );
            object.insert("start_text".into(), text::clock(chapter.start_time).into());
            fill(object, &["title", "img", "url", "endTime"]);
        }
        value
    };
    Value::Array(
        chapters
            .iter()
            .filter(|chapter| chapter.toc != Some(false))
            .map(chapter)
            .collect(),
    )
}
