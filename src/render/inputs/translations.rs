//! What says the same in other languages: items of an item, Pages of a Page.

use std::collections::HashMap;

use super::Provider;
use crate::model::{Config, ItemId, Status};
use crate::site::{ItemEntry, PageEntry, Translatable, translation_groups};

/// An item or a Page as the same in another language leads to it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Translation {
    pub language: String,
    /// Its public path.
    pub path: String,
    pub title: String,
}

/// The published items, or Pages, that are translations of each other.
#[derive(Debug)]
pub struct Translations {
    /// The index of each one's group, by its id.
    of: HashMap<ItemId, usize>,
    /// One for each language, in the order of their names.
    groups: Vec<Vec<Translation>>,
}

impl Translations {
    /// `language` is that of the site.
    fn of<'a>(all: impl Iterator<Item = Translatable<'a>> + Clone, language: &str) -> Self {
        let mut found = Self {
            of: HashMap::new(),
            groups: Vec::new(),
        };
        for (group, at) in translation_groups(all).iter().zip(0..) {
            found
                .of
                .extend(group.iter().map(|one| (one.id.clone(), at)));
            let translations = group.iter().map(|one| Translation {
                language: one.language.unwrap_or(language).to_owned(),
                path: one.path(),
                title: one.title.to_owned(),
            });
            let mut translations: Vec<Translation> = translations.collect();
            translations.sort();
            translations.dedup_by(|a, b| a.language == b.language);
            found.groups.push(translations);
        }
        found
    }

    /// The others of a group that are not in this language.
    fn others(&self, id: &ItemId, language: &str) -> Vec<&Translation> {
        let group = self.of.get(id).map(|at| &self.groups[*at]);
        let group = group.into_iter().flatten();
        group.filter(|one| one.language != language).collect()
    }
}

impl<'a> Provider<'a> {
    /// The same item in other languages.
    pub(super) fn translations_of_item(&self, entry: &ItemEntry) -> Vec<&'a Translation> {
        let language = self.shared().language();
        let all = &self.snapshot.published;
        let find = || Translations::of(all.iter().map(|entry| (&**entry).into()), language);
        let found = self.cache.item_translations.get_or_init(find);
        let item = &entry.item;
        found.others(&item.id, item.language.as_deref().unwrap_or(language))
    }

    /// The same Page in other languages.
    pub(super) fn translations_of_page(&self, entry: &PageEntry) -> Vec<&'a Translation> {
        let language = self.shared().language();
        let all = self.snapshot.pages.iter();
        let published = all.filter(|entry| entry.status == Status::Published);
        let find = || Translations::of(published.map(Translatable::from), language);
        let found = self.cache.page_translations.get_or_init(find);
        let page = &entry.page;
        found.others(&page.id, page.language.as_deref().unwrap_or(language))
    }
}

/// The URL of each language, as search engines ask for it: `own` is among them. None where there is no other.
pub fn in_each_language<'t>(
    config: &Config,
    own: (&'t str, &str),
    others: &'t [&Translation],
) -> Vec<(&'t str, String)> {
    if others.is_empty() {
        return Vec::new();
    }
    let others = others
        .iter()
        .map(|one| (one.language.as_str(), config.url(&one.path)));
    let own = (own.0, own.1.to_owned());
    [own].into_iter().chain(others).collect()
}
