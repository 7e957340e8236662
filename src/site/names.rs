//! The names of items and pages that wiki links may use: title, file name, segment, id and aliases.

use std::collections::BTreeSet;

use jiff::civil::Date;

use model::{Item, List, Page, SharedMap, Slug, Status, folded, section_folder};
use source::sources::FromFile;

/// Files by normalized name. For each name, public files come first, followed by drafts.
#[derive(Debug, Clone, Default)]
pub struct Names(SharedMap<List<(NameVisibility, Box<str>)>>);

/// Whether readers may see a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameVisibility {
    Public,
    Draft,
}

/// A content file with its names.
#[derive(PartialEq, Eq)]
pub struct NamedFile {
    pub name_visibility: NameVisibility,
    file: Box<str>,
    /// The normalized names (see [`normalized_name`]).
    pub names: BTreeSet<String>,
}

impl Names {
    pub fn of<'c>(
        items: impl Iterator<Item = &'c Item>,
        pages: impl Iterator<Item = &'c Page>,
    ) -> Self {
        let mut names = Self::default();
        let files = items.map(NamedFile::item).chain(pages.map(NamedFile::page));
        files.for_each(|file| names.add(&file));
        names
    }

    pub fn add(&mut self, named: &NamedFile) {
        let own = (named.name_visibility, named.file.clone());
        for name in &named.names {
            let mut files = self.0.get(name).cloned().unwrap_or_default();
            let at = files.partition_point(|one| *one < own);
            if files.get(at).is_none_or(|one| *one != own) {
                files.insert(at, own.clone());
                self.0.insert(name, files);
            }
        }
    }

    /// Removes the entries that [`add`](Self::add) inserted.
    pub fn remove(&mut self, named: &NamedFile) {
        let own = (named.name_visibility, named.file.clone());
        for name in &named.names {
            let Some(mut files) = self.0.get(name).cloned() else {
                continue;
            };
            let at = files.partition_point(|one| *one < own);
            if files.get(at).is_some_and(|one| *one == own) {
                files.remove(at);
                self.0.insert(name, files);
            }
        }
    }

    /// Returns the files with a name. A link by name works only if it finds exactly one file. The
    /// last parts of a file's path count as a name too: `2026/late-tide`. Drafts count only if no
    /// public file has the name, so that a draft never changes what readers see.
    pub fn files(&self, name: &str) -> Vec<&str> {
        let mut all = self.all(name);
        let has_public = all.iter().any(|(own, _)| *own == NameVisibility::Public);
        all.retain(|(own, _)| !has_public || *own == NameVisibility::Public);
        all.into_iter().map(|(_, file)| file).collect()
    }

    fn all(&self, name: &str) -> Vec<(NameVisibility, &str)> {
        let with = |name: &str| self.0.get(&normalized_name(name)).into_iter().flatten();
        let whole: Vec<_> = with(name).map(|(own, file)| (*own, &**file)).collect();
        let Some((folders, last)) = name.rsplit_once('/').filter(|_| whole.is_empty()) else {
            return whole;
        };
        let parts = |path: &str| path.split('/').map(normalized_name).collect::<Vec<_>>();
        let is_there = |(_, file): &(NameVisibility, &str)| {
            let own = local_path(file).rsplit_once('/');
            own.is_some_and(|(own, _)| parts(own).ends_with(&parts(folders)))
        };
        let all = with(last).map(|(own, file)| (*own, &**file));
        all.filter(is_there).collect()
    }
}

impl NamedFile {
    pub fn item(item: &Item) -> Self {
        let segment = item.segment();
        let own = [&*item.title, &segment, item.id.as_str()];
        let aliases = item.aliases.iter().map(Slug::as_str);
        let path = item.text_path.as_deref();
        Self::new(item.status, (item.file(), path), own.into_iter().chain(aliases))
    }

    pub fn page(page: &Page) -> Self {
        let own = [&*page.title, page.slug.as_str(), page.id.as_str()];
        let aliases = page.aliases.iter().map(|alias| alias.as_str());
        let path = page.text_path.as_deref();
        Self::new(page.status, (page.file(), path), own.into_iter().chain(aliases))
    }

