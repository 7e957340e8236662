//! microfeed: reads data that its API returns in addition to a feed. The feed itself, which has
//! this data in `_microfeed` tables, is read as JSON Feed.

use serde_json::{Map, Value, json};

use crate::feed::{Channel, Item, StoredData, Text};
use crate::json_value::{Keys, list, moment, object, table, take_bool, text};
use crate::skipped::SkippedFields;
use crate::values::InvalidValues;

/// Keys of an item's extension that repeat other keys, or that are computed when the site is built.
const DERIVED_KEYS: [&str; 11] = [
    "web_url", "json_url", "rss_url", "is_audio", "is_video", "is_image", "is_document",
    "is_external_url", "duration_hhmmss", "date_published_ms", "date_published_short",
];

/// Removes and returns the JSON Feed extension that microfeed and similar services use: a table
/// whose key begins with an underscore.
pub fn extension(keys: &mut Keys) -> Option<Keys> {
    const KNOWN_KEYS: [&str; 6] =
        ["web_url", "slug", "status", "subscribe_methods", "items_sort", "base_url"];
    let extension_keys = keys.iter().find(|(key, value)| {
        key.starts_with('_') && KNOWN_KEYS.iter().any(|known| value.get(known).is_some())
    });
    let name = extension_keys?.0.clone();
    table(keys, &name)
}

/// Adds the data in an item's extension to the item.
pub fn read_item(mut extension_keys: Keys, item: &mut Item, skipped: &mut SkippedFields) {
    let mut stored = StoredData {
        id: item.guid.clone(),
        segment: text(&mut extension_keys, "slug"),
        ..StoredData::default()
    };
    item.guid = text(&mut extension_keys, "guid").or(item.guid.take());
    // `web_url` is the item's own page. A different address in `external_url` or `url` is the page
    // that the item is about.
    let page = text(&mut extension_keys, "web_url");
    let about = item.external_url.take().or(item.link.take());
    item.external_url = about.filter(|about| Some(about) != page.as_ref());
    item.link = page;
    status(&mut extension_keys, &mut stored);
    if let Some(Value::Array(people)) = extension_keys.remove("authors") {
        stored.fields.insert("authors".to_owned(), people.into());
    }
    stored.fields.extend(seo(&mut extension_keys));
    if take_bool(&mut extension_keys, "is_external_url")
        && let Some(file) = item.enclosures.first_mut()
    {
        file.category = Some("external_url".to_owned());
    }
    item.podcast.extend(table(&mut extension_keys, "podcast").unwrap_or_default());
    item.itunes.extend(itunes(&mut extension_keys));
    item.itunes.extend(table(&mut extension_keys, "itunes").unwrap_or_default());
    item.stored = Some(stored);
    for key in extension_keys.keys().filter(|key| !DERIVED_KEYS.contains(&key.as_str())) {
        skipped.add(&format!("item/_{key}"), 1);
    }
}

/// Adds the data in a feed's extension to the channel.
pub fn read_channel(mut extension_keys: Keys, channel: &mut Channel) {
    channel.copyright = text(&mut extension_keys, "copyright");
    for mut topic in list(&mut extension_keys, "categories") {
        let below = list(&mut topic, "categories").into_iter();
        let below = below.filter_map(|mut one| text(&mut one, "name")).collect();
        channel.categories.extend(text(&mut topic, "name").map(|name| (name, below)));
    }
    channel.itunes = itunes(&mut extension_keys);
    channel.podcast.extend(table(&mut extension_keys, "podcast").unwrap_or_default());
    channel.fields = seo(&mut extension_keys);
    for key in ["publisher", "subscribe_methods"] {
        channel
            .fields
            .extend(extension_keys.remove(key).map(|value| (key.to_owned(), remove_nulls(value))));
    }
}

