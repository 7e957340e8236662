//! Translations of items and of pages.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use super::{Provider, Shared, SwitchLanguage};
use model::{Config, ItemId, is_in_language};
use site::{ItemEntry, PageEntry, Translatable, published_by_language, translation_groups};
use words::{chain, native_name};

/// A link to an item's or page's translation in another language.
#[derive(Debug)]
pub struct Translation {
    pub language: String,
    pub path: String,
    /// The absolute URL of the path.
    pub url: String,
    pub title: String,
    /// The language's own name. The region is added if another translation in the group has the
    /// same language name.
    pub language_name: String,
    /// Whether the page on this site is the canonical one.
    pub is_canonical: bool,
    pub id: ItemId,
}

impl Hash for Translation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The path determines the URL.
        (&self.language, &self.path, &self.title, &self.language_name).hash(state);
        (self.is_canonical, &self.id).hash(state);
    }
}

/// Groups of items or pages that are translations of each other. Links point only to published
/// members.
#[derive(Debug)]
pub struct Translations {
    /// The index of each member's group, by the member's id.
    of: HashMap<ItemId, usize>,
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    members: Vec<ItemId>,
    /// The published members, one for each language, ordered by language tag. Computed when first
    /// needed, because a preview shows few pages.
    published: OnceLock<Vec<Translation>>,
}

impl Translations {
    /// Creates the lookup of [groups](translation_groups).
    fn of(groups: &[Vec<Translatable<'_>>]) -> Self {
        let mut found = Self { of: HashMap::new(), groups: Vec::new() };
        for (group, at) in groups.iter().zip(0..) {
            let members: Vec<ItemId> = group.iter().map(|one| one.id.clone()).collect();
            found.of.extend(members.iter().map(|id| (id.clone(), at)));
            found.groups.push(Group { members, published: OnceLock::new() });
        }
        found
    }

    /// Returns the translations of the item or page `id` in languages other than `own`. `find`
    /// returns a member of a group. `shared` is called only if `id` has translations.
    fn others<'a>(
        &self,
        id: &ItemId,
        (own, shared): (Option<&str>, impl FnOnce() -> Shared<'a>),
        find: impl Fn(&ItemId) -> Option<Translatable<'a>>,
    ) -> Vec<&Translation> {
        let Some(at) = self.of.get(id) else { return Vec::new() };
        let shared = shared();
        let (config, language) = (shared.config, shared.language());
        let Group { members, published } = &self.groups[*at];
        let find = || members.iter().filter_map(&find).collect::<Vec<_>>();
        let published =
            published.get_or_init(|| published_members(config, &find(), language)).iter();
        let own = own.unwrap_or(language);
        published.filter(|one| !one.language.eq_ignore_ascii_case(own)).collect()
    }
}

fn published_members(
    config: &Config,
    group: &[Translatable<'_>],
    language: &str,
) -> Vec<Translation> {
    let mut published = published_by_language(group, language);
    published.dedup_by(|one, above| one.is_in_language_of(above, language));
    let tags: Vec<&str> = published.iter().map(|one| one.language.unwrap_or(language)).collect();
    let names: Vec<&str> = tags.iter().map(|tag| native_name(tag)).collect();
    let translation = |(at, one): (usize, &Translatable<'_>)| Translation {
        language: tags[at].to_owned(),
        path: one.path(),
        url: config.root_url(&one.path()),
        title: one.title.to_owned(),
        language_name: match names.iter().filter(|name| **name == names[at]).count() {
            1 => names[at].to_owned(),
            _ => with_region(names[at], tags[at]),
        },
        is_canonical: one.is_canonical,
        id: one.id.clone(),
    };
    published.iter().enumerate().map(translation).collect()
}

/// Returns a language name with the region from its tag: `English (GB)`.
fn with_region(name: &str, tag: &str) -> String {
    let tags = chain(tag);
    let region = tags.first().and_then(|tag| tag.split_once('-'));
    region.map_or(name.to_owned(), |(_, region)| format!("{name} ({region})"))
}

impl<'a> Provider<'a> {
    /// Returns the item's translations.
    pub fn translations_of_item(&self, entry: &ItemEntry) -> Vec<&'a Translation> {
        let whole = self.whole();
        let snapshot = whole.snapshot;
        let all = || Translations::of(&snapshot.item_translation_groups());
        let found = whole.cache.item_translations.get_or_init(all);
        let languages = (entry.item.language.as_deref(), || whole.shared());
        found.others(&entry.item.id, languages, |id| Some((&**snapshot.find(id.as_str())?).into()))
    }

    /// Returns the page's translations.
    pub fn translations_of_page(&self, entry: &PageEntry) -> Vec<&'a Translation> {
        let whole = self.whole();
        let snapshot = whole.snapshot;
        let pages = snapshot.pages.iter().map(Translatable::from);
        let all = || Translations::of(&translation_groups(pages));
        let found = whole.cache.page_translations.get_or_init(all);
        let languages = (entry.page.language.as_deref(), || whole.shared());
        found.others(&entry.page.id, languages, |id| Some(snapshot.page(id.as_str())?.into()))
    }
}

/// Returns the URL for each language, including `own`, as search engines expect. Pages with a
/// canonical address on another site are left out, because search engines accept only canonical
/// URLs here. Returns an empty list if there is no other language.
pub fn in_each_language<'t>(
    shared: &Shared<'t>,
    own: (&'t str, &'t str),
    others: &'t [&Translation],
) -> Vec<(&'t str, Cow<'t, str>)> {
    let others = others.iter().filter(|one| one.is_canonical);
    let others = others.map(|one| (one.language.as_str(), one.url.as_str()));
    let all = [own].into_iter().chain(others);
    with_default(shared, all.map(|(language, url)| (language, url.into())))
}

/// Returns the URL of a list for each language that has the list, if it is more than one.
pub fn list_in_each_language<'t>(
    shared: &Shared<'t>,
    switch: &'t [SwitchLanguage<'_>],
) -> Vec<(&'t str, Cow<'t, str>)> {
    let all = switch.iter().filter(|one| one.has_page);
    with_default(shared, all.map(|one| (one.language.tag.as_str(), one.url(shared.config))))
}

/// Adds the URL for visitors whose language the site does not have. Returns an empty list if there
/// is only one language.
fn with_default<'t>(
    shared: &Shared<'t>,
    all: impl Iterator<Item = (&'t str, Cow<'t, str>)>,
) -> Vec<(&'t str, Cow<'t, str>)> {
    let mut all: Vec<(&str, Cow<'_, str>)> = all.collect();
    if all.len() < 2 {
        return Vec::new();
    }
    let default = shared.languages.first().and_then(|default| {
        all.iter().find(|(language, _)| is_in_language(language, &default.tag))
    });
    all.extend(default.map(|(_, url)| ("x-default", url.clone())));
    all
}
