//! `schema`: prints JSON Schemas for editors.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use regex::Regex;
use serde_json::Value as Json;

use crate::support::program::{self, CommandOutput};
use crate::support::small_site::site;

const KINDS: [&str; 6] = ["site", "item", "page", "channel", "calendar", "event"];

fn feedwright(arguments: &[&str]) -> CommandOutput {
    program::run(program::command().args(arguments))
}

fn schema(kind: &str) -> Json {
    let output = feedwright(&["schema", kind]);
    assert!(output.code == Some(0));
    serde_json::from_str(&output.out).unwrap()
}

/// Every key of a schema with its own schema, those of inner tables by their whole names.
fn keys<'s>(schema: &'s Json, prefix: &str, found: &mut Vec<(String, &'s Json)>) {
    for part in ["items", "additionalProperties"] {
        keys_of_object(&schema[part], prefix, found);
    }
    for shape in schema["anyOf"].as_array().into_iter().flatten() {
        keys(shape, prefix, found);
    }
    for (name, table) in schema["$defs"].as_object().into_iter().flatten() {
        keys(table, &format!("{prefix}{name}."), found);
    }
    for (key, value) in schema["properties"].as_object().into_iter().flatten() {
        found.push((format!("{prefix}{key}"), value));
        keys(value, &format!("{prefix}{key}."), found);
    }
}

fn keys_of_object<'s>(schema: &'s Json, prefix: &str, found: &mut Vec<(String, &'s Json)>) {
    if schema.is_object() {
        keys(schema, prefix, found);
    }
}

fn all_keys(schema: &Json) -> Vec<(String, &Json)> {
    let mut found = Vec::new();
    keys(schema, "", &mut found);
    found
}

/// The sources of a folder.
fn sources(folder: &Path, texts: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            // Only `fetch` writes the files of the planet.
            && !path.ends_with("source/planet.rs")
        {
            texts.push(fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_key_the_parser_reads_is_in_a_schema() {
    let schemas = KINDS.map(schema);
    let known: BTreeSet<&str> = schemas
        .iter()
        .flat_map(all_keys)
        .map(|(key, _)| key)
        .map(|key| &*Box::leak(key.into_boxed_str()))
        .map(|key: &str| key.rsplit('.').next().unwrap())
        .collect();
    let mut texts = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/source")), &mut texts);
    // The readers of types, each with a key as its first argument after what holds the fields.
    let asked = Regex::new(
        r#"\.(?:node|text|string|strings|required_text|bool|integer|number|date|http_url|list|table|choice)\(\s*"([A-Za-z_-]+)""#,
    )
    .unwrap();
    let mut count = 0;
    for text in &texts {
        for key in asked.captures_iter(text).map(|found| found.extract::<1>().1[0]) {
            count += 1;
            assert!(known.contains(key), "no schema has `{key}`");
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn schemas_exclude_keys_not_allowed_in_files() {
    let site = schema("site");
    let deploy = &site["properties"]["deploy"]["properties"];
    assert!(deploy["key_env"].is_object(), "{deploy:#}");
    assert!(
        deploy.get("password").is_none() && deploy["media"]["properties"].get("secret").is_none()
    );
    let item = schema("item");
    let podcast = &item["$defs"]["podcast"]["properties"];
    assert!(podcast["people"].is_object());
    assert!(podcast.get("locked").is_none(), "it is the channel's");
}

#[test]
fn schema_types_and_limits_match_the_parser() {
    let site = schema("site");
    let of = |pointer: &str| site.pointer(pointer).unwrap_or_else(|| panic!("{pointer}: {site:#}"));
    let feed = "/properties/feed/properties";
    assert_eq!(of(&format!("{feed}/limit/type")), "integer");
    assert_eq!(of(&format!("{feed}/limit/minimum")), 1);
    assert_eq!(of(&format!("{feed}/limit/maximum")), 10_000);
    assert_eq!(of(&format!("{feed}/limit/default")), 300);
    assert_eq!(of(&format!("{feed}/order/enum")), &serde_json::json!(["asc", "desc"]));
    assert_eq!(of("/additionalProperties"), false);
    assert_eq!(of("/required"), &serde_json::json!(["base_url"]));
    // Each Site File has a table of its own name.
    let file = "/properties/site_files/additionalProperties/properties";
    assert_eq!(of(&format!("{file}/enabled/type")), "boolean");
    let page = schema("page");
    assert_eq!(page["properties"]["title"]["maxLength"], 200);
    assert_eq!(page["required"], serde_json::json!(["title"]));
}

#[test]
fn every_key_of_site_toml_has_a_description() {
    for (key, schema) in all_keys(&schema("site")) {
        let is_table =
            schema["properties"].is_object() || schema["items"]["properties"].is_object();
        // Two tables whose keys are the author's, one that a command reads.
        let is_open = ["server", "site_files", "theme_options", "words"].contains(&key.as_str());
        let said = schema["description"].as_str();
        assert!(is_table || is_open || said.is_some_and(|text| !text.is_empty()), "{key}");
        assert!(
            !said.is_some_and(|text| text.contains("](")),
            "{key} has a link that leads nowhere"
        );
    }
}

#[test]
fn a_new_site_has_the_schemas_it_references() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    assert!(feedwright(&["init", path]).code == Some(0));
    let text = fs::read_to_string(folder.path().join("site.toml")).unwrap();
    let named = text.lines().next().unwrap().strip_prefix("#:schema ").unwrap();
    let file = folder.path().join(named);
    let written: Json = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(written, schema("site"));
    // One of an older program is refreshed.
    fs::write(&file, "{}").unwrap();
    assert!(feedwright(&["schema", "--write", "--site", path]).code == Some(0));
    let written: Json = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(written, schema("site"));
    for kind in KINDS {
        assert!(file.with_file_name(format!("{kind}.json")).is_file());
    }
}

#[test]
fn an_unknown_kind_and_a_missing_site_are_errors() {
    let wrong = feedwright(&["schema", "post"]);
    assert_eq!(wrong.code, Some(2));
    let said = wrong.err;
    assert!(said.contains("possible values") && said.contains("channel"), "{said}");
    assert_eq!(feedwright(&["schema"]).code, Some(2));
    let folder = tempfile::tempdir().unwrap();
    let nowhere = feedwright(&["schema", "--write", "--site", folder.path().to_str().unwrap()]);
    assert_eq!(nowhere.code, Some(2));
    // A folder that cannot be made.
    let blocked = site().with(".feedwright/schema", "a file");
    let output = feedwright(&["schema", "--write", "--site", blocked.root().to_str().unwrap()]);
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("cannot be written"));
}
