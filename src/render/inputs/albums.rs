//! The inputs of the index of albums.

use super::{FrameInputs, Provider};
use model::{Album, SortOrder};
use site::{Facet, FacetKind, ItemEntry, paths};
use theme::Slot;

#[derive(Debug, Hash)]
pub struct AlbumIndexPage<'a> {
    /// The albums that have items, in the order of `site.toml`.
    pub albums: Vec<ListedAlbum<'a>>,
    pub frame: FrameInputs<'a>,
}

/// An album with items.
#[derive(Debug, Clone, Copy, Hash)]
pub struct ListedAlbum<'a> {
    pub album: &'a Album,
    /// Number of published items in the album.
    pub count: usize,
    /// The item whose picture is the cover. None if no item has a picture.
    pub cover: Option<&'a ItemEntry>,
}

impl<'a> Provider<'a> {
    pub fn album_index(&self) -> AlbumIndexPage<'a> {
        let albums = self.snapshot.config.albums.iter();
        let albums =
            albums.filter_map(|album| Some(self.listed(album, self.facet_of_album(album)?)));
        AlbumIndexPage {
            albums: albums.collect(),
            frame: self.frame_at(Slot::WebAlbums, paths::ALBUM_INDEX),
        }
    }

    pub(super) fn listed(&self, album: &'a Album, facet: &'a Facet) -> ListedAlbum<'a> {
        ListedAlbum { album, count: facet.entries.len(), cover: self.cover(album, facet) }
    }

    /// Returns the album with this slug.
    pub(super) fn album(&self, slug: &str) -> Option<&'a Album> {
        let mut albums = self.snapshot.config.albums.iter();
        albums.find(|album| album.slug.as_str() == slug)
    }

    /// Returns the first album of `site.toml` that contains a published item, if albums have pages.
    pub(super) fn album_of(&self, entry: &ItemEntry) -> Option<&'a Facet> {
        let mut albums = self.snapshot.config.albums.iter().filter(|_| entry.is_published());
        let album = albums.find(|album| entry.is_in(album))?;
        self.facet_of_album(album).filter(|_| self.public().has_facets(FacetKind::Album))
    }

    fn facet_of_album(&self, album: &Album) -> Option<&'a Facet> {
        let facets = &self.snapshot.facets;
        let at = facets.position(FacetKind::Album, album.slug.as_str())?;
        facets.all(FacetKind::Album).get(at).map(AsRef::as_ref)
    }

    /// Returns the item whose picture is an album's cover: the author's choice, or else the newest
    /// item with a picture.
    fn cover(&self, album: &Album, facet: &'a Facet) -> Option<&'a ItemEntry> {
        let has_picture = |entry: &&'a ItemEntry| entry.picture().is_some();
        let chosen = album.cover.as_deref().and_then(|cover| self.snapshot.find(cover));
        let chosen = chosen.map(AsRef::as_ref).filter(|entry: &&ItemEntry| entry.is_published());
        let mut entries = facet.entries.iter().map(AsRef::as_ref);
        chosen.filter(has_picture).or_else(|| match self.snapshot.config.feed.order {
            SortOrder::Desc => entries.find(has_picture),
            SortOrder::Asc => entries.filter(has_picture).last(),
        })
    }
}
