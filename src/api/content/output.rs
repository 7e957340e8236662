//! The items and feeds that the API returns. An item's status is always the status in its file,
//! even if the running server shows the item with a different status.

use std::borrow::Cow;
use std::path::Path;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::BASE;
use api_shared::Times;
use model::{Config, ContentFolder};
use render::text;
use render::view::{self, Neighbours, TranslationView};
use render::{PublishedRecordings, Translation};
use server::Moment;
use site::ItemEntry;

/// An empty object, `{}`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Empty {}

/// Answer to a validation.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Validated {
    /// Always true. An invalid body gets an error instead.
    valid: bool,
}

impl Validated {
    pub fn valid_answer() -> Self {
        Self { valid: true }
    }
}

/// Answer to a creation.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ItemCreated {
    /// Id of the new item.
    pub id: String,
}

/// An item: JSON Feed 1.1 with an extension for further fields.
pub type ItemOutput = view::ItemView<'static>;

/// A feed: JSON Feed 1.1 with an extension for further fields.
pub struct FeedOutput;

impl JsonSchema for FeedOutput {
    fn schema_name() -> Cow<'static, str> {
        view::FeedView::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = view::FeedView::json_schema(generator);
        let items = generator.subschema_for::<Vec<ItemOutput>>();
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            properties.insert("items".into(), items.into());
        }
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.push("items".into());
        }
        schema
    }
}

/// Returns links to translations. `config` is the configuration of the snapshot that has them.
pub fn translations<'a>(config: &Config, all: &[&'a Translation]) -> Vec<TranslationView<'a>> {
    let view = |one: &&'a Translation| TranslationView {
        id: one.id.as_str(),
        language: &one.language,
        url: config.url(&one.path),
    };
    all.iter().map(view).collect()
}

/// Returns an item of the site at `root` as JSON, with the addresses of its language or show.
pub fn item(root: &Path, moment: &Moment, entry: &ItemEntry) -> Value {
    let snapshot = &moment.site.snapshot;
    let item = &entry.item;
    let folder = snapshot.of_folder(&ContentFolder::of(item.source.as_str()));
    let config = &folder.edition_of_item(entry).unwrap_or(folder).config;
    let written = entry_as_written(entry);
    let size = PublishedRecordings::of(snapshot).size_in_bytes(entry);
    let (body, attachment) = (item.content.body(), view::attachment_view(item, size));
    let view = view::item(config, &written, &config.namespace, body, attachment);
    let others = moment.site.renderer().translations_of_item(entry);
    let language = folder.language_of(item.language.as_deref());
    let others = translations(&snapshot.config, &others);
    let mut shown = json(&view.in_language(language, others));
    let updated = item.updated();
    if let Some(date) = updated.or_else(|| Times::changed(root, &item.source)) {
        shown["date_modified"] = text::rfc3339(date).into();
    }
    shown
}

fn entry_as_written(entry: &ItemEntry) -> ItemEntry {
    let mut entry = entry.in_edition();
    entry.status = entry.item.status;
    entry
}

/// Returns a feed of these items. `path` is the feed's path in the API.
pub fn feed(
    root: &Path,
    moment: &Moment,
    path: &str,
    entries: &[&ItemEntry],
) -> Map<String, Value> {
    let own = moment.site.snapshot.config.url(&format!("{BASE}{path}"));
    let at = Neighbours { own, ..Neighbours::default() };
    feed_page(root, moment, None, &at, entries)
}

/// Returns a feed of these items, with links to the neighbouring pages of the feed. `language` is
/// the language of its channel.
pub fn feed_page(
    root: &Path,
    moment: &Moment,
    language: Option<&str>,
    at: &Neighbours,
    entries: &[&ItemEntry],
) -> Map<String, Value> {
    let snapshot = moment.site.snapshot.in_language(language);
    let namespace = &snapshot.config.namespace;
    let mut feed = match json(&view::feed(
        &snapshot.config,
        &snapshot.channel,
        snapshot.year(),
        at,
        namespace,
    )) {
        Value::Object(feed) => feed,
        _ => Map::new(),
    };
    let items = entries.iter().map(|entry| item(root, moment, entry));
    feed.insert("items".into(), items.collect());
    feed
}

/// Returns a view as JSON. This cannot fail, because JSON can represent all views.
pub fn json(view: &impl Serialize) -> Value {
    serde_json::to_value(view).unwrap_or(Value::Null)
}
