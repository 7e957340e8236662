//! Collects the data of a feed for which [`Feed`](crate::Feed) has no field.

use crate::element::Element;
use crate::feed::SkippedField;

/// Names of elements that do not describe the content: they concern how to fetch the feed, or the
/// program that created it.
const TRANSPORT_FIELDS: [&str; 18] = [
    "atom:link", "atom:updated", "cloud", "docs", "feedburner:info", "feedburner:browserFriendly",
    "generator", "id", "lastBuildDate", "link", "pubDate", "skipDays", "skipHours",
    "sy:updateBase", "sy:updateFrequency", "sy:updatePeriod", "ttl", "updated",
];

/// Collects the names of skipped elements, attributes and keys. Each name is recorded once, with
/// the number of occurrences.
#[derive(Debug, Default)]
pub struct SkippedFields(Vec<SkippedField>);

impl SkippedFields {
    /// Adds the child elements that remain after all known elements have been removed.
    pub fn add_children(&mut self, element: &Element, within: &str) {
        for child in element.elements() {
            let is_empty = child.children.is_empty() && child.attributes.is_empty();
            if !is_empty && !TRANSPORT_FIELDS.contains(&&*child.name) {
                self.add(&format!("{within}/{}", child.name), child.line);
            }
        }
    }

    pub fn add(&mut self, name: &str, line: usize) {
        match self.0.iter_mut().find(|skipped| skipped.name == name) {
            Some(skipped) => skipped.count += 1,
            None => self.0.push(SkippedField { name: name.to_owned(), count: 1, line }),
        }
    }

    pub fn into_list(self) -> Vec<SkippedField> {
        self.0
    }
}
