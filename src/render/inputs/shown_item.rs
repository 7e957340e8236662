//! An item as pages show it, with its links to facet pages.

use super::Provider;
use model::Slug;
use site::{FacetKind, ItemEntry};

/// An item as shown on a page or in a list.
#[derive(Debug, Clone, Hash)]
pub struct ShownItem<'a> {
    pub entry: &'a ItemEntry,
    /// The slug of each of the item's tags, in order. None for a tag without a page. A tag that
    /// only unlisted items use has no page.
    pub tags: Vec<Option<&'a Slug>>,
    /// The slug of each of the item's own authors, in order. None for an author without a page.
    pub authors: Vec<Option<&'a Slug>>,
    /// Whether the item's season has a page.
    pub has_season_page: bool,
}

impl<'a> Provider<'a> {
    pub(super) fn shown_items(&self, entries: Vec<&'a ItemEntry>) -> Vec<ShownItem<'a>> {
        entries.into_iter().map(|entry| self.shown(entry)).collect()
    }

    /// Returns an item with the slugs of its facets that have pages.
    pub fn shown(&self, entry: &'a ItemEntry) -> ShownItem<'a> {
        let of = |kind, slugs: &'a [Option<Slug>]| {
            let has_page = |slug: &&Slug| self.has_page(entry, kind, slug.as_str());
            let slugs = slugs.iter();
            slugs.map(|slug| slug.as_ref().filter(has_page)).collect::<Vec<_>>()
        };
        let has_season = || {
            let season = entry.item.season().map(|number| number.to_string());
            season.is_some_and(|slug| self.has_page(entry, FacetKind::Season, &slug))
        };
        ShownItem {
            entry,
            tags: of(FacetKind::Tag, &entry.tags),
            authors: of(FacetKind::Author, &entry.authors),
            has_season_page: entry.item.season().is_some() && has_season(),
        }
    }

    fn has_page(&self, entry: &ItemEntry, kind: FacetKind, slug: &str) -> bool {
        let has_pages = &self.cache.facets[kind as usize];
        let has_pages = *has_pages.get_or_init(|| self.public().has_facets(kind));
        // Every facet of a published item is in the snapshot.
        let is_known = || self.snapshot.facets.position(kind, slug).is_some();
        has_pages && (entry.is_published() || is_known())
    }
}
