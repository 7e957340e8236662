//! Tests of feeds in many formats. The test feeds follow the documented conventions of hosts and
//! generators.

#![allow(clippy::unwrap_used)]

mod atom;
mod blogger;
mod dates;
mod ghost;
mod invalid_values;
mod json;
mod malformed;
mod podcast;
mod properties;
mod rss;

use feeds::{Feed, Text};

/// Reads a valid feed.
fn read(text: &str) -> Feed {
    feeds::read(text.as_bytes(), None).unwrap()
}

/// Reads an RSS feed whose channel contains `inner`.
fn channel(inner: &str) -> Feed {
    read(&format!("<rss version=\"2.0\"><channel>{inner}</channel></rss>"))
}

/// Reads an RSS item that contains `inner`. No namespaces are declared.
fn item(inner: &str) -> feeds::Item {
    let feed = channel(&format!("<item>{inner}</item>"));
    feed.items.into_iter().next().unwrap()
}

fn html(text: &str) -> Option<Text> {
    Some(Text::Html(text.to_owned()))
}

fn plain(text: &str) -> Option<Text> {
    Some(Text::Plain(text.to_owned()))
}

fn skipped(feed: &Feed) -> Vec<(&str, usize)> {
    let skipped = feed.skipped.iter();
    skipped.map(|skipped| (skipped.name.as_str(), skipped.count)).collect()
}
