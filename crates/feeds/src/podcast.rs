//! Podcasting 2.0: `podcast:` tags as keys of front matter.
//!
//! The keys keep the names and the spelling of the namespace. An attribute becomes a key, the text
//! of a tag gets a descriptive key such as `name`, and a repeatable tag becomes a list, usually
//! with a plural name.

use serde_json::{Map, Number, Value};

use crate::element::Element;
use crate::entities::text_of_html;
use crate::tags;
use crate::values::InvalidValues;

/// A rule that converts a tag to a key.
struct TagRule {
    /// Name of the tag, without its prefix.
    tag: &'static str,
    key: &'static str,
    is_list: bool,
    /// Key for the text of the tag. Empty if the text is ignored.
    text: &'static str,
    children: &'static [TagRule],
}

const fn single(tag: &'static str, key: &'static str, text: &'static str) -> TagRule {
    TagRule { tag, key, is_list: false, text, children: &[] }
}

const fn list(tag: &'static str, key: &'static str, text: &'static str) -> TagRule {
    TagRule { is_list: true, ..single(tag, key, text) }
}

const fn with_children(rule: TagRule, children: &'static [TagRule]) -> TagRule {
    TagRule { children, ..rule }
}

const RECIPIENTS: TagRule = list("valueRecipient", "recipients", "");
const REMOTE_ITEM: TagRule = single("remoteItem", "remoteItem", "");

/// Tags that both channels and items can have.
const SHARED_TAGS: [TagRule; 11] = [
    list("person", "people", "name"),
    single("license", "license", "identifier"),
    list("location", "location", "name"),
    list("funding", "funding", "text"),
    list("image", "images", ""),
    single("images", "srcset", ""),
    with_children(
        list("value", "value", ""),
        &[
            RECIPIENTS,
            with_children(list("valueTimeSplit", "timeSplits", ""), &[RECIPIENTS, REMOTE_ITEM]),
        ],
    ),
    list("socialInteract", "socialInteract", ""),
    single("chat", "chat", ""),
    list("txt", "txt", "text"),
    list("contentLink", "contentLinks", "text"),
];

const CHANNEL_TAGS: [TagRule; 12] = [
    single("guid", "guid", "text"),
    single("medium", "medium", "text"),
    single("locked", "locked", "locked"),
    single("updateFrequency", "updateFrequency", "text"),
    list("trailer", "trailers", "title"),
    with_children(single("podroll", "podroll", ""), &[list("remoteItem", "remoteItems", "")]),
    list("remoteItem", "remoteItems", ""),
    with_children(single("publisher", "publisher", ""), &[REMOTE_ITEM]),
    list("block", "block", "block"),
    single("podping", "podping", ""),
    single("complete", "complete", "text"),
    single("hiveAccount", "hiveAccount", ""),
];

const ITEM_TAGS: [TagRule; 7] = [
    list("transcript", "transcripts", ""),
    single("chapters", "chapters", ""),
    single("season", "season", "number"),
    single("episode", "episode", "number"),
    list("soundbite", "soundbites", "title"),
    with_children(
        list("alternateEnclosure", "alternateEnclosures", ""),
        &[list("source", "sources", ""), single("integrity", "integrity", "")],
    ),
    single("socialRoot", "socialRoot", ""),
];

/// Keys whose values are numbers.
const NUMBERS: [&str; 14] = [
    "bitrate", "duration", "fee_percentage", "height", "length", "number", "priority",
    "remotePercentage", "remoteStartTime", "season", "split", "startTime", "version", "width",
];

/// Keys whose values are booleans.
const FLAGS: [&str; 6] = ["block", "complete", "default", "fee", "locked", "usesPodping"];

/// Removes the `podcast:` tags of a channel, and returns them as keys.
pub fn read_channel(element: &mut Element) -> Map<String, Value> {
    let shows = element.take_all("podcast:liveItem");
    let shows: Vec<Value> = shows.into_iter().map(live_item).collect();
    let mut keys = take_tags(element, &[&CHANNEL_TAGS, &SHARED_TAGS]);
    if !shows.is_empty() {
        keys.insert("liveItems".to_owned(), Value::Array(shows));
    }
    // A table that only wraps a single value is replaced by that value.
    for (key, inner) in [("podroll", "remoteItems"), ("publisher", "remoteItem")] {
        let held = keys.remove(key).and_then(|mut held| held.as_object_mut()?.remove(inner));
        keys.extend(held.map(|held| (key.to_owned(), held)));
    }
    for (key, inner) in [("guid", "text"), ("medium", "text"), ("podping", "usesPodping")] {
        unwrap(&mut keys, key, inner);
    }
    unwrap(&mut keys, "srcset", "srcset");
    keys
}