    /// `path` is the file's path without its language, on a site with several languages.
    fn new<'n>(
        status: Status,
        (file, path): (&'n str, Option<&'n str>),
        names: impl Iterator<Item = &'n str>,
    ) -> Self {
        let local_path = path.unwrap_or_else(|| local_path(file));
        let stem = local_path.rsplit('/').next().unwrap_or(local_path);
        let date = stem.get(..10).and_then(|date| date.parse::<Date>().ok());
        let undated = date.and_then(|_| stem[10..].strip_prefix('-'));
        let all = names.chain([stem]).chain(undated);
        let mut names: BTreeSet<String> = all.map(normalized_name).collect();
        names.remove("");
        // The built-in 404 page has no file, and so no names.
        if file.is_empty() {
            names.clear();
        }
        let name_visibility = match status {
            Status::Unpublished => NameVisibility::Draft,
            Status::Published | Status::Unlisted => NameVisibility::Public,
        };
        Self { name_visibility, file: file.into(), names }
    }
}

/// Returns the files in the language of a text that links to them by name, or else in the default
/// language, or else all. `language` returns the index of a file's language.
pub fn in_language(files: Vec<&str>, own: usize, language: impl Fn(&str) -> usize) -> Vec<&str> {
    let in_language = |wanted: usize| -> Vec<&str> {
        files.iter().copied().filter(|file| language(file) == wanted).collect()
    };
    let found = [own, 0].map(in_language).into_iter().find(|found| !found.is_empty());
    found.unwrap_or(files)
}

/// Returns the path of a content file without its extension and without `/index`. The local path of
/// a section is its folder.
pub fn local_path(file: &str) -> &str {
    if let Some(folder) = section_folder(file) {
        return folder;
    }
    let path = file.rsplit_once('.').map_or(file, |(path, _)| path);
    path.strip_suffix("/index").unwrap_or(path)
}

/// Normalizes a name for comparison. Case, Unicode form and the kind of separator between words are
/// ignored.
pub fn normalized_name(name: &str) -> String {
    let folded = folded(name);
    let words = folded.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(file: &str, names: &[&str]) -> NamedFile {
        NamedFile::new(Status::Published, (file, None), names.iter().copied())
    }

    #[test]
    fn a_draft_does_not_take_the_name_of_a_public_file() {
        let ferry = named("content/items/ferry.md", &["Ferry"]);
        let draft = NamedFile::new(
            Status::Unpublished,
            ("content/items/a.md", None),
            ["Ferry"].into_iter(),
        );
        let mut names = Names::default();
        names.add(&draft);
        assert_eq!(names.files("ferry"), [&*draft.file]);
        names.add(&ferry);
        assert_eq!(names.files("ferry"), [&*ferry.file]);
        assert_eq!(names.files("items/ferry"), [&*ferry.file]);
        names.remove(&draft);
        assert_eq!(names.files("ferry"), [&*ferry.file]);
        names.remove(&ferry);
        assert!(names.files("ferry").is_empty());
    }

    #[test]
    fn a_file_is_found_by_each_name_until_it_is_removed() {
        let walk = named("content/items/2026-03-04-Tide-Walk.md", &["Cafe\u{301} walk"]);
        let deep = named("content/items/2025/tide-walk/index.md", &["C++"]);
        let mut names = Names::default();
        names.add(&walk);
        names.add(&deep);
        for name in ["café  WALK", "Café-walk", "2026-03-04-tide-walk"] {
            assert_eq!(names.files(name), [&*walk.file], "{name}");
        }
        assert_eq!(names.files("Tide walk").len(), 2);
        assert_eq!(names.files("2025/Tide walk"), [&*deep.file]);
        assert_eq!(names.files("items/2026-03-04-tide-walk"), [&*walk.file]);
        assert_eq!(names.files("content/items/cafe\u{301} walk"), [&*walk.file]);
        for name in ["C", "", " - ", "5/tide-walk", "/", "index"] {
            assert!(names.files(name).is_empty(), "{name}");
        }
        names.remove(&deep);
        assert_eq!(names.files("tide-walk"), [&*walk.file]);
    }
}
