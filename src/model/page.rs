//! Pages: content outside the feed.

use borsh::{BorshDeserialize, BorshSerialize};
use std::fmt;

use jiff::Timestamp;
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::declare::keys;
use super::{Content, IdentityError, ItemId, LANGUAGE, MediaFile, RULES, SitePath, Status};

/// Id of the built-in 404 page.
pub const NOT_FOUND_ID: &str = "system-404";

/// Slugs that no page can have, because other documents use these public paths.
pub const RESERVED_SLUGS: [&str; 13] = [
    "404", "api", "assets", "calendars", "i", "json", "media", "media-upload", "page", "rss",
    "search", "tags", ".well-known",
];

/// Returns whether no page can have a slug, because other documents use its path.
pub fn is_reserved(slug: &str) -> bool {
    slug.split('/').next().is_some_and(|first| RESERVED_SLUGS.contains(&first))
}

/// The slug of a page: words of `[a-z0-9]` joined by single hyphens, 1 to 100 characters. The slug
/// of a nested page consists of several slugs, separated by `/`.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize,
)]
pub struct PageSlug(String);

impl PageSlug {
    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        let words = (1..=100).contains(&text.len())
            && text.split(['-', '/']).all(|word| {
                !word.is_empty()
                    && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            });
        if words {
            Ok(Self(text.to_owned()))
        } else {
            Err(IdentityError(format!(
                "{text:?} is not a valid page slug: use words of a–z and 0–9 joined by single hyphens, at most 100 characters"
            )))
        }
    }

    /// Derives a slug from a title, without accents. Returns None if the title contains no letter
    /// from a to z and no digit.
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
    /// Front matter of a page.
    PAGE {
        /// title of the page; required
        Required "title", Own("text, 1 to 200 characters", &[UpTo(200)]);
        /// slug in the address `/<slug>/`, such as `setup` or `docs/setup`; when left out, the file
        /// name, or the folder name of an `index.md`, [with its folders](addresses.md#pages) or
        /// without
        Optional "slug", Own("words of `a–z 0–9` joined by single hyphens or `/`, 1 to 100 characters", &[Plain]);
        /// visibility of the page, as for [items](content.md#status). An unlisted page appears
        /// neither in navigation nor in the sitemap
        Optional "status", Word(Status::NAMES);
        /// whether navigation shows the page; false when left out
        Optional "show_in_navigation", Flag;
        /// name of the page in navigation; the title when left out
        Optional "navigation_label", Text(100);
        /// position in navigation: lower numbers first, pages without a number last, then by title
        Optional "navigation_order", Between(i64::MIN, i64::MAX);
        /// group of the page in [the tree of pages](#the-tree-of-pages)
        Optional "navigation_group", Text(100);
        /// description that search engines show below the title; an [excerpt](content.md#excerpts)
        /// when left out
        Optional "meta_description", Text(155);
        /// former slugs, which redirect to the page
        Optional "aliases", Own("list of slugs", &[Plain]), listed;
        /// language of the page, if it differs from the channel's
        Optional "language", LANGUAGE;
        /// translations of the page, by slug or by id, as for
        /// [items](content.md#every-key-of-an-item)
        Optional "translations", Texts;
        /// time of publication, as for [items](content.md#dates). A page dated later than the build
        /// is not published yet
        Optional "date_published" like "date", Time;
        /// time of the last change
        Optional "date_modified" like "updated" like "lastmod", Time;
        /// time of creation
        Optional "date_created", Time;
        /// id of the page in APIs; derived from the path when left out
        Optional "id", Own("as for items", &[Plain]);
        /// warnings of `check` to silence for this file
        Optional "allow", RULES, listed;
        /// true means `status = "unpublished"`
        Foreign "draft", Flag;
        /// false means `status = "unpublished"`
        Foreign "published", Flag;
    }
}

#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq)]
pub struct Page {
    pub id: ItemId,
    /// Whether the id was derived from the path, because the file does not contain an id.
    pub id_is_derived: bool,
    /// File that the page was read from. None for the built-in 404 page.
    pub source: Option<SitePath>,
    /// Title, 1 to 200 characters.
    pub title: String,
    /// Public path, without slashes.
    pub slug: PageSlug,
    /// Former slugs, which redirect to the page.
    pub aliases: Vec<PageSlug>,
    pub status: Status,
    pub show_in_navigation: bool,
    /// Name of the page in navigation. None means the title.
    pub navigation_label: Option<String>,
    /// Position in navigation: lower numbers first, then by title.
    pub navigation_order: Option<i64>,
    /// Group of the page in the tree of pages.
    pub navigation_group: Option<String>,
    /// Description for search engines, at most 155 characters.
    pub meta_description: Option<String>,
    /// Time of publication, past or future.
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub date_published: Option<Timestamp>,
    /// Time of the last change.
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub date_modified: Option<Timestamp>,
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub date_created: Option<Timestamp>,
    /// Language tag (RFC 5646), if it differs from the channel's.
    pub language: Option<String>,
    /// The file's [`page_path`](SitePath::page_path) without its language, on a site with several
    /// languages. Texts with the same path are translations of each other.
    pub text_path: Option<Box<str>>,
    /// Translations of the page, by slug or by id.
    pub translations: Vec<String>,
    pub content: Content,
    /// Files of the site that the page refers to. They are published with it.
    pub media: Vec<MediaFile>,
}

impl Page {
    /// Returns the path of the file without its extension and without its language.
    pub fn text_path(&self) -> Option<&str> {
        self.text_path.as_deref().or_else(|| Some(self.source.as_ref()?.page_path()))
    }

    /// Returns whether this is the page of a section.
    pub fn is_section(&self) -> bool {
        self.source.as_ref().is_some_and(|source| source.section_folder().is_some())
    }

    /// Returns whether this is the 404 page of a language.
    pub fn is_not_found_page(&self) -> bool {
        let rest = self.id.as_str().strip_prefix(NOT_FOUND_ID);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }
}
