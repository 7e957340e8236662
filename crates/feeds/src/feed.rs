//! What feeds say, whatever their format.

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::values::Unread;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Feed {
    /// What it is, such as `RSS 2.0`.
    pub format: String,
    /// What stands above the items.
    pub channel: Channel,
    /// In the feed's order.
    pub items: Vec<Item>,
    /// What was not well-formed, or no value of its field.
    pub faults: Vec<Fault>,
    /// What has no field here, each name once.
    pub left: Vec<Left>,
    /// Paths of pages that list a tag's items, with the tag.
    pub tag_paths: Vec<(String, String)>,
}

/// Something that is wrong in a feed, and was mended or passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// From 1.
    pub line: usize,
    /// What is wrong, and what was made of it.
    pub message: String,
}

/// Elements, attributes or keys that have no field in [`Feed`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// With the prefix that the namespace is known by, behind that of the element around it: `item/slash:comments`.
    pub name: String,
    pub count: usize,
    /// The line of the first, from 1.
    pub line: usize,
}

/// A text that says whether it is HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    /// Without tags or entities.
    Plain(String),
    /// With them.
    Html(String),
}

impl Text {
    /// The text without its tags.
    pub fn into_plain(self) -> String {
        match self {
            Self::Plain(text) | Self::Html(text) => text,
        }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        let (Self::Plain(text) | Self::Html(text)) = self;
        text.trim().is_empty()
    }
}

/// Somebody who writes or speaks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Author {
    /// As it is shown.
    pub name: String,
    /// Where to find more of them.
    pub url: Option<String>,
    pub email: Option<String>,
}

/// What stands above the items of a feed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Channel {
    /// The name of the feed.
    pub title: Option<String>,
    /// The site that it is about.
    pub link: Option<String>,
    /// What the references in its texts are relative to, where the feed says so (XML Base).
    pub base: Option<String>,
    pub feed_url: Option<String>,
    /// The next, older part of it (RFC 5005, JSON Feed's `next_url`).
    pub next_url: Option<String>,
    pub description: Option<Text>,
    /// A language tag (RFC 5646).
    pub language: Option<String>,
    pub copyright: Option<String>,
    /// The program that made it.
    pub generator: Option<String>,
    pub image: Option<String>,
    pub icon: Option<String>,
    /// Topics, and those below them.
    pub categories: Vec<(String, Vec<String>)>,
    pub authors: Vec<Author>,
    /// Who owns it, for directories.
    pub owner: Option<Author>,
    /// Whether nothing will be added.
    pub expired: bool,
    /// `itunes:` tags as keys of front matter.
    pub itunes: Map<String, Value>,
    /// `podcast:` tags as keys of front matter.
    pub podcast: Map<String, Value>,
    /// What a service keeps beside that, as keys of front matter.
    pub fields: Map<String, Value>,
    /// The zone that its dates are meant in, such as `Europe/Berlin`.
    pub timezone: Option<String>,
    /// Values that could not be read.
    pub unread: Unread,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Item {
    /// The line it begins at, from 1.
    pub line: usize,
    /// What it is called for ever.
    pub guid: Option<String>,
    pub title: Option<Text>,
    /// What the references in its texts are relative to, where the feed says so (XML Base).
    pub base: Option<String>,
    pub link: Option<String>,
    /// What it is about elsewhere (JSON Feed's `external_url`).
    pub external_url: Option<String>,
    pub published: Option<Timestamp>,
    /// When it was last changed.
    pub updated: Option<Timestamp>,
    /// What it says in short.
    pub summary: Option<Text>,
    pub content: Option<Text>,
    /// A language tag (RFC 5646).
    pub language: Option<String>,
    pub authors: Vec<Author>,
    pub tags: Vec<String>,
    /// A picture that stands for it.
    pub image: Option<String>,
    /// A wide picture above it.
    pub banner: Option<String>,
    /// What an export of WordPress says of it.
    pub wordpress: Option<crate::WordPress>,
    /// What another service says of it beside a feed.
    pub kept: Option<Kept>,
    /// Files, the main one first.
    pub enclosures: Vec<Enclosure>,
    /// `itunes:` tags as keys of front matter.
    pub itunes: Map<String, Value>,
    /// `podcast:` tags as keys of front matter.
    pub podcast: Map<String, Value>,
    /// Values that could not be read.
    pub unread: Unread,
}

/// What a service keeps of an entry, and no feed says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Kept {
    /// What the service calls it, which may be another name than its guid.
    pub id: Option<String>,
    /// Whether it is a page beside the feed.
    pub is_page: bool,
    /// Why visitors do not see it: `is a draft`. None if they do.
    pub hidden: Option<String>,
    /// The part of its address that is its own.
    pub segment: Option<String>,
    /// More of it, as keys of front matter.
    pub fields: Map<String, Value>,
    /// Files that belong beside it: their names and texts.
    pub files: Vec<(String, String)>,
}

/// A file that belongs to an entry.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Enclosure {
    pub url: String,
    /// Its media type, as the feed says.
    pub media_type: Option<String>,
    /// Bytes, as the feed says.
    pub length: Option<u64>,
    /// Seconds, as the feed says.
    pub duration: Option<f64>,
    pub title: Option<String>,
    /// What it is, where its type does not say it: `external_url` and the like.
    pub category: Option<String>,
}

/// Collects what is wrong. The first hundred are kept: a feed that is wrong throughout says the same again and again.
#[derive(Debug, Default)]
pub struct Faults(Vec<Fault>);

impl Item {
    /// Adds a tag, unless it is empty or the item has it.
    pub fn add_tag(&mut self, tag: &str) {
        let tag = tag.trim();
        if !tag.is_empty() && !self.tags.iter().any(|known| known == tag) {
            self.tags.push(tag.to_owned());
        }
    }
}

impl Faults {
    const MOST: usize = 100;

    pub fn push(&mut self, fault: Fault) {
        if self.0.len() < Self::MOST && !self.0.contains(&fault) {
            self.0.push(fault);
        }
    }

    /// As [`push`](Self::push), for a message that many entries cause: it is recorded once, with the first line.
    pub fn push_again(&mut self, fault: Fault) {
        if !self.0.iter().any(|known| known.message == fault.message) {
            self.0.push(fault);
        }
    }

    pub fn into_list(self) -> Vec<Fault> {
        self.0
    }
}
