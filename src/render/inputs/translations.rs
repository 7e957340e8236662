//! What says the same in other languages: items of an item, Pages of a Page.

use std::collections::HashMap;

use super::Provider;
use model::{Config, ItemId};
use site::{ItemEntry, PageEntry, Translatable, published_by_language, translation_groups};
use words::{chain, own_name};

/// An item or a Page as the same in another language leads to it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Translation {
    pub language: String,
    pub path: String,
    pub title: String,
    /// The language as those who speak it call it, with its region where another of the group is called the same.
    pub language_name: String,
    /// Whether its page here is the canonical one.
    pub is_canonical: bool,
}

/// The items, or Pages, that are translations of each other. Pages lead to the published ones.
#[derive(Debug)]
pub struct Translations {
    /// The index of each one's group, by its id.
    of: HashMap<ItemId, usize>,
    /// The published ones of each, one for each language in the order of their tags.
    groups: Vec<Vec<Translation>>,
}

impl Translations {
    /// `language` is that of the site.
    fn of<'a>(all: impl Iterator<Item = Translatable<'a>> + Clone, language: &str) -> Self {
        let mut found = Self { of: HashMap::new(), groups: Vec::new() };
        for (group, at) in translation_groups(all).iter().zip(0..) {
            found.of.extend(group.iter().map(|one| (one.id.clone(), at)));
            let mut published = published_by_language(group, language);
            published.dedup_by(|one, above| one.is_in_language_of(above, language));
            let name = |one: &Translatable<'a>| own_name(one.language.unwrap_or(language));
            let translations = published.iter().map(|one| {
                let tag = one.language.unwrap_or(language);
                let of_its_name = published.iter().filter(|other| name(other) == name(one));
                Translation {
                    language: tag.to_owned(),
                    path: one.path(),
                    title: one.title.to_owned(),
                    language_name: match of_its_name.count() {
                        1 => name(one).to_owned(),
                        _ => with_region(name(one), tag),
                    },
                    is_canonical: one.is_canonical,
                }
            });
            found.groups.push(translations.collect());
        }
        found
    }

    /// The others of a group that are not in this language.
    fn others(&self, id: &ItemId, language: &str) -> Vec<&Translation> {
        let group = self.of.get(id).map(|at| &self.groups[*at]);
        let group = group.into_iter().flatten();
        group.filter(|one| !one.language.eq_ignore_ascii_case(language)).collect()
    }
}

/// The name of a language with what its tag says beside: `English (GB)`.
fn with_region(name: &str, tag: &str) -> String {
    let tags = chain(tag);
    let region = tags.first().and_then(|tag| tag.split_once('-'));
    region.map_or(name.to_owned(), |(_, region)| format!("{name} ({region})"))
}

impl<'a> Provider<'a> {
    /// The same item in other languages.
    pub(super) fn translations_of_item(&self, entry: &ItemEntry) -> Vec<&'a Translation> {
        let language = self.shared().language();
        let all = &self.snapshot.entries;
        let find = || Translations::of(all.iter().map(|entry| (&**entry).into()), language);
        let found = self.cache.item_translations.get_or_init(find);
        let item = &entry.item;
        found.others(&item.id, item.language.as_deref().unwrap_or(language))
    }

    /// The same Page in other languages.
    pub(super) fn translations_of_page(&self, entry: &PageEntry) -> Vec<&'a Translation> {
        let language = self.shared().language();
        let all = self.snapshot.pages.iter();
        let find = || Translations::of(all.map(Translatable::from), language);
        let found = self.cache.page_translations.get_or_init(find);
        let page = &entry.page;
        found.others(&page.id, page.language.as_deref().unwrap_or(language))
    }
}

/// The URL of each language, as search engines ask for it: `own` is among them. They ask for canonical URLs alone, so what
/// is elsewhere is left out. None where there is no other.
pub fn in_each_language<'t>(
    config: &Config,
    own: (&'t str, &str),
    others: &'t [&Translation],
) -> Vec<(&'t str, String)> {
    let mut others = others.iter().filter(|one| one.is_canonical).peekable();
    if others.peek().is_none() {
        return Vec::new();
    }
    let others = others.map(|one| (one.language.as_str(), config.url(&one.path)));
    let own = (own.0, own.1.to_owned());
    [own].into_iter().chain(others).collect()
}
