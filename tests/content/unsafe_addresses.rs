//! Addresses that would act on who follows them are taken nowhere: not in files, not by the API.

use std::collections::BTreeSet;
use std::path::Path;

use feedwright::model::{Config, Diagnostic, Rule, Severity, SitePath, Source};
use feedwright::source::fields::Reader;
use feedwright::source::{channel, item};
use front_matter::{Node, Value as Found};
use serde_json::{Map, Value, json};

use crate::support::fixtures;
use crate::support::served::{Served, serve};
use crate::support::small_site::{site, tree};

/// Ways to write an address that a browser runs, or opens from the address itself.
const HOSTILE: [&str; 8] = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " java\tscript:alert(1)",
    "&#106;avascript&colon;alert(1)",
    "javascript%3Aalert(1)",
    "vbscript:msgbox(1)",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://example.com/1",
];

/// Keys of front matter whose texts are no addresses.
const PLAIN_TEXT_KEYS: [&str; 46] = [
    "accountId", "aliases", "alt", "authors", "block", "categories", "codecs", "contentType",
    "copyright", "customValue", "descriptor", "description", "display", "email", "feedGuid", "geo",
    "group", "guid", "id", "identifier", "image", "integrity", "itemGuid", "lang", "language",
    "license", "location", "locations", "medium", "method", "name", "people", "podroll",
    "protocol", "purpose", "rel", "role", "slug", "space", "tags", "text", "title", "txt", "type",
    "updateFrequency", "value",
];

/// The texts of front matter: their bytes, quotes and all, and the key they stand under.
fn texts(path: &str, text: &str) -> Vec<(std::ops::Range<usize>, String)> {
    fn collect(key: &str, node: &Node, found: &mut Vec<(std::ops::Range<usize>, String)>) {
        match &node.value {
            Found::String(_) => found.push((node.span.clone(), key.to_owned())),
            Found::List(list) => list.iter().for_each(|node| collect(key, node, found)),
            Found::Table(table) => {
                let entries = table.entries.iter();
                entries.for_each(|entry| collect(&entry.key, &entry.node, found));
            }
            _ => {}
        }
    }
    let path = SitePath::parse(path).unwrap();
    let front = Source { path: &path, text }.front_matter().unwrap();
    let mut found = Vec::new();
    for entry in &front.table.entries {
        collect(&entry.key, &entry.node, &mut found);
    }
    found
}

/// What is wrong with a content file whose text is this.
fn content_errors(root: &Path, path: &str, text: &str) -> Vec<Diagnostic> {
    let config = Config { base_url: "https://example.org".into(), ..Config::default() };
    let path = SitePath::parse(path).unwrap();
    let source = Source { path: &path, text };
    let reader = Reader::new(source, &config, root);
    if path.as_str().contains("channel") {
        drop(channel::read(&reader))
    } else {
        drop(item::read(&reader))
    }
    let mut found = reader.finish().0;
    // A chapter with such an address costs the address, and not the build.
    found.retain(|one| one.severity == Severity::Error || one.rule == Some(Rule::ChapterTime));
    found
}

/// The fixtures hold every key there is, so that an address under a new one is looked at too.
#[test]
fn every_unsafe_address_is_refused_with_position_and_help() {
    let (mut refused, mut taken) = (BTreeSet::new(), BTreeSet::new());
    for (fixture, path) in [
        ("every-podcast-tag", "content/channel.md"),
        ("every-podcast-tag", "content/items/one/index.md"),
        ("small-site", "content/channel.md"),
        ("small-site", "content/items/episode/index.md"),
        ("small-site", "content/items/photo/index.md"),
        ("small-site", "content/items/link.md"),
    ] {
        let root = fixtures().join(fixture);
        let text = std::fs::read_to_string(root.join(path)).unwrap();
        assert_eq!(content_errors(&root, path, &text), [], "{path}");
        for (at, (range, key)) in texts(path, &text).into_iter().enumerate() {
            for hostile in [HOSTILE[0], HOSTILE[1 + at % (HOSTILE.len() - 1)]] {
                let mut changed = text.clone();
                changed.replace_range(range.clone(), &json!(hostile).to_string());
                let found = content_errors(&root, path, &changed);
                let line = text[..range.start].matches('\n').count() + 1;
                let is_named = |found: &Diagnostic| {
                    found.line == Some(line) && found.column.is_some() && found.help.is_some()
                };
                if found.is_empty() {
                    taken.insert(key.clone());
                } else if found.iter().any(is_named) {
                    refused.insert(key.clone());
                } else {
                    panic!("{path}:{line} {key}: {found:?}");
                }
            }
        }
    }
    let texts: BTreeSet<String> = PLAIN_TEXT_KEYS.map(str::to_owned).into();
    let addresses: Vec<&String> = taken.difference(&texts).collect();
    assert_eq!(addresses, [""; 0], "these keys take any address");
    for key in [
        "address", "accountUrl", "alternateEnclosures", "attachment", "banner_image", "chapters",
        "contentLinks", "favicon", "feedUrl", "funding", "href", "icon", "image", "images", "img",
        "link", "new-feed-url", "server", "source", "sources", "srcset", "transcripts", "uri",
        "url",
    ] {
        assert!(refused.contains(key), "{key} is in no fixture");
    }
}

#[test]
fn a_refused_address_is_shown_with_its_line() {
    let report =
        site().item("+++\ntitle = \"A\"\nimage = \"data:image/png;base64,AAAA\"\n+++\n").report();
    insta::assert_snapshot!(report);
}

