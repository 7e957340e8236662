//! The languages of a site, for the language switch and for search engines.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::hash::{Hash, Hasher};
use std::mem::{Discriminant, discriminant};

use super::{Provider, Translation};
use crate::addresses::public::{Document, Public};
use model::{Config, ItemId, Status};
use site::Snapshot;
use words::native_name;

/// A language of a site with several languages.
#[derive(Debug, Clone, Hash)]
pub struct SiteLanguage {
    pub tag: String,
    /// The language's own name.
    pub name: String,
    /// Path below which the pages of the language are, such as `/de`. Empty for the default language.
    pub mount: String,
    /// Whether this is the language of the current page.
    pub is_current: bool,
}

/// An entry of the language switch.
#[derive(Debug, Clone)]
pub struct SwitchLanguage<'a> {
    pub language: &'a SiteLanguage,
    /// The path of the same page in the language, or of the home page. It starts at the root of the
    /// site.
    pub path: Cow<'a, str>,
    /// Whether the path is the path of the same page.
    pub has_page: bool,
    /// The translation at the path, if there is one.
    translation: Option<&'a Translation>,
}

impl Hash for SwitchLanguage<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // All pages share the data of the languages.
        (&self.language.tag, &self.path, self.has_page).hash(state);
    }
}

impl<'a> SwitchLanguage<'a> {
    /// Returns the absolute URL of the path.
    pub fn url(&self, config: &Config) -> Cow<'a, str> {
        let url = self.translation.map(|one| one.url.as_str().into());
        url.unwrap_or_else(|| config.root_url(&self.path).into())
    }
}

impl<'a> Provider<'a> {
    /// Returns the languages of the site. Returns an empty list for a site with one language.
    pub(super) fn site_languages(&self) -> Vec<SiteLanguage> {
        let editions = self.whole().snapshot.editions.iter().enumerate();
        let languages = editions.filter_map(|(at, edition)| {
            let tag = edition.language()?;
            Some(SiteLanguage {
                tag: tag.to_owned(),
                name: native_name(tag).to_owned(),
                mount: edition.snapshot.config.mount.clone(),
                is_current: self.whole.is_some_and(|whole| whole.language == at),
            })
        });
        languages.collect()
    }

    /// Returns the language switch of a page at `path` below the path of its language.
    pub(super) fn switch(
        &self,
        path: &str,
        translations: &[&'a Translation],
    ) -> Vec<SwitchLanguage<'a>> {
        let original = self.whole.and_then(|whole| {
            let default = whole.snapshot.editions.first()?.language()?;
            translations.iter().find(|one| one.language.eq_ignore_ascii_case(default))
        });
        let shown = LazyCell::new(|| self.shown_at(self.snapshot, path));
        // The text of the default language, which other languages may show untranslated.
        let original = LazyCell::new(|| {
            let default = &self.whole().snapshot.editions[0].snapshot;
            let path = &*original?.path;
            Some((self.shown_at(default, path)?, path))
        });
        let entry = |(at, language): (usize, &'a SiteLanguage)| {
            let is_below = |one: &&&'a Translation| {
                let rest = one.path.strip_prefix(&*language.mount);
                rest.is_some_and(|rest| rest.starts_with('/'))
                    && one.language.eq_ignore_ascii_case(&language.tag)
            };
            let translation = translations.iter().find(is_below).copied();
            if let Some(one) = translation {
                let path = one.path.as_str().into();
                return SwitchLanguage { language, path, has_page: true, translation };
            }
            let has_page = language.is_current
                || shown.as_ref().is_some_and(|shown| self.has(at, shown, path));
            let path = match &*original {
                _ if has_page => path,
                Some((original, path)) if self.has(at, original, path) => path,
                _ => "/",
            };
            let path = [&*language.mount, path].concat().into();
            SwitchLanguage { language, path, has_page, translation }
        };
        self.shared().languages.iter().enumerate().map(entry).collect()
    }

    /// Changes the language switch of the first page of a list to the switch of its page `n`, which
    /// other languages may have too.
    pub(super) fn at_list_page(&self, switch: &mut [SwitchLanguage<'a>], n: usize) {
        if n == 1 {
            return;
        }
        let whole = self.whole();
        for one in switch.iter_mut().filter(|one| one.has_page) {
            let path = format!("{}page/{n}/", one.path);
            one.has_page = whole.public().find(&path).is_some();
            if one.has_page {
                (one.path, one.translation) = (path.into(), None);
            }
        }
    }

    /// Returns what a snapshot has at a path.
    fn shown_at<'s>(&self, snapshot: &'s Snapshot, path: &str) -> Option<Shown<'s>> {
        let document = Public { snapshot, theme: self.theme }.find(path)?;
        Some(match (document.item(snapshot), document.page(snapshot)) {
            (Some(entry), _) => Shown::Item(&entry.item.id),
            (None, Some(entry)) => Shown::Page(&entry.page.id),
            (None, None) => Shown::List(discriminant(&document)),
        })
    }

    /// Returns whether an edition has the same text at a path, or a list of the same kind.
    fn has(&self, edition: usize, shown: &Shown<'_>, path: &str) -> bool {
        let snapshot = &self.whole().snapshot.editions[edition].snapshot;
        match shown {
            // A text is found by its id in less time than by its path.
            Shown::Item(id) => snapshot.find(id.as_str()).is_some_and(|entry| {
                entry.item.id == **id && entry.is_public() && entry.path == path
            }),
            Shown::Page(id) => snapshot
                .page(id.as_str())
                .is_some_and(|entry| entry.status != Status::Unpublished && entry.path() == path),
            Shown::List(_) => self.shown_at(snapshot, path).as_ref() == Some(shown),
        }
    }
}

/// The content of a page: a text with its id, or a list of some kind.
#[derive(PartialEq)]
enum Shown<'s> {
    Item(&'s ItemId),
    Page(&'s ItemId),
    List(Discriminant<Document>),
}
