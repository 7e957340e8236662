//! A feed that holds every tag, at every level the specification places it.

use std::collections::BTreeSet;
use std::fs;

use feedwright::model::{Channel, Config, SitePath, Source};
use feedwright::render::feeds::chapters::ChaptersDocument;
use feedwright::source::channel;
use feedwright::source::fields::Reader;
use front_matter::{Table, Value};

use super::site;
use crate::support::xml_tree::{self, Element};

/// Every element of the namespace, with `podcast:images` the only deprecated one.
const TAGS: [&str; 32] = [
    "alternateEnclosure", "block", "chapters", "chat", "contentLink", "episode", "funding", "guid",
    "image", "images", "integrity", "license", "liveItem", "location", "locked", "medium",
    "person", "podping", "podroll", "publisher", "remoteItem", "season", "socialInteract",
    "soundbite", "source", "trailer", "transcript", "txt", "updateFrequency", "value",
    "valueRecipient", "valueTimeSplit",
];

pub fn every_tag() -> site::Site {
    let items = ["content/items/one/index.md", "content/items/plain.md"];
    site::read("every-podcast-tag", &items)
}

#[test]
fn a_feed_with_every_tag() {
    let site = every_tag();
    assert_eq!(site.found, []);
    insta::assert_snapshot!(site.rss());
}

#[test]
fn every_tag_of_the_namespace_is_covered() {
    fn collect(element: &Element, found: &mut BTreeSet<String>) {
        found.extend(element.name.strip_prefix("podcast:").map(str::to_owned));
        element.children.iter().for_each(|child| collect(child, found));
    }
    let mut found = BTreeSet::new();
    collect(&xml_tree::parse(&every_tag().rss()), &mut found);
    let expected: BTreeSet<String> = TAGS.iter().map(|tag| (*tag).to_owned()).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_chapters_document() {
    let site = every_tag();
    let documents: Vec<String> = site
        .items
        .iter()
        .filter_map(|item| ChaptersDocument::of(&site.channel, item))
        .map(|document| {
            let mut out = Vec::new();
            document.write(true, &mut out);
            String::from_utf8(out).unwrap()
        })
        .collect();
    assert_eq!(documents.len(), 1, "an item without chapters has no document");
    insta::assert_snapshot!(documents[0]);
}

#[test]
fn serialized_tags_have_the_shape_of_front_matter() {
    let site = every_tag();
    let tags = (&site.channel.podcast, &*site.items[0].podcast);
    insta::assert_snapshot!(serde_json::to_string_pretty(&tags).unwrap());
}

#[test]
fn toml_yaml_and_json_are_equivalent() {
    let toml = fs::read_to_string(site::folder("every-podcast-tag").join("content/channel.md"));
    let toml = toml.unwrap();
    let path = SitePath::parse("content/channel.md").unwrap();
    let source = Source { path: &path, text: &toml };
    let front = source.front_matter().unwrap();
    let body = &toml[front.body..];
    let json = serde_json::to_string_pretty(&to_json(&front.table)).unwrap();
    // JSON is YAML too, with its scalars plain where they are no strings.
    let texts = [format!("{json}\n{body}"), format!("---\n{json}\n---\n{body}")];
    let expected = every_tag().channel;
    for text in texts {
        assert_eq!(read_channel(&path, &text), expected, "{text}");
    }
}

fn read_channel(path: &SitePath, text: &str) -> Channel {
    let config = Config { base_url: "https://example.org".into(), ..Config::default() };
    let root = site::folder("every-podcast-tag");
    let reader = Reader::new(Source { path, text }, &config, &root);
    let channel = channel::read(&reader).unwrap();
    assert_eq!(reader.finish().0, []);
    channel
}

fn to_json(table: &Table) -> serde_json::Value {
    let entries = table.entries.iter();
    let entries = entries.map(|entry| (entry.key.clone(), value_to_json(&entry.node.value)));
    serde_json::Value::Object(entries.collect())
}

fn value_to_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::String(text) | Value::Plain(_, text) => text.clone().into(),
        Value::List(list) => list.iter().map(|node| value_to_json(&node.value)).collect(),
        Value::Table(table) => to_json(table),
    }
}
