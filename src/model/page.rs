//! A Page: a text that stands by itself, outside the feed.

use borsh::{BorshDeserialize, BorshSerialize};
use std::fmt;

use jiff::Timestamp;
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::declare::keys;
use super::{Content, IdentityError, ItemId, LANGUAGE, MediaFile, RULES, SitePath, Status};

/// The id of the built-in 404 Page.
pub const NOT_FOUND_ID: &str = "system-404";

/// Slugs that no Page can have: the public paths of other documents.
pub const RESERVED_SLUGS: [&str; 13] = [
    "404", "api", "assets", "calendars", "i", "json", "media", "media-upload", "page", "rss",
    "search", "tags", ".well-known",
];

/// A Page's path: `[a-z0-9]` words joined by single hyphens, 1 to 100 characters.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize,
)]
pub struct PageSlug(String);

impl PageSlug {
    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        let words = (1..=100).contains(&text.len())
            && text.split('-').all(|word| {
                !word.is_empty()
                    && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            });
        if words {
            Ok(Self(text.to_owned()))
        } else {
            Err(IdentityError(format!(
                "{text:?} is no Page slug: use words of a–z and 0–9 joined by single hyphens, at most 100 characters"
            )))
        }
    }

    /// The slug of a title: its letters without their accents. None where nothing of a–z and 0–9 is left.
    pub fn from_title(title: &str) -> Option<Self> {
        let plain: String = title.nfd().filter(|c| !is_combining_mark(*c)).collect();
        let words = plain
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '\'')
            .map(|word| word.replace('\'', "").to_ascii_lowercase())
            .filter(|word| !word.is_empty());
        Self::parse(&words.collect::<Vec<_>>().join("-")).ok()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PageSlug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

keys! {
    /// Front matter of a Page.
    PAGE {
        /// the title. It has to be there
        Required "title", Own("text, 1 to 200 characters", &[UpTo(200)]);
        /// the address, `/<slug>/`; the file's name when left out, or the folder's of an `index.md`
        Optional "slug", Own("words of `a–z 0–9` joined by single hyphens, 1 to 100 characters", &[Plain]);
        /// as for [items](content.md#status); `draft = true` works too, and [keys that hide a text
        /// elsewhere](content.md#keys-that-hide-a-text-elsewhere) are errors. An unlisted Page appears neither in
        /// navigation nor in the sitemap
        Optional "status", Word(Status::NAMES);
        /// whether navigation shows it; false when left out
        Optional "show_in_navigation", Flag;
        /// its name there; the title when left out
        Optional "navigation_label", Text(100);
        /// its place there: lower first, Pages without one last, then by title
        Optional "navigation_order", Between(i64::MIN, i64::MAX);
        /// the group that it stands in, in [the tree of Pages](#the-tree-of-pages)
        Optional "navigation_group", Text(100);
        /// what search engines show below the title; an [excerpt](content.md#excerpts) when left out
        Optional "meta_description", Text(155);
        /// former addresses; they redirect
        Optional "aliases", Own("list of slugs", &[Plain]), listed;
        /// where it differs from the channel's
        Optional "language", LANGUAGE;
        /// the Pages that say the same in other languages, by slug or by id, as for
        /// [items](content.md#every-key-of-an-item)
        Optional "translations", Texts;
        /// as for [items](content.md#dates): a Page dated later than the build waits too
        Optional "date_published" like "date", Time;
        /// when it was last changed
        Optional "date_modified" like "updated" like "lastmod", Time;
        /// when it was made
        Optional "date_created", Time;
        /// what programs call the Page; derived from the path when left out
        Optional "id", Own("as for items", &[Plain]);
        /// which warnings of `check` are silenced for this file
        Optional "allow", RULES, listed;
        /// true for `status = "unpublished"`
        Foreign "draft", Flag;
        /// false for `status = "unpublished"`
        Foreign "published", Flag;
    }
}

#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq)]
pub struct Page {
    pub id: ItemId,
    /// Whether the id was derived from the path.
    pub id_is_derived: bool,
    /// The file; none for the built-in 404 Page.
    pub source: Option<SitePath>,
    /// Its title, 1 to 200 characters.
    pub title: String,
    /// Its public path, without slashes.
    pub slug: PageSlug,
    /// Former paths: they redirect.
    pub aliases: Vec<PageSlug>,
    pub status: Status,
    pub show_in_navigation: bool,
    /// Its name there; the title where it is not set.
    pub navigation_label: Option<String>,
    /// Its place there: lower first, then by title.
    pub navigation_order: Option<i64>,
    /// The group of the tree of Pages that it stands in.
    pub navigation_group: Option<String>,
    /// What search engines show, at most 155 characters.
    pub meta_description: Option<String>,
    /// When it was or will be published.
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub date_published: Option<Timestamp>,
    /// When it was last changed.
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub date_modified: Option<Timestamp>,
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub date_created: Option<Timestamp>,
    /// A language tag (RFC 5646), where it differs from the channel's.
    pub language: Option<String>,
    /// The Pages that say the same in other languages, by slug or by id.
    pub translations: Vec<String>,
    pub content: Content,
    /// The files of the site that it names: they are published with it.
    pub media: Vec<MediaFile>,
}

impl Page {
    /// Whether it is the 404 Page.
    pub fn is_not_found_page(&self) -> bool {
        self.id.as_str() == NOT_FOUND_ID
    }
}
