//! The inputs of the archive and of the index of tags.

use super::{Crumb, FrameInputs, LinkedItem, Provider};
use site::{FacetKind, Year, paths};
use theme::Slot;

/// The archive page, or the archive page of one year.
#[derive(Debug, Hash)]
pub struct ArchivePage<'a> {
    /// The year, on the page of a single year. None on the page of the whole archive.
    pub year: Option<i16>,
    /// All years, newest first. Items without a date come last, in an entry without a year.
    pub years: Vec<ArchiveYear<'a>>,
    /// The breadcrumbs above the page, starting with the home page.
    pub above: Vec<Crumb<'a>>,
    pub frame: FrameInputs<'a>,
}

#[derive(Debug, Hash)]
pub struct ArchiveYear<'a> {
    pub year: Option<i16>,
    pub count: usize,
    /// Whether the year has a separate page.
    pub has_page: bool,
    /// The items shown on this page, in feed order.
    pub items: Vec<LinkedItem<'a>>,
}

#[derive(Debug, Hash)]
pub struct TagIndexPage<'a> {
    pub tags: Vec<ListedTag<'a>>,
    pub frame: FrameInputs<'a>,
}

#[derive(Debug, Hash)]
pub struct ListedTag<'a> {
    pub name: &'a str,
    pub slug: &'a str,
    /// Number of published items with the tag.
    pub count: usize,
}

impl<'a> Provider<'a> {
    pub fn archive(&self, year: Option<i16>) -> ArchivePage<'a> {
        let by_year = self.public().archive_has_years();
        let years = self.cache.years.get_or_init(|| self.snapshot.years());
        let years = years.iter().map(|one| {
            let has_page = by_year && one.year.is_some();
            let shows_items = !has_page || one.year == year;
            ArchiveYear {
                year: one.year,
                count: one.items.len(),
                has_page,
                items: if shows_items { self.linked(one) } else { Vec::new() },
            }
        });
        ArchivePage {
            year,
            years: years.filter(|one| year.is_none() || one.year.is_some()).collect(),
            above: match year {
                None => vec![Crumb::Home],
                Some(_) => vec![Crumb::Home, Crumb::Archive],
            },
            frame: self.frame_at(Slot::WebArchive, &paths::archive(year)),
        }
    }

    fn linked(&self, year: &Year) -> Vec<LinkedItem<'a>> {
        let published = &self.snapshot.published;
        let items = year.items.iter().filter_map(|at| published.get(*at));
        items.map(|entry| LinkedItem::of(entry)).collect()
    }

    pub fn tag_index(&self) -> TagIndexPage<'a> {
        let tags = self.snapshot.facets.all(FacetKind::Tag).iter();
        let tags = tags.map(|tag| ListedTag {
            name: &tag.name,
            slug: &tag.slug,
            count: tag.entries.len(),
        });
        TagIndexPage { tags: tags.collect(), frame: self.frame_at(Slot::WebTags, paths::TAG_INDEX) }
    }
}
