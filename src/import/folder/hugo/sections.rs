//! The sections of a Hugo site: folders of items with an `_index.md`.

use std::collections::BTreeMap;

use super::PlacedText;
use super::setup::{Language, Setup};
use crate::folder::slug;
use crate::folder::source::Text;

/// The path of an item below the content folder, and its language.
type Item<'s> = (String, Option<&'s Language>);

/// The folders of sections here, by their path below the content folder.
pub struct Sections(BTreeMap<String, String>);

impl Sections {
    /// Returns the folders of the lists that contain items.
    pub fn of(lists: &[PlacedText<'_>], items: &[Item<'_>], setup: &Setup) -> Self {
        let mut sections = BTreeMap::new();
        for list in lists.iter().filter(|list| !list.inner.is_empty()) {
            let below = format!("{}/", list.inner);
            let folder = slug::hugo_path(&list.inner);
            // A folder with the name of a language would contain that language's items.
            let first = folder.split('/').next().unwrap_or_default();
            let is_language =
                setup.languages.iter().any(|own| own.name.eq_ignore_ascii_case(first));
            if !is_language
                && !folder.is_empty()
                && items.iter().any(|(item, _)| item.starts_with(&below))
            {
                sections.insert(list.inner.clone(), folder);
            }
        }
        Self(sections)
    }

    /// Returns the top-level sections that have items but no text in a language. Hugo generates their
    /// pages, with the name of the folder as the title.
    pub fn without_text<'s>(
        &self,
        lists: &[PlacedText<'s>],
        items: &[Item<'s>],
        setup: &'s Setup,
    ) -> Vec<PlacedText<'s>> {
        let top = self.0.keys().filter(|section| !section.contains('/'));
        let missing = |section: &String| {
            let languages = setup.enabled().filter(|language| {
                let is_own =
                    |own: Option<&Language>| own.is_some_and(|own| own.name == language.name);
                let mut own = items.iter().filter(|(_, own)| is_own(*own));
                let has_items = own.any(|(item, _)| item.starts_with(&format!("{section}/")));
                let has_text =
                    lists.iter().any(|list| list.inner == *section && is_own(list.language));
                has_items && !has_text
            });
            let lists = languages.map(|language| list(section, language, setup));
            lists.collect::<Vec<_>>()
        };
        top.flat_map(missing).collect()
    }

    /// Returns the folder of a section.
    pub fn folder(&self, section: &str) -> Option<String> {
        self.0.get(section).cloned()
    }

    /// Returns the folder of the innermost section of an item. It is empty if there is none.
    pub fn of_item(&self, item: &str) -> String {
        let above = |path: &str| path.rsplit_once('/').map(|(above, _)| above.to_owned());
        let folders = std::iter::successors(above(item), |folder| above(folder));
        folders.filter_map(|folder| self.folder(&folder)).next().unwrap_or_default()
    }
}

/// Returns a list whose title is the name of its folder.
fn list<'s>(section: &str, language: &'s Language, setup: &Setup) -> PlacedText<'s> {
    let is_usual = setup.usual().is_some_and(|usual| usual.name == language.name);
    let mut letters = section.chars();
    let title =
        letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str());
    let mut text = Text {
        path: format!("{section}/ in {}", language.name),
        language: (!is_usual).then(|| language.tag.clone()),
        same: Some(section.to_owned()),
        ..Text::default()
    };
    text.fields.extend(title.map(|title| ("title".to_owned(), title.into())));
    let (inner, section, sections) = (section.to_owned(), String::new(), String::new());
    PlacedText { text, inner, section, sections, language: Some(language) }
}
