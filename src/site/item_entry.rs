//! The entry of an item in a snapshot, and lists of entries in feed order.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};

use super::feed_order::compare;
use model::{
    Album, AlbumContents, Author, Category, Channel, Config, Image, Item, List, MediaFile, Slug,
    Status,
};

/// Item entries in feed order.
pub type Entries = List<Arc<ItemEntry>>;

/// An item as part of a site.
#[derive(Debug, Clone)]
pub struct ItemEntry {
    pub item: Arc<Item>,
    /// The item's effective status in this run (see [`model::Visibility`]).
    pub status: Status,
    /// The name by which APIs and `/i/` find the item, in addition to its id.
    pub segment: String,
    /// The public path of the item's page.
    pub path: String,
    /// The path of the edition to which the item belongs, such as `/de`, if this entry is in a
    /// snapshot of several editions. Otherwise empty.
    pub mount: String,
    /// The channel of the item's show, if this entry is in the snapshot of a network. Otherwise `None`.
    pub channel: Option<Arc<Channel>>,
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

/// Hashes the fingerprint, the status and the edition. The fingerprint covers everything that is read from the
/// file, including id and segment.
impl Hash for ItemEntry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.fingerprint, self.status, &self.mount).hash(state);
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
            AlbumContents::Folder(path) => self.item.is_below(path),
        }
    }

    /// Returns the address and size of the picture that the item shows: its photo, or else its
    /// cover art.
    pub fn picture(&self) -> Option<(&str, Option<(u32, u32)>)> {
        let photo = self.item.attachment.as_ref().filter(|file| file.category == Category::Image);
        let photo = photo.map(|file| (&*file.url, file.dimensions));
        photo.or_else(|| self.item.image.as_ref().map(|image| (&*image.url, image.dimensions())))
    }

    /// Returns the entry in the item's edition.
    pub fn in_edition(&self) -> Self {
        let path = self.path.strip_prefix(&*self.mount).unwrap_or(&self.path).to_owned();
        Self { path, mount: String::new(), ..self.clone() }
    }

    /// Returns the entry as an item of the network that has the item's show below `mount`.
    pub(super) fn in_network(&self, mount: &str, channel: &Arc<Channel>) -> Self {
        Self {
            path: [mount, &*self.path].concat(),
            mount: mount.to_owned(),
            channel: Some(Arc::clone(channel)),
            made_of: Weak::new(),
            ..self.clone()
        }
    }

    /// Returns the picture of the item, or else of its show if this is an entry of a network, with the
    /// media files among which the picture is.
    pub fn cover(&self) -> Option<(&Image, &[MediaFile])> {
        let own = self.item.image.as_ref().map(|image| (image, &*self.item.media));
        own.or_else(|| {
            let channel = self.channel.as_deref().filter(|_| self.item.is_episode())?;
            Some((channel.icon.as_ref()?, &*channel.media))
        })
    }

    /// Returns the authors of the item, or else of its show.
    pub fn authors<'a>(&'a self, channel: &'a Channel) -> &'a [Author] {
        let channel = self.channel.as_deref().unwrap_or(channel);
        if self.item.authors.is_empty() { &channel.authors } else { &self.item.authors }
    }

    /// Returns every name by which APIs and `/i/` find the item: the id, the segment and the aliases.
    /// The segments of items of an edition start with its name: `de/walk`.
    pub fn names(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let aliases = self.item.aliases.iter().map(Slug::as_str);
        let segments = [self.segment.as_str()].into_iter().chain(aliases);
        let segments = segments.map(|segment| match self.mount.trim_start_matches('/') {
            "" => Cow::Borrowed(segment),
            edition => Cow::Owned([edition, "/", segment].concat()),
        });
        [Cow::Borrowed(self.item.id.as_str())].into_iter().chain(segments)
    }

    /// Returns the path of the item's page, if the author chose it with a pattern.
    pub fn own_path(&self) -> Option<&str> {
        let path = self.path.strip_prefix(&*self.mount).unwrap_or(&self.path);
        let segment = path.strip_prefix("/i/").and_then(|rest| rest.strip_suffix('/'));
        (segment != Some(&*self.segment)).then_some(&*self.path)
    }

    /// Returns everything that only one item can have: its names, its path if the author chose it, and
    /// its [text](Self::text).
    pub fn keys(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let text = self.text().map(Cow::Owned);
        self.names().chain(self.own_path().map(Cow::Borrowed)).chain(text)
    }

    /// Returns the path of the file without its language, after the path of the language. Returns
    /// `None` on a site with one language.
    pub(super) fn text(&self) -> Option<String> {
        let path = self.item.text_path.as_deref()?;
        Some([&*self.mount, ":", path].concat())
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
