//! The view of an item.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::ser::{Serialize, Serializer};
use serde_json::Number;

use super::json_text::json_text;
use super::numbers::{Numbers, numbers};
use super::parts::{AuthorView, Extension, Itunes, authors, seo, write_part};
use crate::text;
use model::podcast::ItemPodcast;
use model::{Author, Body, Category, Config, Item, ItemItunes, Seo, Series};
use site::{ItemEntry, paths};

/// A media file attached to an item, as in JSON Feed.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "AttachmentOutput")]
pub struct AttachmentView<'a> {
    pub url: &'a str,
    /// Media type of the file. Omitted if the attachment is a web page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_in_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_seconds")]
    pub duration_in_seconds: Option<f64>,
}

/// Formats seconds: whole numbers without a fraction, others with at most three decimals. Returns
/// None for values that JSON cannot represent.
pub fn seconds(seconds: f64) -> Option<Number> {
    let rounded = (seconds * 1000.0).round() / 1000.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    if rounded.fract() == 0.0 {
        Some(Number::from(rounded as u64))
    } else {
        Number::from_f64(rounded)
    }
}

fn optional_seconds<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    value.and_then(seconds).serialize(serializer)
}

/// A published translation of an item or a Page.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "TranslationOutput")]
pub struct TranslationView<'a> {
    pub id: &'a str,
    /// Language tag (RFC 5646).
    pub language: &'a str,
    pub url: String,
}

/// An item of the feed.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "ItemOutput")]
pub struct ItemView<'a> {
    #[serde(flatten)]
    start: ItemStart<'a>,
    #[schemars(with = "&str")]
    content_html: BodyHtml,
    #[schemars(with = "&str")]
    content_text: BodyText,
    #[serde(flatten)]
    end: ItemEnd<'a>,
}

/// The fields of an item before its body.
#[derive(Debug, serde::Serialize, JsonSchema)]
struct ItemStart<'a> {
    /// Id of the item.
    id: &'a str,
    title: &'a str,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_url: Option<&'a str>,
}

/// The fields of an item after its body.
#[derive(Debug, serde::Serialize, JsonSchema)]
struct ItemEnd<'a> {
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

impl<'a> ItemView<'a> {
    /// Returns the same view with this language and with links to translations.
    #[must_use]
    pub fn in_language(
        mut self,
        language: Option<&'a str>,
        translations: Vec<TranslationView<'a>>,
    ) -> Self {
        self.end.language = language;
        self.end.extension.value.translations = translations;
        self
    }
    /// Writes the item as JSON. The result is the same as with serde, but the body is written
    /// faster.
    pub fn write(&self, out: &mut Vec<u8>) {
        let body = &*self.content_html.0;
        out.reserve(body.html.len() + body.text.len() + 4096);
        write_part(&self.start, out);
        // Both parts are objects that are never empty. They are joined into one object.
        out.pop();
        for (key, text) in [("content_html", &body.html), ("content_text", &body.text)] {
            out.extend_from_slice(b",\"");
            out.extend_from_slice(key.as_bytes());
            out.extend_from_slice(b"\":");
            json_text(text, false, |part| out.extend_from_slice(part.as_bytes()));
        }
        let end = out.len();
        write_part(&self.end, out);
        out[end] = b',';
    }
}

#[derive(Debug)]
struct BodyHtml(Arc<Body>);

impl Serialize for BodyHtml {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.html)
    }
}

/// A body's plain text.
#[derive(Debug)]
struct BodyText(Arc<Body>);

impl Serialize for BodyText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.text)
    }
}

/// Fields of an item that JSON Feed does not define.
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
    #[schemars(extend("enum" = ["published", "unlisted", "unpublished"]))]
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
    #[serde(skip_serializing_if = "<[Author]>::is_empty")]
    authors: &'a [Author],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    translations: Vec<TranslationView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<&'a Series>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seo: Option<&'a Seo>,
    #[serde(skip_serializing_if = "is_default_podcast")]
    podcast: &'a ItemPodcast,
    #[serde(flatten)]
    itunes: Itunes<'a, ItemItunes>,
}

fn is_default_podcast(podcast: &ItemPodcast) -> bool {
    *podcast == ItemPodcast::default()
}

/// Returns an item for JSON Feed documents, with this body. JSON Feed 1.1 requires a media type for
/// each attachment, so the attachment of a link, which has no media type, is left out.
pub fn in_document<'a>(
    config: &Config,
    entry: &'a ItemEntry,
    body: Arc<Body>,
    size_in_bytes: Option<u64>,
) -> ItemView<'a> {
    let attachment = attachment_view(&entry.item, size_in_bytes);
    let valid = attachment.filter(|attachment| attachment.mime_type.is_some());
    let mut view = item(config, entry, &config.namespace, body, valid);
    if let Some(channel) = &entry.channel {
        view.end.image = entry.cover().map(|(image, _)| &*image.url);
        view.end.authors = authors(entry.authors(channel));
    }
    view
}

