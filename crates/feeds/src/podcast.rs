//! Podcasting 2.0: `podcast:` tags as keys of front matter.
//!
//! The keys keep the names and the spelling of the namespace. An attribute becomes a key, the text
//! of a tag gets a key that describes it, and a repeatable tag becomes a list with a plural name.

use serde_json::{Map, Number, Value};

use crate::element::Element;
use crate::entities::text_of_html;
use crate::tags;
use crate::values::Unread;

/// The rule by which a tag becomes a key.
struct Shape {
    /// Name of the tag, without its prefix.
    tag: &'static str,
    key: &'static str,
    is_list: bool,
    /// Key for the text of the tag.
    text: &'static str,
    children: &'static [Shape],
}

const fn one(tag: &'static str, key: &'static str, text: &'static str) -> Shape {
    Shape { tag, key, is_list: false, text, children: &[] }
}

const fn list(tag: &'static str, key: &'static str, text: &'static str) -> Shape {
    Shape { is_list: true, ..one(tag, key, text) }
}

const fn with(shape: Shape, children: &'static [Shape]) -> Shape {
    Shape { children, ..shape }
}

const RECIPIENTS: Shape = list("valueRecipient", "recipients", "");
const REMOTE_ITEM: Shape = one("remoteItem", "remoteItem", "");

/// Tags of both channels and items.
const SHARED: [Shape; 11] = [
    list("person", "people", "name"),
    one("license", "license", "identifier"),
    list("location", "location", "name"),
    list("funding", "funding", "text"),
    list("image", "images", ""),
    one("images", "srcset", ""),
    with(
        list("value", "value", ""),
        &[RECIPIENTS, with(list("valueTimeSplit", "timeSplits", ""), &[RECIPIENTS, REMOTE_ITEM])],
    ),
    list("socialInteract", "socialInteract", ""),
    one("chat", "chat", ""),
    list("txt", "txt", "text"),
    list("contentLink", "contentLinks", "text"),
];

const OF_CHANNEL: [Shape; 12] = [
    one("guid", "guid", "text"),
    one("medium", "medium", "text"),
    one("locked", "locked", "locked"),
    one("updateFrequency", "updateFrequency", "text"),
    list("trailer", "trailers", "title"),
    with(one("podroll", "podroll", ""), &[list("remoteItem", "remoteItems", "")]),
    list("remoteItem", "remoteItems", ""),
    with(one("publisher", "publisher", ""), &[REMOTE_ITEM]),
    list("block", "block", "block"),
    one("podping", "podping", ""),
    one("complete", "complete", "text"),
    one("hiveAccount", "hiveAccount", ""),
];

const OF_ITEM: [Shape; 7] = [
    list("transcript", "transcripts", ""),
    one("chapters", "chapters", ""),
    one("season", "season", "number"),
    one("episode", "episode", "number"),
    list("soundbite", "soundbites", "title"),
    with(
        list("alternateEnclosure", "alternateEnclosures", ""),
        &[list("source", "sources", ""), one("integrity", "integrity", "")],
    ),
    one("socialRoot", "socialRoot", ""),
];

/// Keys whose values are numbers.
const NUMBERS: [&str; 14] = [
    "bitrate", "duration", "fee_percentage", "height", "length", "number", "priority",
    "remotePercentage", "remoteStartTime", "season", "split", "startTime", "version", "width",
];

/// Keys whose values are booleans.
const FLAGS: [&str; 6] = ["block", "complete", "default", "fee", "locked", "usesPodping"];

/// Removes a channel's tags, and returns them as keys.
pub fn of_channel(element: &mut Element) -> Map<String, Value> {
    let shows = element.take_all("podcast:liveItem");
    let shows: Vec<Value> = shows.into_iter().map(live_item).collect();
    let mut keys = taken(element, &[&OF_CHANNEL, &SHARED]);
    if !shows.is_empty() {
        keys.insert("liveItems".to_owned(), Value::Array(shows));
    }
    // A table that only wraps one kind of value is replaced by that value.
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

/// Converts an announced live show: an item with times and a status.
fn live_item(mut element: Element) -> Value {
    let mut keys = of_item(&mut element);
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
    let authors: Vec<Value> = authors.into_iter().map(|one| Value::String(one.name)).collect();
    if !authors.is_empty() {
        keys.insert("authors".to_owned(), Value::Array(authors));
    }
    let explicit = tags::itunes(&mut element, &mut Unread::default()).remove("explicit");
    keys.extend(explicit.map(|explicit| ("explicit".to_owned(), explicit)));
    if let Some(file) = element.take("enclosure") {
        let table = file.attributes.iter().filter(|(_, value)| !value.trim().is_empty());
        let table = table.map(|(name, value)| (name.clone(), typed(name, value.trim())));
        keys.insert("enclosure".to_owned(), Value::Object(table.collect()));
    }
    Value::Object(keys)
}

/// Removes an item's tags, and returns them as keys.
pub fn of_item(element: &mut Element) -> Map<String, Value> {
    let mut keys = taken(element, &[&OF_ITEM, &SHARED]);
    // The type of JSON chapters is the default, so it is omitted.
    let kind = keys.get("chapters").and_then(|chapters| chapters.get("type"));
    if kind.is_none_or(|kind| kind == "application/json+chapters") {
        unwrap(&mut keys, "chapters", "url");
    }
    unwrap(&mut keys, "srcset", "srcset");
    keys
}

/// Replaces a table by one of its values.
fn unwrap(keys: &mut Map<String, Value>, key: &str, inner: &str) {
    let value = keys.remove(key);
    let value = value.and_then(|mut table| table.as_object_mut()?.remove(inner));
    keys.extend(value.map(|value| (key.to_owned(), value)));
}

fn taken(element: &mut Element, shapes: &[&[Shape]]) -> Map<String, Value> {
    let mut keys = Map::new();
    for shape in shapes.iter().copied().flatten() {
        let tags = element.take_all(&format!("podcast:{}", shape.tag));
        let mut values = tags.into_iter().map(|tag| Value::Object(table(tag, shape)));
        let value = match shape.is_list {
            true => Some(Value::Array(values.collect()))
                .filter(|list| *list != Value::Array(Vec::new())),
            false => values.next(),
        };
        keys.extend(value.map(|value| (shape.key.to_owned(), value)));
    }
    keys
}

fn table(mut tag: Element, shape: &Shape) -> Map<String, Value> {
    let mut table = taken(&mut tag, &[shape.children]);
    for (key, value) in &tag.attributes {
        let value = value.trim();
        if !value.is_empty() {
            table.insert(key.clone(), typed(key, value));
        }
    }
    let text = tag.text();
    if !shape.text.is_empty() && !text.is_empty() {
        table.insert(shape.text.to_owned(), typed(shape.text, &text));
    }
    table
}

/// Converts a text to the type of its key. A text that does not fit stays a text, and is reported
/// when the front matter is read.
fn typed(key: &str, text: &str) -> Value {
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
