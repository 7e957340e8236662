//! The inputs of the pages of sections.

use super::pages::FrameInputs;
use super::{Crumb, List, ListPage, Provider, ShownFacet};
use site::{Facet, FacetKind, ItemEntry, PageEntry};
use theme::Slot;

impl<'a> Provider<'a> {
    /// Returns the first page of a section, which may have no items.
    pub(super) fn section(&self, entry: &'a PageEntry) -> ListPage<'a> {
        let (kind, slug) = (FacetKind::Section, entry.page.slug.as_str());
        if let Some(at) = self.snapshot.facets.position(kind, slug) {
            return self.facet(kind, &self.snapshot.facets.all(kind)[at], 1);
        }
        let of = ShownFacet {
            kind,
            name: &entry.page.title,
            slug,
            has_feeds: false,
            author: None,
            album: None,
            section: Some(entry),
        };
        ListPage {
            of: List::Facet(of),
            above: self.above_page(entry),
            items: Vec::new(),
            number: 1,
            count: 1,
            events: None,
            lead: None,
            seasons: Vec::new(),
            translations: self.translations_of_page(entry),
            frame: self.section_frame(entry, 1),
        }
    }

    pub(super) fn section_frame(&self, entry: &PageEntry, n: usize) -> FrameInputs<'a> {
        let mut frame = self.frame_around(Slot::WebFeed, entry);
        self.at_list_page(&mut frame.switch, n);
        frame
    }

    /// Returns the page of a section.
    pub(super) fn page_of_section(&self, facet: &Facet) -> Option<&'a PageEntry> {
        let mut pages = self.snapshot.pages.iter();
        pages.find(|entry| entry.page.slug.as_str() == facet.slug && entry.page.is_section())
    }

    /// Returns the listed sections that contain an item, outermost first.
    pub(super) fn above_in_sections(&self, entry: &ItemEntry) -> Vec<Crumb<'a>> {
        match self.snapshot.config.addresses.sections.is_empty() {
            true => Vec::new(),
            false => self.folders_above(&entry.item.source),
        }
    }
}
