//! JSON Feed 1.0 and 1.1.

use serde_json::{Map, Value};

use crate::feed::{Author, Channel, Enclosure, Fault, Faults, Feed, Item, Text};
use crate::json_value::text as take;
use crate::skipped::SkippedFields;
use crate::values::InvalidValues;
use crate::{microfeed, tags};

/// Reads a JSON Feed from its top-level object.
pub fn read(
    mut feed: Map<String, Value>,
    faults: &mut Faults,
    skipped: &mut SkippedFields,
) -> Feed {
    let version = take(&mut feed, "version").unwrap_or_default();
    let version = version.rsplit('/').next().unwrap_or_default();
    let items = match feed.remove("items") {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    };
    let mut channel = Channel {
        title: take(&mut feed, "title"),
        link: take(&mut feed, "home_page_url"),
        feed_url: take(&mut feed, "feed_url"),
        next_url: take(&mut feed, "next_url"),
        description: take(&mut feed, "description").map(Text::Plain),
        language: take(&mut feed, "language"),
        image: take(&mut feed, "icon"),
        icon: take(&mut feed, "favicon"),
        authors: authors(&mut feed),
        expired: feed.remove("expired") == Some(Value::Bool(true)),
        ..Channel::default()
    };
    if let Some(podcast) = extension(&mut feed, "podcast") {
        channel.podcast = podcast;
    }
    let language = channel.language.clone();
    if let Some(own) = microfeed::extension(&mut feed) {
        microfeed::read_channel(own, &mut channel);
    }
    let items = items.into_iter().enumerate().map(|(at, item)| match item {
        Value::Object(keys) => self::item(keys, language.as_deref(), skipped),
        _ => {
            let message = format!("item {} is not an object; it was skipped", at + 1);
            faults.push(Fault { line: 1, message });
            Item::default()
        }
    });
    let items = items.filter(|item| *item != Item::default()).collect();
    report_rest(feed, "feed", skipped);
    Feed { format: format!("JSON Feed {version}"), channel, items, ..Feed::default() }
}

fn item(mut keys: Map<String, Value>, language: Option<&str>, skipped: &mut SkippedFields) -> Item {
    let mut invalid_values = InvalidValues::default();
    let html = take(&mut keys, "content_html").map(Text::Html);
    let text = take(&mut keys, "content_text").map(Text::Plain);
    let mut item = Item {
        line: 1,
        guid: take(&mut keys, "id"),
        title: take(&mut keys, "title").map(Text::Plain),
        link: take(&mut keys, "url"),
        external_url: take(&mut keys, "external_url"),
        published: take_date(&mut keys, "date_published", language, &mut invalid_values),
        updated: take_date(&mut keys, "date_modified", language, &mut invalid_values),
        summary: take(&mut keys, "summary").map(Text::Plain),
        content: html.or(text),
        language: take(&mut keys, "language"),
        authors: authors(&mut keys),
        image: take(&mut keys, "image"),
        banner: take(&mut keys, "banner_image"),
        invalid_values,
        ..Item::default()
    };
    if let Some(Value::Array(names)) = keys.remove("tags") {
        names.iter().filter_map(Value::as_str).for_each(|tag| item.add_tag(tag));
    }
    if let Some(Value::Array(files)) = keys.remove("attachments") {
        let files = files.into_iter();
        let files = files.filter_map(|file| enclosure(file, &mut item.invalid_values));
        item.enclosures = files.collect();
    }
    if let Some(podcast) = extension(&mut keys, "podcast") {
        item.podcast = podcast;
    }
    if let Some(itunes) = extension(&mut keys, "itunes") {
        item.itunes = itunes;
    }
    if let Some(own) = microfeed::extension(&mut keys) {
        microfeed::read_item(own, &mut item, skipped);
    }
    report_rest(keys, "item", skipped);
    item
}

fn enclosure(file: Value, invalid_values: &mut InvalidValues) -> Option<Enclosure> {
    let Value::Object(mut keys) = file else {
        return None;
    };
    Some(Enclosure {
        url: take(&mut keys, "url")?,
        media_type: take(&mut keys, "mime_type"),
        length: take(&mut keys, "size_in_bytes")
            .and_then(|text| invalid_values.length("size_in_bytes", &text)),
        duration: take(&mut keys, "duration_in_seconds")
            .and_then(|text| invalid_values.seconds("duration_in_seconds", &text)),
        title: take(&mut keys, "title"),
        category: None,
    })
}

/// Reads `authors` of JSON Feed 1.1, or `author` of 1.0.
fn authors(keys: &mut Map<String, Value>) -> Vec<Author> {
    let list = keys.remove("authors");
    let single = keys.remove("author");
    let people = match list {
        Some(Value::Array(people)) => people,
        _ => single.into_iter().collect(),
    };
    let mut authors = Vec::new();
    for person in people {
        let Value::Object(mut person) = person else {
            continue;
        };
        let url = take(&mut person, "url");
        let name = take(&mut person, "name").or_else(|| url.clone()).unwrap_or_default();
        tags::push(&mut authors, Author { name, url, email: None });
    }
    authors
}

fn take_date(
    keys: &mut Map<String, Value>,
    key: &str,
    language: Option<&str>,
    invalid_values: &mut InvalidValues,
) -> Option<jiff::Timestamp> {
    let text = take(keys, key)?;
    invalid_values.date(key, &text, language)
}

/// Removes and returns a table from a JSON Feed extension (`_service`). The name of the extension
/// does not matter.
fn extension(keys: &mut Map<String, Value>, table: &str) -> Option<Map<String, Value>> {
    let own = keys.iter_mut().filter(|(key, _)| key.starts_with('_'));
    let mut tables = own.filter_map(|(_, value)| value.as_object_mut()?.remove(table));
    tables.find_map(|table| match table {
        Value::Object(table) => Some(table),
        _ => None,
    })
}

fn report_rest(keys: Map<String, Value>, within: &str, skipped: &mut SkippedFields) {
    const TRANSPORT_FIELDS: [&str; 4] = ["hubs", "user_comment", "version", "_service"];
    for key in keys.keys().filter(|key| !TRANSPORT_FIELDS.contains(&key.as_str())) {
        skipped.add(&format!("{within}/{key}"), 1);
    }
}
