//! Groups of items or pages that are translations of each other.

use std::collections::HashMap;

use super::item_entry::ItemEntry;
use super::paths;
use super::snapshot::{PageEntry, Snapshot};
use model::{ItemId, Redirect, SitePath, Status};

/// An item or page with references to its translations. Items refer to items, pages to pages.
#[derive(Debug, Clone, Copy)]
pub struct Translatable<'a> {
    pub id: &'a ItemId,
    pub title: &'a str,
    /// The language, if it differs from the channel's language.
    pub language: Option<&'a str>,
    /// The translations that the item or page refers to, each by the last segment of its address or
    /// by its id.
    pub translations: &'a [String],
    /// The effective status in this run.
    pub status: Status,
    /// Whether the page on this site is the canonical one.
    pub is_canonical: bool,
    /// The path of the file without its language, on a site with several languages.
    pub text_path: Option<&'a str>,
    /// The source file. `None` for the built-in 404 page.
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
            text_path: item.text_path.as_deref(),
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
            text_path: page.text_path.as_deref(),
            source: page.source.as_ref(),
            of: Entry::Page(entry),
        }
    }
}

impl<'a> Translatable<'a> {
    pub fn path(&self) -> String {
        match self.of {
            Entry::Item(entry) => entry.path.clone(),
            Entry::Page(entry) => entry.path(),
        }
    }

    /// Returns the path and the former paths, without the path of the language.
    pub fn known_paths(&self) -> Vec<String> {
        match self.of {
            Entry::Item(entry) => {
                let path = entry.path.strip_prefix(&*entry.mount).unwrap_or(&entry.path);
                let aliases =
                    entry.item.aliases.iter().map(|alias| paths::item_key(alias.as_str()));
                let former = entry.item.former_paths.iter().filter_map(|path| Redirect::path(path));
                [path.to_owned()].into_iter().chain(aliases).chain(former).collect()
            }
            Entry::Page(entry) => {
                let slugs = [&entry.page.slug].into_iter().chain(&entry.page.aliases);
                slugs.map(|slug| paths::page(slug.as_str())).collect()
            }
        }
    }

    /// Returns whether both items or pages have the same language. `language` is the site's
    /// language.
    pub fn is_in_language_of(&self, other: &Self, language: &str) -> bool {
        let [own, its] = [self, other].map(|first| first.language.unwrap_or(language));
        own.eq_ignore_ascii_case(its)
    }

    /// Returns the last part of the address.
    pub fn segment(&self) -> &'a str {
        match self.of {
            Entry::Item(entry) => &entry.segment,
            Entry::Page(entry) => entry.page.slug.as_str(),
        }
    }

    /// Returns the last parts of the former addresses.
    fn former(&self) -> Vec<&'a str> {
        match self.of {
            Entry::Item(entry) => entry.item.aliases.iter().map(|first| first.as_str()).collect(),
            Entry::Page(entry) => entry.page.aliases.iter().map(|first| first.as_str()).collect(),
        }
    }
}

impl Snapshot {
    /// Returns the [`groups`] of items.
    pub fn item_translation_groups(&self) -> Vec<Vec<Translatable<'_>>> {
        match self.item_counts.translatable {
            0 => Vec::new(),
            _ => groups(self.entries.iter().map(|entry| (&**entry).into())),
        }
    }
}

/// Maps each item or page by its names: the last part of its address, its id, and the last parts of
/// former addresses. On a clash, a current address wins over an id, and an id over a former
/// address. Returns an empty map if no item or page refers to a translation.
pub fn by_name<'a>(
    all: impl Iterator<Item = Translatable<'a>> + Clone,
) -> HashMap<&'a str, Translatable<'a>> {
    if all.clone().all(|first| first.translations.is_empty()) {
        return HashMap::new();
    }
    let former = all.clone().flat_map(|first| {
        let former = first.former().into_iter();
        former.map(move |name| (name, first))
    });
    let ids = all.clone().map(|first| (first.id.as_str(), first));
    let segments = all.map(|first| (first.segment(), first));
    former.chain(ids).chain(segments).collect()
}

/// Groups items or pages that are translations of each other. Two items or pages belong to the same
/// group if one refers to the other, both refer to a third, or their files differ only in the
/// language. Unpublished items and pages are ignored.
pub fn groups<'a>(
    all: impl Iterator<Item = Translatable<'a>> + Clone,
) -> Vec<Vec<Translatable<'a>>> {
    groups_with_drafts(all.filter(|first| first.status != Status::Unpublished))
}

/// Groups items or pages like [`groups`], with those that are unpublished.
pub(super) fn groups_with_drafts<'a>(
    all: impl Iterator<Item = Translatable<'a>> + Clone,
) -> Vec<Vec<Translatable<'a>>> {
    let named = by_name(all.clone());
    if named.is_empty() {
        return by_text_path(all);
    }
    let mut groups = Groups::default();
    let mut of_path: HashMap<&str, Translatable<'_>> = HashMap::new();
    for first in all {
        let others = first.translations.iter();
        let others = others.filter_map(|name| named.get(name.as_str()));
        others.for_each(|other| groups.join(first, *other));
        if let Some(path) = first.text_path {
            groups.join(*of_path.entry(path).or_insert(first), first);
        }
    }
    groups.members.retain(|members| members.len() > 1);
    groups.members
}

/// Groups items or pages whose files differ only in the language.
fn by_text_path<'a>(all: impl Iterator<Item = Translatable<'a>>) -> Vec<Vec<Translatable<'a>>> {
    let mut groups: Vec<Vec<Translatable<'_>>> = Vec::new();
    let mut of_path: HashMap<&str, usize> = HashMap::new();
    for first in all {
        let Some(path) = first.text_path else { continue };
        let at = *of_path.entry(path).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(first),
            None => groups.push(vec![first]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Returns the published members of a group, sorted by language and path. `language` is the site's
/// language. If several members have the same language, links from other languages point to the
/// first of them.
pub fn published_by_language<'a>(
    group: &[Translatable<'a>],
    language: &str,
) -> Vec<Translatable<'a>> {
    let published = group.iter().copied();
    let published = published.filter(|first| first.status == Status::Published);
    let mut published: Vec<Translatable<'a>> = published.collect();
    published.sort_by_cached_key(|first| {
        let language = first.language.unwrap_or(language);
        (language.to_ascii_lowercase(), first.path())
    });
    published
}

#[derive(Default)]
struct Groups<'a> {
    /// The index of each member's group in `members`.
    of: HashMap<&'a ItemId, usize>,
    members: Vec<Vec<Translatable<'a>>>,
}

impl<'a> Groups<'a> {
    /// Moves the smaller of two groups into the larger one.
    fn join(&mut self, first: Translatable<'a>, other: Translatable<'a>) {
        let mut groups = [first, other].map(|first| self.group_of(first));
        groups.sort_by_key(|group| self.members[*group].len());
        let [from, into] = groups;
        if from == into {
            return;
        }
        let moved = std::mem::take(&mut self.members[from]);
        for first in &moved {
            self.of.insert(first.id, into);
        }
        self.members[into].extend(moved);
    }

    /// Returns the index of the group of an item or page, and creates a group if it has none.
    fn group_of(&mut self, first: Translatable<'a>) -> usize {
        *self.of.entry(first.id).or_insert_with(|| {
            self.members.push(vec![first]);
            self.members.len() - 1
        })
    }
}
