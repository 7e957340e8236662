//! What the archive and the index of tags are made of.

use super::{Crumb, FrameInputs, LinkedItem, Provider};
use site::{FacetKind, Year};
use theme::Slot;

/// The archive, or the page of one of its years.
#[derive(Debug, Hash)]
pub struct ArchivePage<'a> {
    /// The year that is shown alone.
    pub year: Option<i16>,
    /// All years, the newest first; items without a date stand last, without a year.
    pub years: Vec<ArchiveYear<'a>>,
    /// The pages above it, from home on.
    pub above: Vec<Crumb<'a>>,
    pub frame: FrameInputs<'a>,
}

#[derive(Debug, Hash)]
pub struct ArchiveYear<'a> {
    pub year: Option<i16>,
    pub count: usize,
    /// Whether it has a page of its own.
    pub has_page: bool,
    /// Those that are shown here, in the order of the feed.
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
    /// How many published items have it.
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
            frame: self.frame(Slot::WebArchive),
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
        TagIndexPage { tags: tags.collect(), frame: self.frame(Slot::WebTags) }
    }
}
