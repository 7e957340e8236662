//! The planet: items of feeds from elsewhere. `[[aggregate]]` in `site.toml` lists the feeds;
//! `feedwright fetch` writes the items of each feed into a file of `content/planet/`.

use std::cmp::Reverse;
use std::collections::HashMap;

use jiff::Timestamp;
use xxhash_rust::xxh3::xxh3_64;

use super::declare::keys;
use super::{SitePath, Slug, url};

keys! {
    /// Keys of `[[aggregate]]` in `site.toml`.
    AGGREGATE {
        /// address of an RSS, Atom or JSON feed
        Required "feed", Url;
        /// name of the source; by default, the feed's title
        Optional "title", Text(PlanetItem::MAX_TITLE);
        /// maximum number of items, newest first
        Optional "limit", Between(1, 100) => 20;
    }

    /// Keys of a file of `content/planet/`.
    PLANET_FILE {
        /// address of the feed
        Required "feed", Url;
        /// title of the feed
        Optional "title", Text(PlanetItem::MAX_TITLE);
        /// address of the source's site
        Optional "link", Url;
        /// `limit` when the feed was fetched
        Optional "limit", Between(1, 100);
        /// `ETag` of the feed
        Optional "etag", Text(1000);
        /// `Last-Modified` of the feed
        Optional "last_modified", Text(100);
        /// items of the feed, newest first
        Optional "items", Own("list of tables", &[Keys(PLANET_ITEM)]), listed;
    }

    /// Keys of an item in a file of `content/planet/`.
    PLANET_ITEM {
        /// permanent id of the item in its feed
        Required "id", Text(PlanetItem::MAX_ADDRESS);
        /// address of the item
        Required "url", Url;
        /// date of publication
        Required "date", Time;
        /// title as plain text
        Optional "title", Text(PlanetItem::MAX_TITLE);
        /// names of the authors
        Optional "author", Text(PlanetItem::MAX_TITLE);
        /// beginning of the text, as plain text
        Optional "excerpt", Text(PlanetItem::MAX_EXCERPT);
    }
}

/// An entry of `[[aggregate]]` in `site.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Aggregate {
    /// Address of the feed.
    pub feed: String,
    /// Name of the source, in place of the feed's title.
    pub title: Option<String>,
    /// Maximum number of items.
    pub limit: usize,
    /// File with the fetched items. Each feed has a different file.
    pub file: SitePath,
}

impl Aggregate {
    /// Default of `limit`.
    pub const LIMIT: usize = 20;

    /// Folder of the fetched files.
    pub const FOLDER: &str = "content/planet";

    /// Returns the file with the items of a feed. The file is named after the feed's address; a
    /// hash is added to names that are cut. Returns `None` if the address has no letter and no
    /// digit.
    pub fn file_of(feed: &str) -> Option<SitePath> {
        const MAX_LENGTH: usize = 80;
        let (_, address) = feed.split_once("://")?;
        let mut name = Slug::truncated_title(address)?.to_string();
        if address.len() > MAX_LENGTH {
            name.push_str(&format!("-{:016x}", xxh3_64(address.as_bytes())));
        }
        SitePath::parse(&format!("{}/{name}.toml", Self::FOLDER))
    }
}

/// The fetched items of one feed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PlanetFile {
    pub feed: String,
    pub title: Option<String>,
    /// Address of the source's site.
    pub link: Option<String>,
    /// `limit` of the feed when it was fetched.
    pub limit: Option<usize>,
    /// Validators for the next request (RFC 9110, section 8.8).
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// Items, newest first.
    pub items: Vec<PlanetItem>,
}

/// An item of a feed from elsewhere. All texts are plain text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlanetItem {
    /// Permanent id in the feed.
    pub id: String,
    /// Address of the item: `http:` or `https:`.
    pub url: String,
    pub date: Timestamp,
    pub title: String,
    /// Names of the authors.
    pub author: Option<String>,
    pub excerpt: String,
}

impl PlanetItem {
    /// Maximum length of a title or a name, in characters.
    pub const MAX_TITLE: usize = 300;
    /// Maximum length of an excerpt, in characters.
    pub const MAX_EXCERPT: usize = 400;
    /// Maximum length of an address or an id, in characters.
    pub const MAX_ADDRESS: usize = 2048;
}

/// The feeds of the planet, and their items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Planet {
    /// Sources, in the order of `site.toml`.
    pub sources: Vec<PlanetSource>,
    /// Items of all sources, newest first, each with the index of its source. Ids and addresses
    /// are unique.
    pub items: Vec<(usize, PlanetItem)>,
}

/// A feed whose items the planet shows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlanetSource {
    pub title: String,
    pub feed: String,
    /// Address of the source's site.
    pub link: Option<String>,
}

impl Planet {
    /// Combines the feeds and their files. `None` is a feed that has not been fetched.
    pub fn of(feeds: Vec<(&Aggregate, Option<PlanetFile>)>) -> Self {
        let mut planet = Self::default();
        for (at, (aggregate, file)) in feeds.into_iter().enumerate() {
            let file = file.unwrap_or_default();
            let host = || url::host(&aggregate.feed).to_owned();
            planet.sources.push(PlanetSource {
                title: aggregate.title.clone().or(file.title).unwrap_or_else(host),
                feed: aggregate.feed.clone(),
                link: file.link,
            });
            let items = file.items.into_iter().take(aggregate.limit);
            planet.items.extend(items.map(|item| (at, item)));
        }
        planet.items.sort_by_key(|(_, item)| Reverse(item.date));
        planet.remove_duplicates();
        planet
    }

    /// Removes items that several feeds contain. If different items have the same id, the address
    /// replaces the id.
    fn remove_duplicates(&mut self) {
        let mut ids: HashMap<String, String> = HashMap::new();
        self.items.retain_mut(|(_, item)| {
            if ids.get(&item.id).is_some_and(|known| *known != item.url) {
                item.id.clone_from(&item.url);
            }
            let is_new = !ids.contains_key(&item.id);
            ids.entry(item.id.clone()).or_insert_with(|| item.url.clone());
            is_new
        });
    }
}
