//! Items, and Pages, that say the same in different languages.

use std::collections::HashMap;

use super::item_entry::ItemEntry;
use super::paths;
use super::snapshot::PageEntry;
use model::{ItemId, SitePath, Status};

/// What names its translations: an item, or a Page. Each names its own kind.
#[derive(Debug, Clone, Copy)]
pub struct Translatable<'a> {
    pub id: &'a ItemId,
    pub title: &'a str,
    /// Where it differs from the channel's.
    pub language: Option<&'a str>,
    /// Those that it names, by the last part of their addresses or by id.
    pub translations: &'a [String],
    /// The status this run treats it as.
    pub status: Status,
    /// Whether its page here is the canonical one.
    pub is_canonical: bool,
    /// Its file; none for the built-in 404 Page.
    pub source: Option<&'a SitePath>,
    of: Entry<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Entry<'a> {
    Item(&'a ItemEntry),
    Page(&'a PageEntry),
}

impl<'a> From<&'a ItemEntry> for Translatable<'a> {
    fn from(entry: &'a ItemEntry) -> Self {
        let item = &entry.item;
        Self {
            id: &item.id,
            title: &item.title,
            language: item.language.as_deref(),
            translations: &item.translations,
            status: entry.status,
            is_canonical: item.url.is_none(),
            source: Some(&item.source),
            of: Entry::Item(entry),
        }
    }
}

impl<'a> From<&'a PageEntry> for Translatable<'a> {
    fn from(entry: &'a PageEntry) -> Self {
        let page = &entry.page;
        Self {
            id: &page.id,
            title: &page.title,
            language: page.language.as_deref(),
            translations: &page.translations,
            status: entry.status,
            is_canonical: true,
            source: page.source.as_ref(),
            of: Entry::Page(entry),
        }
    }
}

impl<'a> Translatable<'a> {
    pub fn path(&self) -> String {
        match self.of {
            Entry::Item(entry) => paths::item(&entry.segment),
            Entry::Page(entry) => paths::page(entry.page.slug.as_str()),
        }
    }

    /// Whether it is in the language of another; `language` is the site's.
    pub fn is_in_language_of(&self, other: &Self, language: &str) -> bool {
        let [own, its] = [self, other].map(|one| one.language.unwrap_or(language));
        own.eq_ignore_ascii_case(its)
    }

    /// The last part of its address.
    pub fn segment(&self) -> &'a str {
        match self.of {
            Entry::Item(entry) => &entry.segment,
            Entry::Page(entry) => entry.page.slug.as_str(),
        }
    }

    /// The last parts of its former addresses.
    fn former(&self) -> Vec<&'a str> {
        match self.of {
            Entry::Item(entry) => entry.item.aliases.iter().map(|one| one.as_str()).collect(),
            Entry::Page(entry) => entry.page.aliases.iter().map(|one| one.as_str()).collect(),
        }
    }
}

/// Each of `all` by its names: the last part of its address, its id, and the last parts of former addresses. The
/// present address goes before an id, and that before a former address. Empty where none names a translation.
pub fn by_name<'a>(
    all: impl Iterator<Item = Translatable<'a>> + Clone,
) -> HashMap<&'a str, Translatable<'a>> {
    if all.clone().all(|one| one.translations.is_empty()) {
        return HashMap::new();
    }
    let former = all.clone().flat_map(|one| {
        let former = one.former().into_iter();
        former.map(move |name| (name, one))
    });
    let ids = all.clone().map(|one| (one.id.as_str(), one));
    let segments = all.map(|one| (one.segment(), one));
    former.chain(ids).chain(segments).collect()
}

/// Those of `all` that are translations of each other. It is enough that one names the other, or both a third. What
/// is unpublished counts for nothing.
pub fn groups<'a>(
    all: impl Iterator<Item = Translatable<'a>> + Clone,
) -> Vec<Vec<Translatable<'a>>> {
    let all = all.filter(|one| one.status != Status::Unpublished);
    let named = by_name(all.clone());
    let mut groups = Groups::default();
    for one in all {
        let others = one.translations.iter();
        let others = others.filter_map(|name| named.get(name.as_str()));
        others.for_each(|other| groups.join(one, *other));
    }
    groups.members.retain(|members| members.len() > 1);
    groups.members
}

/// The published ones of a group, in the order of their languages; `language` is the site's. Of several in one language
/// the first is the one that others lead to.
pub fn published_by_language<'a>(
    group: &[Translatable<'a>],
    language: &str,
) -> Vec<Translatable<'a>> {
    let published = group.iter().copied();
    let published = published.filter(|one| one.status == Status::Published);
    let mut published: Vec<Translatable<'a>> = published.collect();
    published.sort_by_cached_key(|one| {
        let language = one.language.unwrap_or(language);
        (language.to_ascii_lowercase(), one.path())
    });
    published
}

#[derive(Default)]
struct Groups<'a> {
    /// The index of each one's group.
    of: HashMap<&'a ItemId, usize>,
    members: Vec<Vec<Translatable<'a>>>,
}

impl<'a> Groups<'a> {
    /// Moves the smaller group of the two into the larger one.
    fn join(&mut self, one: Translatable<'a>, other: Translatable<'a>) {
        let mut groups = [one, other].map(|one| self.group_of(one));
        groups.sort_by_key(|group| self.members[*group].len());
        let [from, into] = groups;
        if from == into {
            return;
        }
        let moved = std::mem::take(&mut self.members[from]);
        for one in &moved {
            self.of.insert(one.id, into);
        }
        self.members[into].extend(moved);
    }

    /// The group of one, of its own if it has none yet.
    fn group_of(&mut self, one: Translatable<'a>) -> usize {
        *self.of.entry(one.id).or_insert_with(|| {
            self.members.push(vec![one]);
            self.members.len() - 1
        })
    }
}
