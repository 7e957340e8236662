//! Breadcrumbs: the links from a page up to the home page.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Provider, Shared, ShownItem};
use model::content_folder::PAGES;
use model::{ContentFolder, SitePath, Status};
use site::{FacetKind, PageEntry, Snapshot};

/// A page above another page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Crumb<'a> {
    Home,
    Archive,
    /// A year of the archive.
    Year(i16),
    Tags,
    Albums,
    Album {
        slug: &'a str,
        name: &'a str,
    },
    Season {
        slug: &'a str,
        name: &'a str,
    },
    /// The item of a clip.
    Item {
        path: &'a str,
        title: Cow<'a, str>,
        language: Option<&'a str>,
    },
    /// The page of a folder.
    Page {
        slug: &'a str,
        /// The page's navigation label, or else its title.
        name: &'a str,
        language: Option<&'a str>,
    },
}

/// Indices of the published pages, by the path of the page's file without its extension and without
/// `/index`. The page of a section has the path of the section's folder.
#[derive(Debug)]
pub struct PagePlaces(HashMap<String, usize>);

impl PagePlaces {
    fn of(snapshot: &Snapshot) -> Self {
        let pages = snapshot.pages.iter().zip(0..);
        let published = pages.filter(|(entry, _)| entry.status == Status::Published);
        let places = published.filter_map(|(entry, at)| {
            let place = place(entry.page.source.as_ref()?);
            Some((place.to_owned(), at))
        });
        Self(places.collect())
    }
}

/// Returns the path of a file without its extension and without `/index`, so that the path is the
/// same for `guide.md` and `guide/index.md`. The place of a section is its folder.
pub(super) fn place(path: &SitePath) -> &str {
    if let Some(folder) = path.section_folder() {
        return folder;
    }
    let path = path.as_str();
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    stem.strip_suffix("/index").unwrap_or(stem)
}

impl<'a> Provider<'a> {
    /// Returns the breadcrumbs of an item: the item's sections, or else its season, or else its
    /// album, or else the archive and the archive page of the item's year.
    pub(super) fn above_item(&self, item: &ShownItem<'a>) -> Vec<Crumb<'a>> {
        let entry = item.entry;
        let mut above = vec![Crumb::Home];
        let sections = self.above_in_sections(entry);
        if !sections.is_empty() {
            above.extend(sections);
        } else if item.has_season_page {
            above.extend(self.season(entry.item.season().unwrap_or_default()));
        } else if let Some(album) = self.album_of(entry) {
            above.extend(self.shared().has_album_index.then_some(Crumb::Albums));
            above.push(Crumb::Album { slug: &album.slug, name: &album.name });
        } else if entry.is_published() && self.shared().has_archive {
            above.push(Crumb::Archive);
            let date = entry.item.date_published;
            let date = date.filter(|_| self.public().archive_has_years());
            let zone = &self.snapshot.config.timezone;
            above.extend(date.map(|date| Crumb::Year(zone.to_datetime(date).year())));
        }
        above
    }

    fn season(&self, number: i64) -> Option<Crumb<'a>> {
        let facets = &self.snapshot.facets;
        let at = facets.position(FacetKind::Season, &number.to_string())?;
        let season = facets.all(FacetKind::Season).get(at)?;
        Some(Crumb::Season { slug: &season.slug, name: &season.name })
    }

    /// Returns the breadcrumbs of a page: the pages of the folders that contain it. The 404 page
    /// has no breadcrumbs.
    pub(super) fn above_page(&self, entry: &PageEntry) -> Vec<Crumb<'a>> {
        let Some(source) = entry.page.source.as_ref() else {
            return Vec::new();
        };
        if entry.page.is_not_found_page() {
            return Vec::new();
        }
        [Crumb::Home].into_iter().chain(self.folders_above(source)).collect()
    }

    /// Returns the listed pages of the folders that contain a file, outermost first.
    pub(super) fn folders_above(&self, source: &SitePath) -> Vec<Crumb<'a>> {
        let make = || PagePlaces::of(self.snapshot);
        let PagePlaces(places) = self.cache.page_places.get_or_init(make);
        let mut place = place(source);
        let mut above = Vec::new();
        while let Some((folder, _)) = place.rsplit_once('/')
            && ContentFolder::split(folder).is_none_or(|(_, inner)| inner != PAGES)
        {
            let page = places.get(folder).map(|at| &self.snapshot.pages[*at].page);
            above.extend(page.map(|page| Crumb::Page {
                slug: page.slug.as_str(),
                name: page.navigation_label.as_ref().unwrap_or(&page.title),
                language: page.language.as_deref(),
            }));
            place = folder;
        }
        above.reverse();
        above
    }
}

/// Returns the breadcrumbs of a facet's page, which include the index of tags or albums.
pub(super) fn above_facet<'a>(kind: FacetKind, shared: &Shared<'_>) -> Vec<Crumb<'a>> {
    let index = match kind {
        FacetKind::Tag => shared.has_tag_index.then_some(Crumb::Tags),
        FacetKind::Album => shared.has_album_index.then_some(Crumb::Albums),
        FacetKind::Season | FacetKind::Author | FacetKind::Series | FacetKind::Section => None,
    };
    [Crumb::Home].into_iter().chain(index).collect()
}