#[test]
fn unsafe_addresses_in_chapter_files_are_skipped_with_a_warning() {
    for hostile in ["javascript:x", "data:x"] {
        let chapters =
            json!({ "chapters": [{ "startTime": 0, "url": hostile, "title": "Intro" }] });
        let site = site()
            .with(
                "content/items/a.md",
                "+++\ntitle = \"A\"\npodcast = { chapters = \"a.json\" }\n+++\n",
            )
            .with("content/items/a.json", chapters.to_string());
        let report = site.report();
        assert!(report.starts_with("built"), "{report}");
        assert!(report.contains("warning[chapter-time]"), "{report}");
        assert!(report.contains("content/items/a.json:1:"), "{report}");
        assert!(report.contains("https://"), "{report}");
        let files = tree(&site.path("public")).into_iter();
        // The author's own file is published as it is; the program links the chapters that it writes.
        for (path, bytes) in files.filter(|(path, _)| !path.starts_with("media/")) {
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains(hostile), "{hostile} in {path}");
        }
    }
}

/// Fields of the API whose texts are no addresses.
const PLAIN_TEXT_FIELDS: [&str; 19] = [
    // The id of an item, which no file contains.
    "translation_of", "alt", "content_html", "content_markdown", "copyright", "description",
    "group", "guid", "id", "itunes:email", "itunes:title", "language", "mime_type", "name", "rel",
    "role", "tags", "title", "type",
];

/// Every text that a schema has a place for: its name, and a body that has a hostile one there.
fn request_bodies(schemas: &Value, schema: &Value, hostile: &str) -> Vec<(String, Value)> {
    if let Some(path) = schema["$ref"].as_str() {
        let name = path.rsplit('/').next().unwrap();
        return request_bodies(schemas, &schemas[name], hostile);
    }
    let choices = schema["anyOf"].as_array().into_iter().flatten();
    let mut found: Vec<_> =
        choices.flat_map(|choice| request_bodies(schemas, choice, hostile)).collect();
    let has = |name: &str| match &schema["type"] {
        Value::Array(types) => types.iter().any(|one| one == name),
        one => one == name,
    };
    if has("string") && schema.get("enum").is_none() && schema.get("format").is_none() {
        found.push((String::new(), hostile.into()));
    }
    if has("array") {
        let elements = request_bodies(schemas, &schema["items"], hostile).into_iter();
        found.extend(elements.map(|(name, value)| (name, json!([value]))));
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        for (inner, value) in request_bodies(schemas, field, hostile) {
            let mut object = Map::new();
            for required in schema["required"].as_array().into_iter().flatten() {
                let key = required.as_str().unwrap();
                object.insert(key.to_owned(), example_value(key));
            }
            object.insert(name.clone(), value);
            let name = if inner.is_empty() { name.clone() } else { inner };
            found.push((name, object.into()));
        }
    }
    found
}

/// A value of a field that has to be there.
fn example_value(key: &str) -> Value {
    match key {
        "startTime" => 0.into(),
        "geo" => "geo:1,2".into(),
        "type" => "text/vtt".into(),
        "url" => "https://example.com/a".into(),
        "identifier" => "mine".into(),
        _ => "A name".into(),
    }
}

/// The texts of a document under keys that hold addresses.
fn addresses(value: &Value, key: &str, found: &mut Vec<String>) {
    match value {
        Value::String(text) if !PLAIN_TEXT_FIELDS.contains(&key) => found.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|one| addresses(one, key, found)),
        Value::Object(object) => {
            object.iter().for_each(|(key, value)| addresses(value, key, found))
        }
        _ => {}
    }
}

fn assert_nothing_hostile(served: &Served) {
    let mut found = Vec::new();
    addresses(&served.read("/feed/").ok(), "", &mut found);
    for address in found {
        assert_eq!(feedwright::model::url::refused_scheme(&address), None);
    }
}

/// The fields come from the API's own description, so that a new one is tried too.
#[test]
fn the_api_refuses_unsafe_addresses_in_every_field() {
    const ITEM: &str = "+++\nid = \"walk\"\ntitle = \"Walk\"\n+++\nText\n";
    let served = serve(site().with("content/items/walk.md", ITEM));
    let document = served.get("/api/v1/openapi.json").ok();
    let schemas = &document["components"]["schemas"];
    let mut refused = BTreeSet::new();
    for (path, name) in [("/items/walk/", "ItemInput"), ("/channels/primary/", "ChannelInput")] {
        for hostile in HOSTILE {
            for (field, body) in request_bodies(schemas, &schemas[name], hostile) {
                if PLAIN_TEXT_FIELDS.contains(&field.as_str()) {
                    continue;
                }
                let answer = served.put(path, &body);
                assert_eq!(answer.status, 400, "{field} takes any address: {body}");
                let message = answer.error(400);
                assert!(message.contains(": "), "{body}: {message}");
                refused.insert(field);
            }
        }
    }
    for field in ["url", "image", "icon", "img", "href", "homepage_url", "itunes:new-feed-url"] {
        assert!(refused.contains(field), "{field} was not tried");
    }
    assert_nothing_hostile(&served);
    // The channel's tags have no schema of their own.
    for podcast in [
        json!({ "funding": [{ "url": "javascript:x" }] }),
        json!({ "socialInteract": [{ "protocol": "activitypub", "uri": "javascript:x" }] }),
        json!({ "trailers": [{ "title": "T", "url": "data:x", "pubdate": "2026-01-01" }] }),
        json!({ "images": ["data:x"] }),
    ] {
        let body = json!({ "_service": { "podcast": podcast } });
        let message = served.put("/channels/primary/", &body).error(400);
        assert!(message.starts_with("_service.podcast."), "{message}");
    }
    assert_nothing_hostile(&served);
}
