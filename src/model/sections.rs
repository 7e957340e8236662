//! Sections: folders of items with a page.

use std::collections::BTreeMap;

use super::{Item, Languages, Page, Status};

/// The sections of a site, by folder. The sections of one folder differ in their languages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Sections(BTreeMap<String, Vec<Section>>);

/// A folder of items with a `section.md`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Section {
    /// Slug of the section's page.
    pub slug: String,
    /// Title of the section's page.
    pub title: String,
    /// Whether the section's page is public.
    pub is_public: bool,
    /// Index of the page's language.
    pub language: usize,
}

impl Sections {
    /// Collects the sections from a site's pages, each with its effective status.
    pub fn of<'p>(languages: &Languages, pages: impl Iterator<Item = (&'p Page, Status)>) -> Self {
        let mut sections: BTreeMap<String, Vec<Section>> = BTreeMap::new();
        for (page, status) in pages.filter(|(page, _)| page.is_section()) {
            let Some((folder, _)) = page.text_path().and_then(|path| path.rsplit_once('/')) else {
                continue;
            };
            sections.entry(folder.to_owned()).or_default().push(Section {
                slug: page.slug.to_string(),
                title: page.title.clone(),
                is_public: status != Status::Unpublished,
                language: languages.index(page.language.as_deref()),
            });
        }
        Self(sections)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the sections that contain an item, innermost first. `language` is the index of the
    /// item's language.
    pub fn of_item(&self, item: &Item, language: usize) -> impl Iterator<Item = &Section> {
        let path = item.text_path.as_deref().unwrap_or(item.source.as_str());
        let first = path.rsplit_once('/').map(|(folder, _)| folder).filter(|_| !self.is_empty());
        let folders = std::iter::successors(first, |folder| Some(folder.rsplit_once('/')?.0));
        let sections = folders.filter_map(|folder| self.0.get(folder));
        sections.filter_map(move |all| all.iter().find(|section| section.language == language))
    }

    /// Returns the maximum number of parts in the address of a section's page.
    pub fn max_parts(&self) -> usize {
        let parts = self.0.values().flatten().map(|section| section.slug.split('/').count());
        parts.max().unwrap_or(0)
    }
}
