//! Whatever a `podcast` table holds, reading it ends, and the feed is well-formed.

use feedwright::model::{Config, SitePath, Source};
use feedwright::source::fields::Reader;
use feedwright::source::{channel, item};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::site::{self, Site};
use crate::support::xml_tree;

const KEYS: &[&str] = &[
    "people", "name", "role", "group", "img", "href", "license", "identifier", "url", "location",
    "rel", "geo", "osm", "country", "funding", "text", "value", "type", "method", "suggested",
    "recipients", "address", "split", "customKey", "fee", "timeSplits", "startTime", "duration",
    "remotePercentage", "remoteItem", "feedGuid", "feedUrl", "medium", "images", "srcset",
    "aspect-ratio", "width", "socialInteract", "protocol", "uri", "chat", "server", "txt",
    "transcripts", "chapters", "title", "endTime", "soundbites", "season", "number", "episode",
    "display", "alternateEnclosures", "sources", "integrity", "contentLinks", "guid", "locked",
    "owner", "block", "id", "trailers", "pubdate", "updateFrequency", "rrule", "dtstart",
    "podping", "publisher", "podroll", "remoteItems", "liveItems", "status", "start", "end",
    "enclosure",
];

const TEXTS: &[&str] = &[
    "",
    " ",
    "https://example.com/a.mp3",
    "https://example.com/?a=1&b=<2>",
    "ipfs://x",
    "a.mp3",
    "geo:1,2",
    "geo:,",
    "geo:1,2;",
    "geo:-0,180;crs=moon",
    "N1",
    "R1#",
    "GB",
    "sha256-",
    "sri",
    "sha384-ExVqijgYHm15PqQqdXfW95x+Rs6C+d6E/ICxyQOeFevnxNLR/wtJNrNYTjIysUBo",
    "FREQ=DAILY",
    "FREQ=DAILY;COUNT=3",
    ";=;",
    "16/9",
    "/",
    "live",
    "2026-11-20",
    "1:02:03",
    ":",
    "a@b.c",
    "@",
    "917393e3-1b1e-5cef-ace4-edaa54e1f810",
    "CC-BY-4.0",
    "é]]>\u{0}\u{fffe}\r",
    "music",
    "yes",
    "https://e.org/a.png 2x, https://e.org/b.png",
    ", ,",
    "disabled",
    "lightning",
    "node",
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => prop::sample::select(TEXTS).prop_map(|text| json!(text)),
        1 => any::<String>().prop_map(|text| json!(text)),
        1 => any::<i64>().prop_map(|number| json!(number)),
        1 => (0..200_i64).prop_map(|number| json!(number)),
        1 => any::<f64>().prop_map(|number| json!(number)),
        1 => any::<bool>().prop_map(|flag| json!(flag)),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            any_table(inner),
        ]
    })
}

fn any_table(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let entry = (prop::sample::select(KEYS), value);
    prop::collection::vec(entry, 0..12).prop_map(|entries| {
        let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), value));
        Value::Object(entries.collect::<Map<_, _>>())
    })
}

fn read<T>(path: &str, podcast: &Value, read: impl Fn(&Reader<'_>) -> Option<T>) -> Option<T> {
    let path = SitePath::parse(path).unwrap();
    let text = json!({ "title": "T", "podcast": podcast }).to_string();
    let source = Source { path: &path, text: &text };
    let config = Config::default();
    let root = site::folder("podcast-errors");
    let reader = Reader::new(source, &config, &root);
    read(&reader)
}

proptest! {
    #[test]
    fn any_podcast_table_gives_a_well_formed_feed(channel_tags in any_table(value()), item_tags in any_table(value())) {
        let channel = read("content/channel.md", &channel_tags, channel::read);
        let item = read("content/items/a.md", &item_tags, item::read);
        if let (Some(channel), Some(item)) = (channel, item) {
            let site = Site {
                config: Config::default(),
                channel,
                items: vec![item],
                found: Vec::new(),
            };
            xml_tree::parse(&site.rss());
        }
    }
}
