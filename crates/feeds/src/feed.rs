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
    /// Elements, attributes and keys that this type has no field for. Each name occurs once.
    pub skipped: Vec<SkippedField>,
    /// For each tag, the path of the page that lists its items, and the tag's name.
    pub tag_paths: Vec<(String, String)>,
}

/// A problem in a feed. The parser fixed the problem or skipped the invalid data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Line of the problem, counted from 1.
    pub line: usize,
    /// Description of the problem, and how it was handled.
    pub message: String,
}

/// Elements, attributes or keys with a name for which [`Feed`] has no field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedField {
    /// Name of the enclosing element, then the field's own name with the usual prefix of its
    /// namespace: `item/slash:comments`.
    pub name: String,
    pub count: usize,
    /// Line of the first occurrence, counted from 1.
    pub line: usize,
}

/// Plain text or HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    /// Text without tags or entities.
    Plain(String),
    /// Text with tags and entities.
    Html(String),
}

impl Text {
    /// Returns the string. HTML keeps its tags and entities.
    pub fn into_plain(self) -> String {
        match self {
            Self::Plain(text) | Self::Html(text) => text,
        }
    }

    /// Returns whether the text is empty or contains only whitespace.
    pub fn is_empty(&self) -> bool {
        let (Self::Plain(text) | Self::Html(text)) = self;
        text.trim().is_empty()
    }
}

/// A person who writes or speaks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Author {
    /// Name to display.
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
    /// Base URL for the relative references in the feed's content, if the feed specifies one (XML
    /// Base).
    pub base: Option<String>,
    pub feed_url: Option<String>,
    /// Address of the next page of the feed, with older items (RFC 5005, JSON Feed's `next_url`).
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
    /// Owner of the feed, for podcast directories.
    pub owner: Option<Author>,
    /// Whether the feed is complete: no more items will be added.
    pub expired: bool,
    /// `itunes:` tags, as keys of front matter.
    pub itunes: Map<String, Value>,
    /// `podcast:` tags, as keys of front matter.
    pub podcast: Map<String, Value>,
    /// Other data stored by a service, as keys of front matter.
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
    /// Base URL for the relative references in the item's content, if the feed specifies one (XML
    /// Base).
    pub base: Option<String>,
    pub link: Option<String>,
    /// Address of the external page that the item is about (JSON Feed's `external_url`).
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
    /// Data that another service stores about the item in addition to its feed.
    pub stored: Option<StoredData>,
    /// Files of the item. The main file comes first.
    pub enclosures: Vec<Enclosure>,
    /// `itunes:` tags, as keys of front matter.
    pub itunes: Map<String, Value>,
    /// `podcast:` tags, as keys of front matter.
    pub podcast: Map<String, Value>,
    /// Chapters in `psc:chapters`, as JSON chapters.
    pub chapters: Option<Value>,
    /// Messages about values that could not be read.
    pub invalid_values: InvalidValues,
}

/// Data that a service stores about an entry but does not include in its feed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoredData {
    /// Id of the entry in the service, which may differ from its guid.
    pub id: Option<String>,
    /// Whether the entry is a page. Pages are not part of the feed.
    pub is_page: bool,
    /// The reason why visitors cannot see the entry, such as `is a draft`. None if the entry is
    /// visible.
    pub hidden: Option<String>,
    /// Slug: the part of the entry's URL that identifies the entry.
    pub segment: Option<String>,
    /// Key that the entry shares with its translations.
    pub translation_key: Option<String>,
    /// Additional data about the entry, as keys of front matter.
    pub fields: Map<String, Value>,
    /// Files that belong to the entry: their names and contents.
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
    /// Category of the file, such as `external_url`, if the media type does not determine it.
    pub category: Option<String>,
}

/// Collects problems. Keeps only the first hundred, because a feed with errors throughout repeats
/// the same problems.
#[derive(Debug, Default)]
pub struct Faults(Vec<Fault>);

impl Item {
    /// Adds a tag, unless it is empty or the item already has it.
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

    /// Adds a problem like [`push`](Self::push), unless a problem with the same message has already
    /// been added.
    pub fn push_once(&mut self, fault: Fault) {
        if !self.0.iter().any(|known| known.message == fault.message) {
            self.0.push(fault);
        }
    }

    pub fn into_list(self) -> Vec<Fault> {
        self.0
    }
}
