//! microfeed: data that its API returns in addition to a feed. The feed, with the data in its
//! `_microfeed` tables, is read as JSON Feed.

use serde_json::{Map, Value, json};

use crate::feed::{Channel, Item, Kept, Text};
use crate::json_value::{Keys, list, moment, object, table, text, yes};
use crate::left::Leavings;
use crate::values::Unread;

/// Keys of an item's extension that repeat other keys, or that a build computes.
const MADE: [&str; 11] = [
    "web_url", "json_url", "rss_url", "is_audio", "is_video", "is_image", "is_document",
    "is_external_url", "duration_hhmmss", "date_published_ms", "date_published_short",
];

/// Removes and returns the JSON Feed extension that such services share: a table whose key begins
/// with an underscore.
pub fn extension(keys: &mut Keys) -> Option<Keys> {
    const KNOWN: [&str; 6] =
        ["web_url", "slug", "status", "subscribe_methods", "items_sort", "base_url"];
    let own = keys.iter().find(|(key, value)| {
        key.starts_with('_') && KNOWN.iter().any(|known| value.get(known).is_some())
    });
    let name = own?.0.clone();
    table(keys, &name)
}

/// Adds the data of an item's extension.
pub fn of_item(mut own: Keys, item: &mut Item, left: &mut Leavings) {
    let mut kept =
        Kept { id: item.guid.clone(), segment: text(&mut own, "slug"), ..Kept::default() };
    item.guid = text(&mut own, "guid").or(item.guid.take());
    // `web_url` is the item's own page. The other address is the page that the item is about.
    let page = text(&mut own, "web_url");
    let about = item.external_url.take().or(item.link.take());
    item.external_url = about.filter(|about| Some(about) != page.as_ref());
    item.link = page;
    status(&mut own, &mut kept);
    if let Some(Value::Array(people)) = own.remove("authors") {
        kept.fields.insert("authors".to_owned(), people.into());
    }
    kept.fields.extend(seo(&mut own));
    if yes(&mut own, "is_external_url")
        && let Some(file) = item.enclosures.first_mut()
    {
        file.category = Some("external_url".to_owned());
    }
    item.podcast.extend(table(&mut own, "podcast").unwrap_or_default());
    item.itunes.extend(itunes(&mut own));
    item.itunes.extend(table(&mut own, "itunes").unwrap_or_default());
    item.kept = Some(kept);
    for key in own.keys().filter(|key| !MADE.contains(&key.as_str())) {
        left.add(&format!("item/_{key}"), 1);
    }
}

/// Adds the data of a feed's extension.
pub fn of_channel(mut own: Keys, channel: &mut Channel) {
    channel.copyright = text(&mut own, "copyright");
    for mut topic in list(&mut own, "categories") {
        let below = list(&mut topic, "categories").into_iter();
        let below = below.filter_map(|mut one| text(&mut one, "name")).collect();
        channel.categories.extend(text(&mut topic, "name").map(|name| (name, below)));
    }
    channel.itunes = itunes(&mut own);
    channel.podcast.extend(table(&mut own, "podcast").unwrap_or_default());
    channel.fields = seo(&mut own);
    for key in ["publisher", "subscribe_methods"] {
        channel
            .fields
            .extend(own.remove(key).map(|value| (key.to_owned(), without_nothing(value))));
    }
}

/// Removes `null` values, which carry no information.
fn without_nothing(value: Value) -> Value {
    match value {
        Value::Object(keys) => {
            let said = keys.into_iter().filter(|(_, value)| !value.is_null());
            said.map(|(key, value)| (key, without_nothing(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(list) => list.into_iter().map(without_nothing).collect::<Vec<_>>().into(),
        value => value,
    }
}

fn status(own: &mut Keys, kept: &mut Kept) {
    let status = text(own, "status").filter(|status| status != "published");
    match status.as_deref() {
        None => {}
        // As in feedwright, readers who have the address see the item, but no list shows it.
        Some("unlisted") => {
            kept.fields.insert("status".to_owned(), "unlisted".into());
        }
        Some("unpublished") => kept.hidden = Some("is unpublished".to_owned()),
        Some(status) => kept.hidden = Some(format!("has the status {status:?}")),
    }
}

fn seo(own: &mut Keys) -> Keys {
    let seo = own.remove("seo").map(without_nothing).filter(|seo| *seo != json!({}));
    seo.map(|seo| ("seo".to_owned(), seo)).into_iter().collect()
}

/// Removes keys such as `itunes:season`, and returns them without the prefix.
fn itunes(own: &mut Keys) -> Keys {
    let names: Vec<String> = own.keys().filter(|key| key.starts_with("itunes:")).cloned().collect();
    let found = names.into_iter().filter_map(|name| {
        let value = own.remove(&name).filter(|value| !value.is_null() && *value != json!(""))?;
        Some((name["itunes:".len()..].to_owned(), value))
    });
    found.collect()
}

/// Parses a page of the API. Returns None if the value is not a page.
pub fn page(value: Value) -> Option<Item> {
    let mut page = object(value)?;
    let mut kept = Kept {
        id: text(&mut page, "id"),
        is_page: true,
        segment: text(&mut page, "slug"),
        ..Kept::default()
    };
    status(&mut page, &mut kept);
    let is_shown = yes(&mut page, "show_in_navigation");
    kept.fields.extend(is_shown.then(|| ("show_in_navigation".to_owned(), true.into())));
    for key in ["navigation_label", "navigation_order", "meta_description"] {
        let value = page.remove(key).filter(|value| !value.is_null());
        kept.fields.extend(value.map(|value| (key.to_owned(), value)));
    }
    let mut unread = Unread::default();
    Some(Item {
        line: 1,
        guid: kept.id.clone(),
        title: text(&mut page, "title").map(Text::Plain),
        link: text(&mut page, "url"),
        published: moment(&mut page, "date_published", &mut unread),
        updated: moment(&mut page, "date_modified", &mut unread),
        content: text(&mut page, "content_html").map(Text::Html),
        kept: Some(kept),
        unread,
        ..Item::default()
    })
}

/// A site file of the API: its name, its published content, and its draft.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteFile {
    /// Name of the file at the site's root.
    pub name: String,
    pub published: Option<String>,
    pub draft: Option<String>,
    /// Whether the site has the file at all.
    pub is_enabled: bool,
    pub content_type: Option<String>,
}

/// Parses a site file of the API. Returns None for a file that the service generates.
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
