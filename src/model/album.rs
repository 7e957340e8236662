//! Albums of photos: `[[albums]]` in `site.toml`.

use super::declare::keys;
use super::{Slug, SortOrder};

keys! {
    /// Keys of `[[albums]]` in `site.toml`. Each album needs either `tag` or `folder`.
    ALBUM {
        /// tag of the album's items
        Optional "tag", Text(200);
        /// folder in `content/items` with the album's items
        Optional "folder", Text(1000);
        /// title; by default, the tag or the folder's name
        Optional "title", Text(300);
        /// text above the photos
        Optional "description", Text(10_000);
        /// address or id of the item whose picture is the cover; by default, the newest item
        Optional "cover", Text(250);
        /// order of the items, if it differs from the feed's
        Optional "order", Word(SortOrder::NAMES);
        /// last part of the album's address; by default, the tag or the folder's name
        Optional "slug", Own("text, at most 200 characters and 240 bytes", &[Plain]);
    }
}

/// An entry of `[[albums]]` in `site.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Album {
    pub contents: AlbumContents,
    /// The last part of the album's address. Each album has a different slug.
    pub slug: Slug,
    pub title: String,
    pub description: Option<String>,
    /// The id, segment or alias of the item whose picture is the cover.
    pub cover: Option<String>,
    /// None means the order of the feed.
    pub order: Option<SortOrder>,
}

/// The items of an album.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AlbumContents {
    /// The items with this tag.
    Tag(Slug),
    /// The items whose files are below this path, which ends in `/`.
    Folder(String),
}
