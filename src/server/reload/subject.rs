//! The item or page that an open page shows, which can be found again after its path changes.

use std::fmt;

use crate::moment::Moment;
use model::url::encode_path;
use model::{self, Item};
use project::{AddressKind, TextHashes};

/// The item or page that an open page shows. It can be found even if its path changes.
pub struct Subject {
    kind: AddressKind,
    id: String,
    /// The hashes of the title and the text. They are present only if the file has no explicit id.
    /// Renaming such a file changes its id, so only the hashes identify the item or page.
    hashes: Option<TextHashes>,
}

impl Subject {
    /// Returns the item or page at a path.
    pub fn at(moment: &Moment, path: &str) -> Option<Self> {
        let snapshot = &moment.site.snapshot;
        let found = moment.site.find(path)?;
        let document = found.document()?;
        let item = document.item(snapshot).map(|entry| Self::item(&entry.item));
        item.or_else(|| document.page(snapshot).map(|entry| Self::page(&entry.page)))
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

    /// Returns the current path, percent-encoded as in links. Returns `None` if no public item or
    /// page matches.
    pub fn path(&self, moment: &Moment) -> Option<String> {
        let snapshot = &moment.site.snapshot;
        let path = match self.kind {
            AddressKind::Item => {
                let mut entries = snapshot.entries.iter();
                let renamed = || entries.find(|entry| self.is_renamed(&Self::item(&entry.item)));
                let entry = snapshot.find(&self.id).or_else(renamed)?;
                entry.path.clone()
            }
            AddressKind::Show => return None,
            AddressKind::Page => {
                let mut entries = snapshot.pages.iter();
                let renamed = || entries.find(|entry| self.is_renamed(&Self::page(&entry.page)));
                let entry = snapshot.page(&self.id).or_else(renamed)?;
                entry.path()
            }
        };
        let is_shown = moment.site.find(&path)?.document().is_some();
        let base = snapshot.config.base_path();
        is_shown.then(|| format!("{base}{}", encode_path(&path)))
    }

    /// Whether `other` is this item or page in a renamed file.
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
