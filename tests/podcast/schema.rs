//! The namespace's XML Schema accepts our feeds.
//!
//! The schema is older than the specification. `newer.json` beside it lists the tags and attributes that it
//! does not define, and the attributes that it requires although they are optional by now. Exactly these are
//! removed or added before the schema is asked; tags that the schema lacks are checked against the lists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use feedwright::render::feeds::xml::Xml;
use serde::Deserialize;

use super::{every_tag::every_tag, example::example, site};
use crate::support::needs::has;
use crate::support::xml_tree::{self, Element};

/// `newer.json`: names of tags and their attributes.
#[derive(Deserialize)]
struct NewerTags {
    tags: BTreeMap<String, BTreeSet<String>>,
    attributes: BTreeMap<String, BTreeSet<String>>,
    optional: BTreeMap<String, BTreeSet<String>>,
}

fn newer() -> NewerTags {
    let path = site::folder("podcast-namespace").join("newer.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_schema_accepts_every_tag() {
    if !has("xmllint") {
        return;
    }
    for rss in [every_tag().rss(), example().rss()] {
        let complaints = complaints(&xml_tree::parse(&rss));
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }
}

/// Every attribute of every podcast tag, misspelt one at a time.
#[test]
fn a_misspelled_attribute_is_an_error_in_every_tag() {
    if !has("xmllint") {
        return;
    }
    let newer = newer();
    let mut tags = Vec::new();
    podcast_tags(&xml_tree::parse(&every_tag().rss()), &mut tags);
    let mut tried = BTreeSet::new();
    for tag in tags {
        for (place, misspelt) in misspellings(&tag) {
            if tried.insert(place.clone()) {
                let complaints = complaints_of(&[misspelt], &newer);
                assert!(!complaints.is_empty(), "{place}x passes");
            }
        }
    }
    assert!(tried.len() > 60, "{}", tried.len());
}

/// Copies of a tag with one attribute, its own or a descendant's, misspelt in each.
fn misspellings(tag: &Element) -> Vec<(String, Element)> {
    if !tag.name.starts_with("podcast:") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (name, value) in &tag.attributes {
        let mut copy = tag.clone();
        copy.attributes.remove(name);
        copy.attributes.insert(format!("{name}x"), value.clone());
        found.push((format!("{} {name}", tag.name), copy));
    }
    for (at, child) in tag.children.iter().enumerate() {
        for (place, misspelt) in misspellings(child) {
            let mut copy = tag.clone();
            copy.children[at] = misspelt;
            found.push((format!("{} {place}", tag.name), copy));
        }
    }
    found
}

fn complaints(feed: &Element) -> Vec<String> {
    let mut tags = Vec::new();
    podcast_tags(feed, &mut tags);
    assert!(tags.len() > 20);
    complaints_of(&tags, &newer())
}

/// Podcast tags without those inside other podcast tags.
fn podcast_tags(element: &Element, found: &mut Vec<Element>) {
    if element.name.starts_with("podcast:") {
        found.push(element.clone());
        return;
    }
    for child in &element.children {
        podcast_tags(child, found);
    }
}

fn complaints_of(tags: &[Element], newer: &NewerTags) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut for_the_schema = Vec::new();
    for tag in tags {
        split_newer_tags(tag, newer, &mut for_the_schema, &mut complaints);
    }
    let folder = site::folder("podcast-namespace");
    let file = tempfile::NamedTempFile::with_suffix(".xml").unwrap();
    fs::write(file.path(), wrap_in_feed(&for_the_schema)).unwrap();
    let output = Command::new("xmllint")
        .args(["--noout", "--schema"])
        .arg(folder.join("podcast-wrapper.xsd"))
        .arg(file.path())
        .output()
        .unwrap();
    if !output.status.success() {
        complaints.push(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    complaints
}

/// Checks a tag that is newer than the schema by its list of attributes, and collects the others for the schema.
fn split_newer_tags(
    tag: &Element,
    newer: &NewerTags,
    for_the_schema: &mut Vec<Element>,
    complaints: &mut Vec<String>,
) {
    let Some(name) = tag.name.strip_prefix("podcast:") else {
        return;
    };
    if let Some(attributes) = newer.tags.get(name) {
        let unknown = tag.attributes.keys().filter(|name| !attributes.contains(*name));
        complaints.extend(unknown.map(|unknown| format!("{name} has no attribute {unknown}")));
        let (recipients, others): (Vec<_>, Vec<_>) =
            tag.children.iter().cloned().partition(|child| child.name == "podcast:valueRecipient");
        if !recipients.is_empty() {
            for_the_schema.push(wrap_in_value(recipients));
        }
        for child in &others {
            split_newer_tags(child, newer, for_the_schema, complaints);
        }
        return;
    }
    let mut tag = tag.clone();
    let nothing = BTreeSet::new();
    let removed = newer.attributes.get(name).unwrap_or(&nothing);
    tag.attributes.retain(|attribute, _| !removed.contains(attribute));
    for attribute in newer.optional.get(name).unwrap_or(&nothing) {
        let value = tag.attributes.entry(attribute.clone());
        value.or_insert_with(|| "any".into());
    }
    let is_newer = |child: &Element| {
        let name = child.name.strip_prefix("podcast:").unwrap_or_default();
        newer.tags.contains_key(name)
    };
    for child in tag.children.extract_if(.., |child| is_newer(child)) {
        split_newer_tags(&child, newer, for_the_schema, complaints);
    }
    for_the_schema.push(tag);
}

/// The schema knows a recipient inside a value only.
fn wrap_in_value(recipients: Vec<Element>) -> Element {
    let attributes = ["type", "method"].map(|name| (name.to_owned(), "any".to_owned()));
    Element {
        name: "podcast:value".into(),
        attributes: attributes.into(),
        children: recipients,
        text: String::new(),
    }
}

fn wrap_in_feed(tags: &[Element]) -> Vec<u8> {
    let mut out = Vec::new();
    Xml::document(&mut out, &[], |xml| {
        xml.element("podcast:test-wrapper")
            .attr("xmlns:podcast", "https://podcastindex.org/namespace/1.0")
            .children(|xml| tags.iter().for_each(|tag| write(xml, tag)));
    });
    out
}

/// Writes an element that was read; the few names there are may live as long as the test.
fn write(xml: &mut Xml<'_>, element: &Element) {
    let mut tag = xml.element(element.name.clone().leak());
    for (name, value) in &element.attributes {
        tag = tag.attr(name.clone().leak(), value);
    }
    if element.children.is_empty() {
        tag.text(&element.text);
    } else {
        tag.children(|xml| element.children.iter().for_each(|child| write(xml, child)));
    }
}