/// Converts a live item: an announced live show with times and a status.
fn live_item(mut element: Element) -> Value {
    let mut keys = read_item(&mut element);
    for (name, value) in &element.attributes {
        keys.insert(name.clone(), Value::String(value.trim().to_owned()));
    }
    for name in ["title", "guid", "description", "link"] {
        let text = element.take_text(name).map(|text| match name {
            "title" | "description" => text_of_html(&text),
            _ => text,
        });
        keys.extend(text.map(|text| (name.to_owned(), Value::String(text))));
    }
    let image = tags::itunes_image(&mut element);
    keys.extend(image.map(|url| ("image".to_owned(), Value::String(url))));
    let authors = tags::authors(&mut element);
    let authors: Vec<Value> =
        authors.into_iter().map(|single| Value::String(single.name)).collect();
    if !authors.is_empty() {
        keys.insert("authors".to_owned(), Value::Array(authors));
    }
    let explicit = tags::itunes(&mut element, &mut InvalidValues::default()).remove("explicit");
    keys.extend(explicit.map(|explicit| ("explicit".to_owned(), explicit)));
    if let Some(file) = element.take("enclosure") {
        let table = file.attributes.iter().filter(|(_, value)| !value.trim().is_empty());
        let table = table.map(|(name, value)| (name.clone(), typed_value(name, value.trim())));
        keys.insert("enclosure".to_owned(), Value::Object(table.collect()));
    }
    Value::Object(keys)
}

/// Removes the `podcast:` tags of an item, and returns them as keys.
pub fn read_item(element: &mut Element) -> Map<String, Value> {
    let mut keys = take_tags(element, &[&ITEM_TAGS, &SHARED_TAGS]);
    // JSON is the default type of chapters, so the type is omitted.
    let kind = keys.get("chapters").and_then(|chapters| chapters.get("type"));
    if kind.is_none_or(|kind| kind == "application/json+chapters") {
        unwrap(&mut keys, "chapters", "url");
    }
    unwrap(&mut keys, "srcset", "srcset");
    keys
}

/// Replaces a table with one of its values.
fn unwrap(keys: &mut Map<String, Value>, key: &str, inner: &str) {
    let value = keys.remove(key);
    let value = value.and_then(|mut table| table.as_object_mut()?.remove(inner));
    keys.extend(value.map(|value| (key.to_owned(), value)));
}

fn take_tags(element: &mut Element, rules: &[&[TagRule]]) -> Map<String, Value> {
    let mut keys = Map::new();
    for rule in rules.iter().copied().flatten() {
        let tags = element.take_all(&format!("podcast:{}", rule.tag));
        let mut values = tags.into_iter().map(|tag| Value::Object(table(tag, rule)));
        let value = match rule.is_list {
            true => Some(Value::Array(values.collect()))
                .filter(|list| *list != Value::Array(Vec::new())),
            false => values.next(),
        };
        keys.extend(value.map(|value| (rule.key.to_owned(), value)));
    }
    keys
}

fn table(mut tag: Element, rule: &TagRule) -> Map<String, Value> {
    let mut table = take_tags(&mut tag, &[rule.children]);
    for (key, value) in &tag.attributes {
        let value = value.trim();
        if !value.is_empty() {
            table.insert(key.clone(), typed_value(key, value));
        }
    }
    let text = tag.text();
    if !rule.text.is_empty() && !text.is_empty() {
        table.insert(rule.text.to_owned(), typed_value(rule.text, &text));
    }
    table
}

/// Converts a string to the type of its key. An invalid value stays a string, and is reported when
/// the front matter is read.
fn typed_value(key: &str, text: &str) -> Value {
    if FLAGS.contains(&key) {
        let lower = text.to_ascii_lowercase();
        match &*lower {
            "yes" | "true" | "1" => return Value::Bool(true),
            "no" | "false" | "0" => return Value::Bool(false),
            _ => {}
        }
    }
    if NUMBERS.contains(&key) {
        let whole = text.parse::<i64>().ok().map(Number::from);
        let number = whole.or_else(|| Number::from_f64(text.parse().ok()?));
        if let Some(number) = number {
            return Value::Number(number);
        }
    }
    Value::String(text.to_owned())
}
