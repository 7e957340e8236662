//! The content of feeds, independent of their format.

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::values::InvalidValues;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Feed {
    /// Name of the format, such as `RSS 2.0`.
    pub format: String,
    /// The feed itself, without its items.
    pub channel: Channel,
    /// Items, in the feed's order.
    pub items: Vec<Item>,
    /// Problems: markup that is not well-formed, and values that are invalid for their field.
    pub faults: Vec<Fault>,
    /// Elements, attributes and keys that have no field here, each name once.
    pub skipped: Vec<SkippedField>,
    /// Paths of the pages that list a tag's items, each with its tag.
    pub tag_paths: Vec<(String, String)>,
}

/// A problem in a feed that was fixed or skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Line of the problem, counted from 1.
    pub line: usize,
    /// What is wrong, and how it was handled.
    pub message: String,
}

/// Elements, attributes or keys with the same name, which has no field in [`Feed`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedField {
    /// Name with the usual prefix of its namespace, after the name of the enclosing element:
    /// `item/slash:comments`.
    pub name: String,
    pub count: usize,
    /// Line of the first occurrence, counted from 1.
    pub line: usize,
}

/// A text that is marked as plain text or as HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    /// Text without tags or entities.
    Plain(String),
    /// Text with tags and entities.
    Html(String),
}

impl Text {
    /// Returns the text. HTML keeps its tags and entities.
    pub fn into_plain(self) -> String {
        match self {
            Self::Plain(text) | Self::Html(text) => text,
        }
    }

    /// Returns whether the text is empty or only whitespace.
    pub fn is_empty(&self) -> bool {
        let (Self::Plain(text) | Self::Html(text)) = self;
        text.trim().is_empty()
    }
}

/// A person who writes or speaks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Author {
    /// Name, as it is shown.
    pub name: String,
    /// Address of a page about the person.
    pub url: Option<String>,
    pub email: Option<String>,
}

/// The data of a feed, without its items.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Channel {
    /// Title of the feed.
    pub title: Option<String>,
    /// Address of the feed's site.
    pub link: Option<String>,
    /// Base of the relative references in the feed's texts, if the feed states one (XML Base).
    pub base: Option<String>,
    pub feed_url: Option<String>,
    /// Address of the next, older part of the feed (RFC 5005, JSON Feed's `next_url`).
    pub next_url: Option<String>,
    pub description: Option<Text>,
    /// Language tag (RFC 5646).
    pub language: Option<String>,
    pub copyright: Option<String>,
    /// Program that created the feed.
    pub generator: Option<String>,
    pub image: Option<String>,
    pub icon: Option<String>,
    /// Topics, each with its subtopics.
    pub categories: Vec<(String, Vec<String>)>,
    pub authors: Vec<Author>,
    /// Owner of the feed, for directories.
    pub owner: Option<Author>,
    /// Whether no more items will be added.
    pub expired: bool,
    /// `itunes:` tags, as keys of front matter.
    pub itunes: Map<String, Value>,
    /// `podcast:` tags, as keys of front matter.
    pub podcast: Map<String, Value>,
    /// Other data that a service stores, as keys of front matter.
    pub fields: Map<String, Value>,
    /// Time zone of the feed's dates, such as `Europe/Berlin`.
    pub timezone: Option<String>,
    /// Messages about values that could not be read.
    pub invalid_values: InvalidValues,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Item {
    /// Line at which the item begins, counted from 1.
    pub line: usize,
    /// Permanent id of the item.
    pub guid: Option<String>,
    pub title: Option<Text>,
    /// Base of the relative references in the item's texts, if the feed states one (XML Base).
    pub base: Option<String>,
    pub link: Option<String>,
    /// Address of the page elsewhere that the item is about (JSON Feed's `external_url`).
    pub external_url: Option<String>,
    pub published: Option<Timestamp>,
    /// Time of the last change.
    pub updated: Option<Timestamp>,
    pub summary: Option<Text>,
    pub content: Option<Text>,
    /// Language tag (RFC 5646).
    pub language: Option<String>,
    pub authors: Vec<Author>,
    pub tags: Vec<String>,
    /// Picture that represents the item.
    pub image: Option<String>,
    /// Wide picture for the top of the item.
    pub banner: Option<String>,
    /// Data of the item in a WordPress export.
    pub wordpress: Option<crate::WordPress>,
    /// Data of the item that another service stores in addition to its feed.
    pub stored: Option<StoredData>,
    /// Files, the main file first.
    pub enclosures: Vec<Enclosure>,
    /// `itunes:` tags, as keys of front matter.
    pub itunes: Map<String, Value>,
    /// `podcast:` tags, as keys of front matter.
    pub podcast: Map<String, Value>,
    /// Messages about values that could not be read.
    pub invalid_values: InvalidValues,
}

/// Data that a service stores about an entry, and that no feed contains.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoredData {
    /// Id of the entry in the service, which may differ from its guid.
    pub id: Option<String>,
    /// Whether the entry is a page, which is not part of the feed.
    pub is_page: bool,
    /// Why visitors do not see the entry, such as `is a draft`. None if they see it.
    pub hidden: Option<String>,
    /// Slug: the part of the entry's address that belongs to this entry alone.
    pub segment: Option<String>,
    /// More data of the entry, as keys of front matter.
    pub fields: Map<String, Value>,
    /// Files that belong to the entry: their names and texts.
    pub files: Vec<(String, String)>,
}

/// A file that belongs to an entry.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Enclosure {
    pub url: String,
    /// Media type, according to the feed.
    pub media_type: Option<String>,
    /// Size in bytes, according to the feed.
    pub length: Option<u64>,
    /// Duration in seconds, according to the feed.
    pub duration: Option<f64>,
    pub title: Option<String>,
    /// Category of the file, if its media type does not show it, such as `external_url`.
    pub category: Option<String>,
}

/// Collector of problems. It keeps the first hundred: a feed with errors throughout repeats the
/// same problems.
#[derive(Debug, Default)]
pub struct Faults(Vec<Fault>);

impl Item {
    /// Adds a tag, unless it is empty or the item has it already.
    pub fn add_tag(&mut self, tag: &str) {
        let tag = tag.trim();
        if !tag.is_empty() && !self.tags.iter().any(|known| known == tag) {
            self.tags.push(tag.to_owned());
        }
    }
}

impl Faults {
    const MAX_FAULTS: usize = 100;

    pub fn push(&mut self, fault: Fault) {
        if self.0.len() < Self::MAX_FAULTS && !self.0.contains(&fault) {
            self.0.push(fault);
        }
    }

    /// Adds a problem as [`push`](Self::push) does. A message that many entries cause is recorded
    /// once, with its first line.
    pub fn push_once(&mut self, fault: Fault) {
        if !self.0.iter().any(|known| known.message == fault.message) {
            self.0.push(fault);
        }
    }

    pub fn into_list(self) -> Vec<Fault> {
        self.0
    }
}
