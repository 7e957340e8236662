//! The item or Page that an open page shows, found again after its path changed.

use std::fmt;

use crate::moment::Moment;
use model::url::encode_path;
use model::{self, Item};
use project::{AddressKind, TextHashes};
use render::{Document, PathAnswer};
use site::paths;

/// The item or Page that a page shows. It stays the same when its path changes.
pub struct Subject {
    kind: AddressKind,
    id: String,
    /// Present if the file names no id: then renaming the file changes the id, and only the text tells.
    hashes: Option<TextHashes>,
}

impl Subject {
    /// The item or Page at a path.
    pub fn at(moment: &Moment, path: &str) -> Option<Self> {
        let snapshot = &moment.site.snapshot;
        match moment.site.find(path)? {
            PathAnswer::Document(Document::Item(at)) => {
                Some(Self::item(&snapshot.entries[at].item))
            }
            PathAnswer::Document(Document::Page(at)) => Some(Self::page(&snapshot.pages[at].page)),
            _ => None,
        }
    }

    fn item(item: &Item) -> Self {
        let hashes = || TextHashes::of(&item.title, &item.content);
        Self {
            kind: AddressKind::Item,
            id: item.id.to_string(),
            hashes: item.id_is_derived.then(hashes),
        }
    }

    fn page(page: &model::Page) -> Self {
        let hashes = || TextHashes::of(&page.title, &page.content);
        Self {
            kind: AddressKind::Page,
            id: page.id.to_string(),
            hashes: page.id_is_derived.then(hashes),
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        let kind = AddressKind::parse(parts.next()?)?;
        let id = parts.next()?.to_owned();
        let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
        let hashes = number().zip(number());
        Some(Self { kind, id, hashes: hashes.map(|(title, text)| TextHashes { title, text }) })
    }

    /// Its present path, as a browser has it. None if it is not shown.
    pub fn path(&self, moment: &Moment) -> Option<String> {
        let snapshot = &moment.site.snapshot;
        let path = match self.kind {
            AddressKind::Item => {
                let mut entries = snapshot.entries.iter();
                let renamed = || entries.find(|entry| self.is_renamed(&Self::item(&entry.item)));
                let entry = snapshot.find(&self.id).or_else(renamed)?;
                paths::item(&entry.segment)
            }
            AddressKind::Page => {
                let mut entries = snapshot.pages.iter();
                let renamed = || entries.find(|entry| self.is_renamed(&Self::page(&entry.page)));
                let entry = snapshot.page(&self.id).or_else(renamed)?;
                paths::page(entry.page.slug.as_str())
            }
        };
        let is_shown = matches!(moment.site.find(&path)?, PathAnswer::Document(_));
        let base = snapshot.config.base_path();
        is_shown.then(|| format!("{base}{}", encode_path(&path)))
    }

    /// Whether `other` is this item or Page in a renamed file.
    fn is_renamed(&self, other: &Self) -> bool {
        let is_known = |hashes: &TextHashes| *hashes != TextHashes::NONE;
        self.hashes.filter(is_known).is_some() && self.hashes == other.hashes
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.as_str(), self.id)?;
        match self.hashes {
            Some(TextHashes { title, text }) => write!(f, " {title:x} {text:x}"),
            None => Ok(()),
        }
    }
}
