//! An item as part of the site, and lists of them in the order of the feed.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};

use super::feed_order::compare;
use model::{Config, Item, List, Slug, Status};

/// Items in the order of the feed.
pub type Entries = List<Arc<ItemEntry>>;

/// An item as part of the site.
#[derive(Debug, Clone)]
pub struct ItemEntry {
    pub item: Arc<Item>,
    /// The status this run treats it as ([`model::Visibility`]).
    pub status: Status,
    /// The segment of its public path.
    pub segment: String,
    /// The segment of each tag's public path, in the order of the item's tags; none for a tag that
    /// has no letter and no digit.
    pub tags: Vec<Option<Slug>>,
    /// The same of each of its own authors.
    pub authors: Vec<Option<Slug>>,
    /// Changes whenever anything of it changes.
    pub fingerprint: u64,
    /// The item as it was read, while the library still holds it: if the next reading gives the same one,
    /// this entry is used again.
    pub(super) made_of: Weak<Item>,
}

/// Its fingerprint stands for all that its file decides, its id and segment too.
impl Hash for ItemEntry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.fingerprint, self.status).hash(state);
    }
}

impl ItemEntry {
    /// Whether it has a page.
    pub fn is_public(&self) -> bool {
        self.status != Status::Unpublished
    }

    pub fn is_published(&self) -> bool {
        self.status == Status::Published
    }

    /// Every name under `/i/`: its id, its segment, its aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let aliases = self.item.aliases.iter().map(Slug::as_str);
        [self.item.id.as_str(), self.segment.as_str()].into_iter().chain(aliases)
    }

    /// Whether it has a chapters document on this site.
    pub fn has_chapters(&self) -> bool {
        self.is_public() && !self.item.podcast.chapters.is_empty()
    }

    /// The number of its season: Podcasting 2.0's, or else Apple's.
    pub fn season(&self) -> Option<i64> {
        let season = self.item.podcast.season.as_ref();
        let number = season.map(|season| season.number);
        number.or(self.item.itunes.season.map(i64::from))
    }
}

/// Where an item stands in a list in the order of the feed. Err is where it would.
pub fn place(config: &Config, entries: &Entries, item: &Item) -> Result<usize, usize> {
    let at = entries.partition_point(|entry| compare(config, &entry.item, item).is_lt());
    let is_there = |entry: &Arc<ItemEntry>| compare(config, &entry.item, item).is_eq();
    if entries.get(at).is_some_and(is_there) { Ok(at) } else { Err(at) }
}

pub fn take_out(config: &Config, list: &mut Entries, entry: &Arc<ItemEntry>) {
    if let Ok(at) = place(config, list, &entry.item) {
        list.remove(at);
    }
}

pub fn put_in(config: &Config, list: &mut Entries, entry: &Arc<ItemEntry>) {
    let (Ok(at) | Err(at)) = place(config, list, &entry.item);
    list.insert(at, Arc::clone(entry));
}
