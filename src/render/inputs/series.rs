//! The place of an item in its series.

use std::sync::Arc;

use super::{LinkedItem, Provider};
use site::{Facet, FacetKind, ItemEntry, series_order};

/// Maximum number of parts that the page of each part lists. The page of the series lists all.
const MAX_LISTED: usize = 100;

/// The place of an item in a series with several published items.
#[derive(Debug, Hash)]
pub struct SeriesPlace<'a> {
    pub name: &'a str,
    /// The slug of the series, if series have pages.
    pub slug: Option<&'a str>,
    /// The item's index among the parts.
    pub at: usize,
    /// Number of published parts.
    pub count: usize,
    /// All parts, unless the series is too long.
    pub parts: Vec<LinkedItem<'a>>,
    pub previous: Option<LinkedItem<'a>>,
    pub next: Option<LinkedItem<'a>>,
}

impl<'a> Provider<'a> {
    /// Returns the place of an item in its series. Returns None for the only item of a series, and
    /// for an item that is not published.
    pub(super) fn series_place(&self, entry: &'a ItemEntry) -> Option<SeriesPlace<'a>> {
        let facet = self.series_of(entry)?;
        let parts = self.parts_of_series(facet);
        let at = parts.binary_search_by(|part| series_order(part, entry)).ok()?;
        let linked = |at: usize| parts.get(at).map(|part| LinkedItem::of(part));
        let listed = if parts.len() > MAX_LISTED { &[] } else { parts };
        (parts.len() > 1).then(|| SeriesPlace {
            name: &facet.name,
            slug: self.public().has_facets(FacetKind::Series).then_some(&*facet.slug),
            at,
            count: parts.len(),
            parts: listed.iter().map(|part| LinkedItem::of(part)).collect(),
            previous: at.checked_sub(1).and_then(linked),
            next: linked(at + 1),
        })
    }

    fn series_of(&self, entry: &ItemEntry) -> Option<&'a Facet> {
        let slug = model::Slug::from_tag(&entry.item.series.as_ref()?.name)?;
        let facets = &self.snapshot.facets;
        let at = facets.position(FacetKind::Series, slug.as_str())?;
        facets.all(FacetKind::Series).get(at).map(AsRef::as_ref)
    }

    /// Returns the items of a series in their order.
    pub(super) fn parts_of_series(&self, facet: &Facet) -> &'a [Arc<ItemEntry>] {
        let facets = &self.snapshot.facets;
        let all = facets.all(FacetKind::Series);
        let of_all = self.cache.series.get_or_init(|| all.iter().map(|one| one.parts()).collect());
        let at = facets.position(FacetKind::Series, &facet.slug);
        at.and_then(|at| of_all.get(at)).map(Vec::as_slice).unwrap_or_default()
    }
}
