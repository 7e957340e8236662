//! What templates read is what serde writes.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use mustache::{Partials, Template};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::*;
use crate::model::podcast::{IntegrityKind, LiveStatus, LocationRel, Medium};
use crate::model::{Channel, Config, Item, SitePath, Source};
use crate::source::fields::Reader;
use crate::source::{channel, item};

/// A struct as it is serialized.
pub fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::default().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

/// The names in a schema's `properties`, and in those of its variants.
fn properties(schema: &Json) -> BTreeSet<&str> {
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    let own = schema["properties"].as_object().into_iter().flatten();
    own.map(|(name, _)| name.as_str())
        .chain(variants.flat_map(properties))
        .collect()
}

#[test]
fn names_and_what_may_be_left_out_are_those_of_the_serialized_form() {
    for (schema, names, always) in named() {
        let schema = schema.as_value();
        let required = schema["required"].as_array().into_iter().flatten();
        let required: BTreeSet<&str> = required.filter_map(Json::as_str).collect();
        let title = &schema["title"];
        assert_eq!(BTreeSet::from_iter(names), properties(schema), "{title}");
        assert_eq!(BTreeSet::from_iter(always), required, "{title}");
    }
}

#[test]
fn every_tag_is_as_it_is_serialized() {
    let channel: Channel = every_tag("content/channel.md", channel::read);
    let item: Item = every_tag("content/items/one/index.md", item::read);
    assert_same(&channel.podcast);
    assert_same(&*item.podcast);
    assert_same(&channel.categories);
}

fn every_tag<T>(path: &str, read: impl FnOnce(&Reader<'_>) -> Option<T>) -> T {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/every-podcast-tag");
    let text = fs::read_to_string(root.join(path)).unwrap();
    let path = SitePath::parse(path).unwrap();
    let source = Source {
        path: &path,
        text: &text,
    };
    read(&Reader::new(source, &Config::default(), &root)).unwrap()
}

#[test]
fn what_that_site_does_not_say_is_as_it_is_serialized() {
    assert_same(&ChannelPodcast::default());
    assert_same(&ItemPodcast::default());
    assert_same(&Value::default());
    assert_same(&AlternateEnclosure::default());
    assert_same(&UpdateFrequency::default());
    assert_same(
        &[0.0, 1.5, -2.0, 9e15, 1e300, f64::NAN]
            .map(chapter)
            .to_vec(),
    );
    assert_same(&Soundbite {
        start_time: f64::INFINITY,
        duration: 60.0,
        title: Some(String::new()),
    });
    assert_same(&LiveStatus::NAMES.map(LiveStatus::parse).to_vec());
    assert_same(&LocationRel::NAMES.map(LocationRel::parse).to_vec());
    assert_same(&IntegrityKind::NAMES.map(IntegrityKind::parse).to_vec());
    assert_same(&Medium::NAMES.map(Medium::parse).to_vec());
}

fn chapter(at: f64) -> Chapter {
    Chapter {
        start_time: at,
        title: Some("A".into()),
        img: None,
        url: Some("https://example.com/a".into()),
        toc: Some(false),
        end_time: Some(at),
        location: Some(ChapterLocation {
            name: "B".into(),
            ..ChapterLocation::default()
        }),
    }
}

/// Whole and name by name, a value is printed as its JSON is.
fn assert_same(value: &(impl AsData + Serialize)) {
    let json = json!({ "it": value });
    let mut names = Vec::new();
    name_all("it", &json["it"], &mut names);
    for name in names {
        let template = Template::parse(format!("{{{{{{{name}}}}}}}")).unwrap();
        let print = |data| {
            let mut out = String::new();
            let printed = template.render_within(usize::MAX, &[data], &Partials::new(), &mut out);
            printed.map(|()| out).unwrap()
        };
        let data = Data::from([("it", value.as_data())]);
        assert_eq!(print(data), print(Data::from(&json)), "{name}");
    }
    assert_eq!(value.as_data().to_json(), json["it"]);
}

fn name_all(name: &str, json: &Json, names: &mut Vec<String>) {
    names.push(name.to_owned());
    match json {
        Json::Array(all) => (0..)
            .zip(all)
            .for_each(|(index, json)| name_all(&format!("{name}.{index}"), json, names)),
        Json::Object(fields) => fields
            .iter()
            .for_each(|(key, json)| name_all(&format!("{name}.{key}"), json, names)),
        _ => {}
    }
}
