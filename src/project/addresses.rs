//! Addresses and ids published by the last build, which readers may have stored. If the address or
//! id of an item or page changed, and the old address does not redirect, the author gets a warning.
//!
//! The list is stored in `.feedwright/addresses`, with a line for each item, page and show. Without that
//! file, a build gives no such warnings, because it has no earlier addresses for comparison.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::moved_shows;
use local::store::Cache;
use model::{Channel, Content, ContentFolder, Status};
use site::{ItemEntry, PageEntry, Snapshot};

const CACHE: Cache = Cache::new("addresses", 3, 1 << 30).flushed();

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AddressKind {
    /// A show of a network, with its feeds and pages.
    Show,
    Item,
    Page,
}

impl AddressKind {
    /// Returns the name of the kind, as stored in files and sent by pages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Show => "show",
            Self::Item => "item",
            Self::Page => "page",
        }
    }

    /// Parses the result of [`as_str`](Self::as_str).
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Show, Self::Item, Self::Page].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Address, id and hashes of a published item, page or show.
#[derive(Debug, Clone)]
pub(super) struct PublishedAddress<'a> {
    pub kind: AddressKind,
    pub id: &'a str,
    /// The public path of the page.
    pub path: &'a str,
    pub source: &'a str,
    pub id_is_derived: bool,
    pub hashes: TextHashes,
}

/// Hashes for recognizing a renamed file: a hash of the title and a hash of the beginning of the
/// text. In [`Addresses`], the first hash also includes the date. The hash of a missing value is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextHashes {
    pub title: u64,
    pub text: u64,
}

impl TextHashes {
    /// Hashes of a file with an explicit id, or of a file without title and text.
    pub const NONE: Self = Self { title: 0, text: 0 };

    /// Hashes a file whose id is derived. A file with an explicit id is recognized by the id, so
    /// its hashes are [`NONE`](Self::NONE).
    ///
    /// The first hash includes the date, because a title can be ambiguous: a show may have an
    /// episode called "News" each week.
    fn for_derived_id(
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

    /// Hashes a title and a body.
    pub fn of(title: &str, content: &Content) -> Self {
        let hash = |bytes: &[u8]| match bytes {
            [] => 0,
            bytes => xxh3_64(bytes),
        };
        Self { title: hash(title.as_bytes()), text: content.text_hash }
    }

    fn of_channel(channel: &Channel) -> Self {
        let hash = |text: &str| if text.is_empty() { 0 } else { xxh3_64(text.as_bytes()) };
        Self { title: hash(&channel.title), text: hash(&channel.description_text) }
    }
}

/// All published addresses, in the format of the file: a line for each item, page and show. Most lines do
/// not change between builds and need not be parsed.
#[derive(Debug, Clone, Default)]
pub struct Addresses(String);

impl Addresses {
    /// Returns the published addresses of a snapshot, without shows that are published as sites of
    /// their own.
    pub fn of(snapshot: &Snapshot) -> Self {
        let is_out = |status: Status, date: Option<Timestamp>| {
            status != Status::Unpublished && date.is_none_or(|date| date <= snapshot.now)
        };
        let is_elsewhere = |mount: &str| snapshot.mounts_elsewhere().any(|own| own == mount);
        let items = snapshot.entries.par_iter().filter(|entry| {
            let is_own = entry.mount.is_empty() || !is_elsewhere(&entry.mount);
            is_own && entry.is_public() && is_out(entry.item.status, entry.item.date_published)
        });
        let mut lines: Vec<String> = items.map(|entry| line_of_item(entry)).collect();
        let pages = snapshot.pages.iter().filter(|entry| {
            let is_public = entry.status != Status::Unpublished;
            is_public && is_out(entry.page.status, entry.page.date_published)
        });
        lines.extend(pages.filter_map(line_of_page));
        let shows = snapshot.network_shows().map(|(_, show)| show);
        lines.extend(shows.filter(|show| show.config.own_url.is_none()).map(line_of_show));
        Self(lines.concat())
    }

    /// Loads the published addresses of the last build of the site at `root`, or of a show that is
    /// published as a separate site.
    pub fn load(root: &Path, content: &ContentFolder) -> Self {
        let lines = CACHE.load(&path(root, content), 0).unwrap_or_default();
        Self(String::from_utf8(lines).unwrap_or_default())
    }

    /// Writes the file. If writing fails, the next build does not warn about addresses that
    /// changed.
    pub fn save(&self, root: &Path, content: &ContentFolder) {
        let _ = CACHE.save(&path(root, content), 0, self.0.as_bytes());
    }

