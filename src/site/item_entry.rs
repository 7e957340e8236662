//! The entry of an item in a snapshot, and lists of entries in feed order.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};

use super::feed_order::compare;
use model::{Album, AlbumContents, Category, Config, Item, List, Slug, Status};

/// Item entries in feed order.
pub type Entries = List<Arc<ItemEntry>>;

/// An item as part of a site.
#[derive(Debug, Clone)]
pub struct ItemEntry {
    pub item: Arc<Item>,
    /// The item's effective status in this run (see [`model::Visibility`]).
    pub status: Status,
    /// The segment of the item's public path.
    pub segment: String,
    /// The slug of each tag, in the order of the item's tags. `None` for a tag that contains no
    /// letter and no digit.
    pub tags: Vec<Option<Slug>>,
    /// The slug of each of the item's own authors. `None` for an author whose name contains no
    /// letter and no digit.
    pub authors: Vec<Option<Slug>>,
    /// A hash that changes whenever any part of the entry changes.
    pub fingerprint: u64,
    /// The item from which this entry was made, while the library still keeps the item. If the
    /// library keeps the same item, the next snapshot reuses this entry.
    pub(super) made_of: Weak<Item>,
}

/// Hashes the fingerprint and the status. The fingerprint covers everything that is read from the
/// file, including id and segment.
impl Hash for ItemEntry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.fingerprint, self.status).hash(state);
    }
}

impl ItemEntry {
    /// Returns whether the item has a public HTML page.
    pub fn is_public(&self) -> bool {
        self.status != Status::Unpublished
    }

    pub fn is_published(&self) -> bool {
        self.status == Status::Published
    }

    /// Returns whether the item belongs to an album, if the item is published.
    pub fn is_in(&self, album: &Album) -> bool {
        match &album.contents {
            AlbumContents::Tag(tag) => self.tags.iter().flatten().any(|own| own == tag),
            AlbumContents::Folder(path) => self.item.source.as_str().starts_with(&**path),
        }
    }

    /// Returns the address and size of the picture that the item shows: its photo, or else its
    /// cover art.
    pub fn picture(&self) -> Option<(&str, Option<(u32, u32)>)> {
        let photo = self.item.attachment.as_ref().filter(|file| file.category == Category::Image);
        let photo = photo.map(|file| (&*file.url, file.dimensions));
        photo.or_else(|| self.item.image.as_ref().map(|image| (&*image.url, image.dimensions())))
    }

    /// Returns every name under `/i/`: the id, the segment and the aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let aliases = self.item.aliases.iter().map(Slug::as_str);
        [self.item.id.as_str(), self.segment.as_str()].into_iter().chain(aliases)
    }

    /// Returns whether the item has a chapters document on this site.
    pub fn has_chapters(&self) -> bool {
        self.is_public() && !self.item.podcast.chapters.is_empty()
    }
}

/// Returns the index of an item in a list in feed order. If the item is not in the list, the error
/// is the index at which to insert it.
pub fn entry_index(config: &Config, entries: &Entries, item: &Item) -> Result<usize, usize> {
    let at = entries.partition_point(|entry| compare(config, &entry.item, item).is_lt());
    let is_there = |entry: &Arc<ItemEntry>| compare(config, &entry.item, item).is_eq();
    if entries.get(at).is_some_and(is_there) { Ok(at) } else { Err(at) }
}

pub fn remove_entry(config: &Config, list: &mut Entries, entry: &Arc<ItemEntry>) {
    if let Ok(at) = entry_index(config, list, &entry.item) {
        list.remove(at);
    }
}

pub fn insert_entry(config: &Config, list: &mut Entries, entry: &Arc<ItemEntry>) {
    let (Ok(at) | Err(at)) = entry_index(config, list, &entry.item);
    list.insert(at, Arc::clone(entry));
}