/// Returns the view of an item with this body and attachment. The key of the item's extension
/// contains `namespace`.
pub fn item<'a>(
    config: &Config,
    entry: &'a ItemEntry,
    namespace: &str,
    body: Arc<Body>,
    shown_attachment: Option<AttachmentView<'a>>,
) -> ItemView<'a> {
    let item = &entry.item;
    let attachment = item.attachment.as_ref();
    let is =
        |category: Category| attachment.is_some_and(|attachment| attachment.category == category);
    let web_url = config.url(&entry.path);
    let extension = ItemExtension {
        json_url: config.output.item_json.then(|| config.url(&paths::item_json(entry))),
        rss_url: (config.output.item_rss && config.feed.rss)
            .then(|| config.url(&paths::item_rss(entry))),
        chapters_url: (entry.has_chapters() && config.feed.rss)
            .then(|| config.url(&paths::chapters(entry, item.id.as_str()))),
        guid: item.guid.as_deref().unwrap_or(item.id.as_str()),
        slug: &entry.segment,
        status: entry.status.as_str(),
        is_audio: is(Category::Audio),
        is_video: is(Category::Video),
        is_image: is(Category::Image),
        is_document: is(Category::Document),
        is_external_url: link(item).is_some(),
        duration_hhmmss: attachment
            .and_then(|attachment| attachment.duration_in_seconds)
            .map(text::hhmmss),
        date_published_ms: item.date_published.map(|date| date.as_millisecond()),
        date_published_short: item
            .date_published
            .map(|date| text::short_date(date, &config.timezone)),
        authors: &item.authors,
        translations: Vec::new(),
        series: item.series.as_deref(),
        seo: seo(&item.seo),
        podcast: &item.podcast,
        itunes: Itunes(itunes(item)),
        web_url: web_url.clone(),
    };
    ItemView {
        start: ItemStart {
            id: item.id.as_str(),
            title: &item.title,
            url: item.url.clone().unwrap_or(web_url),
            external_url: external_url(item),
        },
        content_html: BodyHtml(Arc::clone(&body)),
        content_text: BodyText(body),
        end: ItemEnd {
            summary: item.summary.as_deref(),
            image: item.image.as_ref().map(|image| image.url.as_str()),
            banner_image: banner_image(item),
            date_published: item.date_published.map(text::rfc3339),
            date_modified: item.date_modified.map(text::rfc3339),
            authors: authors(&item.authors),
            tags: &item.tags,
            language: item.language.as_deref(),
            attachments: shown_attachment.into_iter().collect(),
            extension: Extension::new(namespace, extension),
        },
    }
}

/// Returns Apple's tags. Missing season and episode numbers come from the Podcasting 2.0 tags.
fn itunes(item: &Item) -> Cow<'_, ItemItunes> {
    let Numbers { season, episode } = numbers(item);
    let mut tags = Cow::Borrowed(&item.itunes);
    if (season, episode) != (tags.season, tags.episode) {
        let tags = tags.to_mut();
        (tags.season, tags.episode) = (season, episode);
    }
    tags
}

/// Returns the address of an item's attachment, if it has this category.
fn attachment_url(item: &Item, category: Category) -> Option<&str> {
    let attachment = item.attachment.as_ref()?;
    (attachment.category == category).then_some(&attachment.url)
}

/// Returns the address that a link item points to: the page in its attachment, or the `url` of an
/// item without an attachment.
pub fn link(item: &Item) -> Option<&str> {
    let page = item.url.as_deref().filter(|_| item.attachment.is_none());
    attachment_url(item, Category::ExternalUrl).or(page)
}

/// Returns the page on another site that an item is about.
pub fn external_url(item: &Item) -> Option<&str> {
    let own = item.url.as_deref();
    own.or(attachment_url(item, Category::ExternalUrl))
}

/// Returns an item's banner image, or else the picture in its attachment.
pub fn banner_image(item: &Item) -> Option<&str> {
    let own = item.banner_image.as_ref().map(|image| image.url.as_str());
    own.or(attachment_url(item, Category::Image))
}

/// Returns the attachment of an item, with the size of the published file. For a link item, the attachment contains only the address of
/// the linked page.
pub fn attachment_view(item: &Item, size_in_bytes: Option<u64>) -> Option<AttachmentView<'_>> {
    if let Some(url) = link(item) {
        return Some(AttachmentView {
            url,
            mime_type: None,
            size_in_bytes: None,
            duration_in_seconds: None,
        });
    }
    item.attachment.as_ref().map(|attachment| AttachmentView {
        url: &attachment.url,
        mime_type: Some(&attachment.mime_type),
        size_in_bytes,
        duration_in_seconds: attachment.duration_in_seconds,
    })
}