    /// Returns these addresses, and the addresses of items and pages that exist only in `others`.
    #[cfg(feature = "serve")]
    #[must_use]
    pub fn merged_with(self, others: &Self) -> Self {
        let own: HashSet<_> =
            self.published().map(|published| (published.kind, published.id)).collect();
        let more: String = others
            .0
            .split_inclusive('\n')
            .filter(|line| published(line).is_some_and(|one| !own.contains(&(one.kind, one.id))))
            .collect();
        Self(self.0 + &more)
    }

    pub(super) fn filtered(&self, predicate: impl Fn(&PublishedAddress<'_>) -> bool) -> Self {
        let lines = self.0.split_inclusive('\n');
        Self(lines.filter(|line| published(line).is_some_and(|one| predicate(&one))).collect())
    }

    /// Returns these addresses, followed by `others`.
    pub(super) fn with(self, others: &[PublishedAddress<'_>]) -> Self {
        Self(others.iter().map(line_of).fold(self.0, |all, line| all + &line))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn published(&self) -> impl Iterator<Item = PublishedAddress<'_>> {
        self.0.lines().filter_map(published)
    }

    /// Returns the entries that are missing from `others` or differ there, ordered by file.
    pub(super) fn missing_in(&self, others: &Self) -> Vec<PublishedAddress<'_>> {
        // Usually all lines are equal, or all lines up to a certain line. Only the remaining lines
        // are compared as a set.
        let is_same = |(own, other): &(&str, &str)| own == other;
        let lines = self.0.lines().zip(others.0.lines());
        let same_start = lines.take_while(is_same).count();
        let same: HashSet<&str> = others.0.lines().skip(same_start).collect();
        let missing = self.0.lines().skip(same_start);
        let missing = missing.filter(|line| !same.contains(line));
        let mut missing: Vec<PublishedAddress<'_>> = missing.filter_map(published).collect();
        missing.sort_by_key(|published| (published.kind, published.source));
        missing
    }
}

fn path(root: &Path, content: &ContentFolder) -> PathBuf {
    let show = content.show().map(|show| format!("-{show}")).unwrap_or_default();
    CACHE.path(root).with_file_name(format!("{}{show}", CACHE.name))
}

fn line_of_item(entry: &ItemEntry) -> String {
    let item = &entry.item;
    line_of(&PublishedAddress {
        kind: AddressKind::Item,
        id: item.id.as_str(),
        path: &entry.path,
        source: item.source.as_str(),
        id_is_derived: item.id_is_derived,
        hashes: TextHashes::for_derived_id(
            item.id_is_derived, &item.title, item.date_published, &item.content,
        ),
    })
}

fn line_of_page(entry: &PageEntry) -> Option<String> {
    let page = &entry.page;
    Some(line_of(&PublishedAddress {
        kind: AddressKind::Page,
        id: page.id.as_str(),
        path: &entry.path(),
        source: page.source.as_ref()?.as_str(),
        id_is_derived: page.id_is_derived,
        hashes: TextHashes::for_derived_id(
            page.id_is_derived, &page.title, page.date_published, &page.content,
        ),
    }))
}

fn line_of_show(show: &Snapshot) -> String {
    let content = &show.config.content;
    line_of(&PublishedAddress {
        kind: AddressKind::Show,
        id: &moved_shows::id_of(content),
        path: &moved_shows::path_of(show),
        source: &content.join("channel.md"),
        id_is_derived: true,
        hashes: TextHashes::of_channel(&show.channel),
    })
}

fn line_of(published: &PublishedAddress<'_>) -> String {
    let kind = published.kind.as_str();
    format!(
        "{kind} {} {} {} {:x} {:x} {}\n",
        published.id,
        published.path,
        u8::from(published.id_is_derived),
        published.hashes.title,
        published.hashes.text,
        published.source.replace(['\n', '\r'], " "),
    )
}

fn published(line: &str) -> Option<PublishedAddress<'_>> {
    let mut parts = line.trim_end_matches('\n').splitn(7, ' ');
    let kind = AddressKind::parse(parts.next()?)?;
    let (id, path) = (parts.next()?, parts.next()?);
    let id_is_derived = parts.next()? == "1";
    let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
    let hashes = TextHashes { title: number()?, text: number()? };
    Some(PublishedAddress { kind, id, path, source: parts.next()?, id_is_derived, hashes })
}
