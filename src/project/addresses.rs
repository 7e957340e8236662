//! The addresses and ids of the last build, which readers may have kept. If an item or Page has another one
//! now, and nothing redirects from the old one, the author is warned.
//!
//! Kept in `.feedwright/addresses`, a line an item or Page. A build without that file has nothing to compare
//! with and gives no warning.

use std::collections::HashSet;
use std::path::Path;

use jiff::Timestamp;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use local::store::Cache;
use model::{Content, Status};
use site::{ItemEntry, PageEntry, Snapshot};

const CACHE: Cache = Cache::new("addresses", 2, 1 << 30).flushed();

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AddressKind {
    Item,
    Page,
}

impl AddressKind {
    /// The word that stands for it in files and on pages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Item => "item",
            Self::Page => "page",
        }
    }

    /// Reads the word of [`as_str`](Self::as_str).
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Item, Self::Page].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// What the public has of one item or Page.
#[derive(Debug, Clone)]
pub(super) struct PublishedAddress<'a> {
    pub kind: AddressKind,
    pub id: &'a str,
    pub segment: &'a str,
    pub source: &'a str,
    pub id_is_derived: bool,
    pub hashes: TextHashes,
}

/// Hashes of a file's title, in [`Addresses`] with its date, and of the beginning of its text, to recognize a renamed file;
/// 0 if it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextHashes {
    pub title: u64,
    pub text: u64,
}

impl TextHashes {
    /// Those of what has neither title nor text, and those that nobody asks for.
    pub const NONE: Self = Self { title: 0, text: 0 };

    /// The marks of a file. A file that names its id is recognized by that, and has none.
    ///
    /// A title alone says little: a show may have "News" each week. With the date it is one of them.
    fn of_derived(
        id_is_derived: bool,
        title: &str,
        date: Option<Timestamp>,
        content: &Content,
    ) -> Self {
        match (id_is_derived, date) {
            (false, _) => Self::NONE,
            (true, Some(date)) if !title.is_empty() => {
                Self::of(&format!("{title}\n{date}"), content)
            }
            (true, _) => Self::of(title, content),
        }
    }

    /// The marks of a title and a body.
    pub fn of(title: &str, content: &Content) -> Self {
        let hash = |bytes: &[u8]| match bytes {
            [] => 0,
            bytes => xxh3_64(bytes),
        };
        Self { title: hash(title.as_bytes()), text: content.text_hash }
    }
}

/// All published addresses, as the text of the file: a line an item or Page. Most lines stay the same from
/// build to build, and need not be parsed.
#[derive(Debug, Clone, Default)]
pub struct Addresses(String);

impl Addresses {
    /// The published addresses of a snapshot.
    pub fn of(snapshot: &Snapshot) -> Self {
        let is_out = |status: Status, date: Option<Timestamp>| {
            status != Status::Unpublished && date.is_none_or(|date| date <= snapshot.now)
        };
        let items = snapshot.entries.par_iter().filter(|entry| {
            entry.is_public() && is_out(entry.item.status, entry.item.date_published)
        });
        let mut lines: Vec<String> = items.map(|entry| line_of_item(entry)).collect();
        let pages = snapshot.pages.iter().filter(|entry| {
            let is_public = entry.status != Status::Unpublished;
            is_public && is_out(entry.page.status, entry.page.date_published)
        });
        lines.extend(pages.filter_map(line_of_page));
        Self(lines.concat())
    }

    /// The published addresses of the last build of the site at `root`.
    pub fn load(root: &Path) -> Self {
        let lines = CACHE.load(&CACHE.path(root), 0).unwrap_or_default();
        Self(String::from_utf8(lines).unwrap_or_default())
    }

    /// Writes the file. If that fails, the next build has nothing to compare with.
    pub fn save(&self, root: &Path) {
        let _ = CACHE.save(&CACHE.path(root), 0, self.0.as_bytes());
    }

    /// These addresses, and those that only `others` have.
    #[cfg(feature = "serve")]
    #[must_use]
    pub fn or(self, others: &Self) -> Self {
        let own: HashSet<_> = self.known().map(|known| (known.kind, known.id)).collect();
        let more: String = others
            .0
            .split_inclusive('\n')
            .filter(|line| known(line).is_some_and(|one| !own.contains(&(one.kind, one.id))))
            .collect();
        Self(self.0 + &more)
    }

    pub(super) fn only(&self, is_meant: impl Fn(&PublishedAddress<'_>) -> bool) -> Self {
        let lines = self.0.split_inclusive('\n');
        Self(lines.filter(|line| known(line).is_some_and(|one| is_meant(&one))).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn known(&self) -> impl Iterator<Item = PublishedAddress<'_>> {
        self.0.lines().filter_map(known)
    }

    /// Those that `others` have not, or not so, in the order of their files.
    pub(super) fn missing_in(&self, others: &Self) -> Vec<PublishedAddress<'_>> {
        // Most often all are the same, or they are up to some line.
        let is_same = |(own, other): &(&str, &str)| own == other;
        let lines = self.0.lines().zip(others.0.lines());
        let same_start = lines.take_while(is_same).count();
        let same: HashSet<&str> = others.0.lines().skip(same_start).collect();
        let missing = self.0.lines().skip(same_start);
        let missing = missing.filter(|line| !same.contains(line));
        let mut missing: Vec<PublishedAddress<'_>> = missing.filter_map(known).collect();
        missing.sort_by_key(|known| (known.kind, known.source));
        missing
    }
}

fn line_of_item(entry: &ItemEntry) -> String {
    let item = &entry.item;
    line_of(&PublishedAddress {
        kind: AddressKind::Item,
        id: item.id.as_str(),
        segment: &entry.segment,
        source: item.source.as_str(),
        id_is_derived: item.id_is_derived,
        hashes: TextHashes::of_derived(
            item.id_is_derived, &item.title, item.date_published, &item.content,
        ),
    })
}

fn line_of_page(entry: &PageEntry) -> Option<String> {
    let page = &entry.page;
    Some(line_of(&PublishedAddress {
        kind: AddressKind::Page,
        id: page.id.as_str(),
        segment: page.slug.as_str(),
        source: page.source.as_ref()?.as_str(),
        id_is_derived: page.id_is_derived,
        hashes: TextHashes::of_derived(
            page.id_is_derived, &page.title, page.date_published, &page.content,
        ),
    }))
}

fn line_of(known: &PublishedAddress<'_>) -> String {
    let kind = known.kind.as_str();
    format!(
        "{kind} {} {} {} {:x} {:x} {}\n",
        known.id,
        known.segment,
        u8::from(known.id_is_derived),
        known.hashes.title,
        known.hashes.text,
        known.source.replace(['\n', '\r'], " "),
    )
}

fn known(line: &str) -> Option<PublishedAddress<'_>> {
    let mut parts = line.trim_end_matches('\n').splitn(7, ' ');
    let kind = AddressKind::parse(parts.next()?)?;
    let (id, segment) = (parts.next()?, parts.next()?);
    let id_is_derived = parts.next()? == "1";
    let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
    let hashes = TextHashes { title: number()?, text: number()? };
    Some(PublishedAddress { kind, id, segment, source: parts.next()?, id_is_derived, hashes })
}
