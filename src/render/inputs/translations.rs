//! Translations of items and of pages.

use std::collections::HashMap;

use super::Provider;
use model::{Config, ItemId};
use site::{ItemEntry, PageEntry, Translatable, published_by_language, translation_groups};
use words::{chain, native_name};

/// A link to an item's or page's translation in another language.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Translation {
    pub language: String,
    pub path: String,
    pub title: String,
    /// The language's own name. The region is added if another translation in the group has the
    /// same language name.
    pub language_name: String,
    /// Whether the page on this site is the canonical one.
    pub is_canonical: bool,
}

/// Groups of items or pages that are translations of each other. Links point only to published
/// members.
#[derive(Debug)]
pub struct Translations {
    /// The index of each member's group, by the member's id.
    of: HashMap<ItemId, usize>,
    /// The published members of each group, one for each language, ordered by language tag.
    groups: Vec<Vec<Translation>>,
}

impl Translations {
    /// Groups items or pages by translation. `language` is the site's language.
    fn of<'a>(all: impl Iterator<Item = Translatable<'a>> + Clone, language: &str) -> Self {
        let mut found = Self { of: HashMap::new(), groups: Vec::new() };
        for (group, at) in translation_groups(all).iter().zip(0..) {
            found.of.extend(group.iter().map(|one| (one.id.clone(), at)));
            let mut published = published_by_language(group, language);
            published.dedup_by(|one, above| one.is_in_language_of(above, language));
            let name = |one: &Translatable<'a>| native_name(one.language.unwrap_or(language));
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

    /// Returns the translations of the item or page `id` in languages other than `language`.
    fn others(&self, id: &ItemId, language: &str) -> Vec<&Translation> {
        let group = self.of.get(id).map(|at| &self.groups[*at]);
        let group = group.into_iter().flatten();
        group.filter(|one| !one.language.eq_ignore_ascii_case(language)).collect()
    }
}

/// Returns a language name with the region from its tag: `English (GB)`.
fn with_region(name: &str, tag: &str) -> String {
    let tags = chain(tag);
    let region = tags.first().and_then(|tag| tag.split_once('-'));
    region.map_or(name.to_owned(), |(_, region)| format!("{name} ({region})"))
}

impl<'a> Provider<'a> {
    /// Returns the item's translations.
    pub(super) fn translations_of_item(&self, entry: &ItemEntry) -> Vec<&'a Translation> {
        let language = self.shared().language();
        let all = &self.snapshot.entries;
        let find = || Translations::of(all.iter().map(|entry| (&**entry).into()), language);
        let found = self.cache.item_translations.get_or_init(find);
        let item = &entry.item;
        found.others(&item.id, item.language.as_deref().unwrap_or(language))
    }

    /// Returns the page's translations.
    pub(super) fn translations_of_page(&self, entry: &PageEntry) -> Vec<&'a Translation> {
        let language = self.shared().language();
        let all = self.snapshot.pages.iter();
        let find = || Translations::of(all.map(Translatable::from), language);
        let found = self.cache.page_translations.get_or_init(find);
        let page = &entry.page;
        found.others(&page.id, page.language.as_deref().unwrap_or(language))
    }
}

/// Returns the URL for each language, including `own`, as search engines expect. Pages with a
/// canonical address on another site are left out, because search engines accept only canonical
/// URLs here. Returns an empty list if there is no other language.
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
