//! The index of albums in template contexts.

use mustache::{Data, object};

use super::parts::each;
use super::picture::picture;
use crate::inputs::{AlbumIndexPage, ListedAlbum, Shared};
use site::{FacetKind, ItemEntry, paths};

/// Returns the context of the index of albums.
pub fn album_index<'a>(shared: &'a Shared<'a>, page: &'a AlbumIndexPage<'a>) -> Data<'a> {
    let albums = each(&page.albums, move |listed| album(shared, *listed));
    Data::from([("album_index", Data::from([("albums", albums)]))])
}

pub fn album<'a>(shared: &'a Shared<'a>, listed: ListedAlbum<'a>) -> Data<'a> {
    Data::object(AlbumData { shared, listed })
}

struct AlbumData<'a> {
    shared: &'a Shared<'a>,
    listed: ListedAlbum<'a>,
}

object!(impl AlbumData<'a>, |this| {
    "name" => &this.listed.album.title,
    "description" => this.listed.album.description.as_deref(),
    "url" => this.shared.config.url(&paths::facet(FacetKind::Album, this.listed.album.slug.as_str(), 1)),
    "count" => this.shared.words.number(this.listed.count as u64),
    "cover" => this.listed.cover.map(|entry| Data::object(CoverData { shared: this.shared, entry })),
});

struct CoverData<'a> {
    shared: &'a Shared<'a>,
    entry: &'a ItemEntry,
}

object!(impl CoverData<'a>, |this| {
    "url" => this.entry.picture().map(|(url, _)| url),
    "width" => this.entry.picture().and_then(|(_, size)| size).map(|(width, _)| width),
    "height" => this.entry.picture().and_then(|(_, size)| size).map(|(_, height)| height),
    "picture" => this.entry.picture().and_then(|(url, _)| picture(this.shared, &this.entry.item.media, url)),
});