/// Removes `null` values, which have no meaning.
fn remove_nulls(value: Value) -> Value {
    match value {
        Value::Object(keys) => {
            let said = keys.into_iter().filter(|(_, value)| !value.is_null());
            said.map(|(key, value)| (key, remove_nulls(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(list) => list.into_iter().map(remove_nulls).collect::<Vec<_>>().into(),
        value => value,
    }
}

fn status(extension_keys: &mut Keys, stored: &mut StoredData) {
    let status = text(extension_keys, "status").filter(|status| status != "published");
    match status.as_deref() {
        None => {}
        // As in feedwright, an unlisted item is visible to everyone who has its address, but not
        // included in lists.
        Some("unlisted") => {
            stored.fields.insert("status".to_owned(), "unlisted".into());
        }
        Some("unpublished") => stored.hidden = Some("is unpublished".to_owned()),
        Some(status) => stored.hidden = Some(format!("has the status {status:?}")),
    }
}

fn seo(extension_keys: &mut Keys) -> Keys {
    let seo = extension_keys.remove("seo").map(remove_nulls).filter(|seo| *seo != json!({}));
    seo.map(|seo| ("seo".to_owned(), seo)).into_iter().collect()
}

/// Removes keys such as `itunes:season`, and returns them without the prefix.
fn itunes(extension_keys: &mut Keys) -> Keys {
    let names: Vec<String> =
        extension_keys.keys().filter(|key| key.starts_with("itunes:")).cloned().collect();
    let found = names.into_iter().filter_map(|name| {
        let value =
            extension_keys.remove(&name).filter(|value| !value.is_null() && *value != json!(""))?;
        Some((name["itunes:".len()..].to_owned(), value))
    });
    found.collect()
}

/// Parses a page from the API. Returns None if the value is not a page.
pub fn page(value: Value) -> Option<Item> {
    let mut page = object(value)?;
    let mut stored = StoredData {
        id: text(&mut page, "id"),
        is_page: true,
        segment: text(&mut page, "slug"),
        ..StoredData::default()
    };
    status(&mut page, &mut stored);
    let is_shown = take_bool(&mut page, "show_in_navigation");
    stored.fields.extend(is_shown.then(|| ("show_in_navigation".to_owned(), true.into())));
    for key in ["navigation_label", "navigation_order", "meta_description"] {
        let value = page.remove(key).filter(|value| !value.is_null());
        stored.fields.extend(value.map(|value| (key.to_owned(), value)));
    }
    let mut invalid_values = InvalidValues::default();
    Some(Item {
        line: 1,
        guid: stored.id.clone(),
        title: text(&mut page, "title").map(Text::Plain),
        link: text(&mut page, "url"),
        published: moment(&mut page, "date_published", &mut invalid_values),
        updated: moment(&mut page, "date_modified", &mut invalid_values),
        content: text(&mut page, "content_html").map(Text::Html),
        stored: Some(stored),
        invalid_values,
        ..Item::default()
    })
}

/// A site file from the API: its name, its published content, and its draft.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteFile {
    /// Name of the file in the root folder of the site.
    pub name: String,
    pub published: Option<String>,
    pub draft: Option<String>,
    /// Whether the site serves the file.
    pub is_enabled: bool,
    pub content_type: Option<String>,
}

/// Parses a site file from the API. Returns None for a file that the service generates.
pub fn site_file(value: Value) -> Option<SiteFile> {
    let mut file = object(value)?;
    let is_made = text(&mut file, "mode").as_deref() == Some("generated");
    let name = text(&mut file, "filename").filter(|_| !is_made)?;
    let mut whole = |key: &str| match file.remove(key) {
        Some(Value::String(text)) if !text.is_empty() => Some(text),
        _ => None,
    };
    let (published, draft) = (whole("published_content"), whole("draft_content"));
    Some(SiteFile {
        name,
        draft: draft.filter(|draft| Some(draft) != published.as_ref()),
        published,
        is_enabled: file.get("enabled") != Some(&Value::Bool(false)),
        content_type: text(&mut file, "content_type"),
    })
}
