//! The specification's own example feed, written as content, gives its `podcast:` elements again.

use std::fs;

use feedwright::source::dates;
use jiff::tz::TimeZone;

use super::site;
use crate::support::xml_tree::{self, Element};

pub fn example() -> site::Site {
    let items = ["ep0003", "ep0002", "ep0001"].map(|name| format!("content/items/{name}.md"));
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    site::read("namespace-example", &items)
}

#[test]
fn the_example_feed_round_trips() {
    let site = example();
    assert_eq!(site.errors(), Vec::<String>::new());
    let ours = xml_tree::parse(&site.rss());
    let theirs = fs::read_to_string(site::folder("podcast-namespace").join("example.xml")).unwrap();
    let theirs = xml_tree::parse(&theirs);
    let (ours, theirs) = (ours.child("channel"), theirs.child("channel"));
    assert_eq!(tags(ours), tags(theirs));

    assert_eq!(ours.all("item").count(), 3);
    for (ours, theirs) in ours.all("item").zip(theirs.all("item")) {
        assert_eq!(ours.child("title"), theirs.child("title"));
        assert_eq!(ours.child("guid").text, theirs.child("guid").text);
        // The licence of the whole show is repeated in items that have none of their own.
        let mut ours = tags(ours);
        ours.retain(|tag| !tag.starts_with("podcast:license"));
        assert_eq!(ours, tags(theirs));
    }

    let (ours, theirs) = (ours.child("podcast:liveItem"), theirs.child("podcast:liveItem"));
    for name in ["title", "description", "link", "enclosure"] {
        assert_eq!(ours.child(name), theirs.child(name));
    }
    assert_eq!(ours.child("guid").text, theirs.child("guid").text);
}

/// The `podcast:` children of an element, as texts that are equal where the elements mean the same.
fn tags(element: &Element) -> Vec<String> {
    let mut tags: Vec<String> = element
        .children
        .iter()
        .filter(|child| child.name.starts_with("podcast:"))
        .map(normal)
        .collect();
    tags.sort();
    tags
}

fn normalize(element: &Element) -> String {
    let attributes: Vec<String> = element
        .attributes
        .iter()
        .map(|(name, value)| format!("{name}={}", normalize_value(name, value)))
        .collect();
    format!(
        "{} [{}] {:?} {:?}",
        element.name,
        attributes.join(", "),
        element.text.trim(),
        tags(element)
    )
}

/// Dates as instants, numbers as numbers.
fn normalize_value(name: &str, value: &str) -> String {
    if matches!(name, "start" | "end" | "pubdate") {
        return dates::parse(value, &TimeZone::UTC).unwrap().to_string();
    }
    value.parse::<f64>().map_or_else(|_| value.to_owned(), |number| number.to_string())
}
