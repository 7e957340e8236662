//! The namespace's XML Schema accepts what it knows of our feeds.
//!
//! The schema is older than the specification: it has no definition of the newer tags, nor of newer
//! attributes such as a location's `rel` and `country`, and it asks for a season's `name` and a lock's
//! `owner`, which are optional by now. What it does not define, and tags without what it asks for
//! in vain, are taken out before.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use feedwright::render::xml::Xml;

use super::{every_tag::every_tag, example::example, site};
use crate::xml_tree::{self, Element};

/// Element names and the attributes the schema gives them.
type Known = BTreeMap<String, BTreeSet<String>>;

#[test]
fn the_schema_accepts_what_it_knows() {
    let folder = site::folder("podcast-namespace");
    let schema = xml_tree::parse(&fs::read_to_string(folder.join("podcast.xsd")).unwrap());
    let mut known = Known::new();
    collect(&schema, None, &mut known);

    if Command::new("xmllint").arg("--version").output().is_err() {
        assert!(
            std::env::var_os("CI").is_none(),
            "xmllint is missing: install libxml2's tools, so that feeds are checked against the schema"
        );
        eprintln!("xmllint is missing: feeds are not checked against the schema");
        return;
    }
    for rss in [every_tag().rss(), example().rss()] {
        let mut tags = Vec::new();
        reduce(&xml_tree::parse(&rss), &known, &mut tags);
        assert!(tags.len() > 20);
        let file = tempfile::NamedTempFile::with_suffix(".xml").unwrap();
        fs::write(file.path(), wrapper(&tags)).unwrap();
        let output = Command::new("xmllint")
            .args(["--noout", "--schema"])
            .arg(folder.join("podcast-wrapper.xsd"))
            .arg(file.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }
}

fn collect(schema: &Element, owner: Option<&str>, known: &mut Known) {
    for child in &schema.children {
        let name = child.attribute("name").unwrap_or_default();
        match child.name.as_str() {
            "xs:element" => {
                known.entry(name.to_owned()).or_default();
                collect(child, Some(name), known);
            }
            "xs:attribute" => {
                let owner = owner.unwrap_or_default().to_owned();
                known.entry(owner).or_default().insert(name.to_owned());
            }
            _ => collect(child, owner, known),
        }
    }
}

/// The elements the schema knows, wherever they stand, without what it does not know.
fn reduce(element: &Element, known: &Known, found: &mut Vec<Element>) {
    // A recipient stands in a value alone, and comes along with it.
    let name = element.name.strip_prefix("podcast:").unwrap_or_default();
    let asked_in_vain = match name {
        "season" => element.attribute("name").is_none(),
        "locked" => element.attribute("owner").is_none(),
        _ => false,
    };
    if known.contains_key(name) && name != "valueRecipient" && !asked_in_vain {
        found.push(reduced(element, known));
    }
    element
        .children
        .iter()
        .for_each(|child| reduce(child, known, found));
}

fn reduced(element: &Element, known: &Known) -> Element {
    let mut element = element.clone();
    let name = element.name.trim_start_matches("podcast:").to_owned();
    element
        .attributes
        .retain(|attribute, _| known[&name].contains(attribute));
    element
        .children
        .retain(|child| known.contains_key(child.name.trim_start_matches("podcast:")));
    element.children = element
        .children
        .iter()
        .map(|child| reduced(child, known))
        .collect();
    element
}

fn wrapper(tags: &[Element]) -> Vec<u8> {
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
