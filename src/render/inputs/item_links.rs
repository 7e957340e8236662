//! Links from an item's page to other items: the previous and next item, and items related by tags.

use std::cmp::Reverse;
use std::collections::HashMap;

use jiff::Timestamp;

use super::{Provider, SeriesPlace, Translation, attached};
use model::{Category, Channel, Config, MediaFile, SortOrder, Status};
use site::{FacetKind, ItemEntry, Snapshot};

/// Maximum number of related items on a page.
const MAX_RELATED: usize = 3;

/// Maximum number of items considered for each tag, newest first. The limit keeps the cost of a
/// page independent of the size of the site.
const MAX_ITEMS_PER_TAG: usize = 32;

/// Data about another item, for a link to that item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LinkedItem<'a> {
    pub segment: &'a str,
    /// The public path of the item's page.
    pub path: &'a str,
    pub title: &'a str,
    /// The first words of the body, for an item without a title.
    pub words: Option<String>,
    pub date_published: Option<Timestamp>,
    pub language: Option<&'a str>,
    pub picture: Option<LinkedPicture<'a>>,
    is_episode: bool,
}

/// The picture in a link to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinkedPicture<'a> {
    pub address: &'a str,
    /// The picture's file, if it is a local file.
    pub file: Option<&'a MediaFile>,
}

impl<'a> LinkedPicture<'a> {
    fn of_item(config: &Config, entry: &'a ItemEntry) -> Option<Self> {
        let (address, _) = entry.picture()?;
        Some(Self { address, file: config.medium(&entry.item.media, address) })
    }

    /// Returns the cover of the show.
    fn of_channel(config: &Config, channel: &'a Channel) -> Option<Self> {
        let address = &channel.icon.as_ref()?.url;
        Some(Self { address, file: config.medium(&channel.media, address) })
    }
}

impl<'a> LinkedItem<'a> {
    /// Returns a link without a picture.
    pub fn of(entry: &'a ItemEntry) -> Self {
        let item = &entry.item;
        Self {
            segment: &entry.segment,
            path: &entry.path,
            title: &item.title,
            words: item.title.is_empty().then(|| item.content.name(60)),
            date_published: item.date_published,
            language: item.language.as_deref(),
            picture: None,
            is_episode: attached(item, Category::Audio).is_some(),
        }
    }

    fn with_picture(snapshot: &Snapshot, entry: &'a ItemEntry) -> Self {
        let picture = LinkedPicture::of_item(&snapshot.config, entry);
        Self { picture, ..Self::of(entry) }
    }
}

/// The links from an item's page to other items. Links that no template uses are left out.
#[derive(Debug, Default, Hash)]
pub struct ItemLinks<'a> {
    /// The published item that precedes this item in time, in the same album if the item is in an
    /// album.
    pub previous: Option<LinkedItem<'a>>,
    /// The published item that follows this item in time, in the same album if the item is in an
    /// album.
    pub next: Option<LinkedItem<'a>>,
    /// Published items with common tags, the most closely related first.
    pub related: Vec<LinkedItem<'a>>,
    pub series: Option<SeriesPlace<'a>>,
    /// The item's translations, ordered by language tag.
    pub translations: Vec<&'a Translation>,
}

/// The kinds of links that the templates of item pages use.
#[derive(Debug, Clone, Copy)]
pub struct ItemLinkReads {
    pub neighbours: bool,
    pub related: bool,
}

impl<'a> Provider<'a> {
    pub(super) fn item_links(&self, entry: &'a ItemEntry, reads: ItemLinkReads) -> ItemLinks<'a> {
        let mut ways = ItemLinks::default();
        if reads.neighbours && entry.status == Status::Published {
            let album = self.album_of(entry);
            let list = album.map_or(&self.snapshot.published, |album| &album.entries);
            let [previous, next] = self.snapshot.neighbours(list, entry);
            let link = |entry| LinkedItem::with_picture(self.snapshot, entry);
            ways.previous = previous.map(link);
            ways.next = next.map(link);
        }
        ways.series = self.series_place(entry);
        ways.translations = self.translations_of_item(entry);
        if reads.related {
            let make = || RelatedItems::of(self.snapshot);
            let related = self.cache.related.get_or_init(make);
            ways.related = related.related_items_of(self.snapshot, entry);
        }
        ways.add_covers(self.snapshot);
        ways
    }
}

impl<'a> ItemLinks<'a> {
    /// Gives episodes without a picture the cover of the show. If no item has a picture, the links
    /// remain text, because the same cover several times would not help.
    fn add_covers(&mut self, snapshot: &'a Snapshot) {
        let neighbours = self.previous.iter_mut().chain(&mut self.next);
        let mut all: Vec<&mut LinkedItem<'a>> = neighbours.chain(&mut self.related).collect();
        if all.iter().any(|item| item.picture.is_some()) {
            let cover = LinkedPicture::of_channel(&snapshot.config, &snapshot.channel);
            for item in all.iter_mut().filter(|item| item.is_episode) {
                item.picture = item.picture.or(cover);
            }
        }
    }
}

/// An index of the published items by tag. Items are identified by rank, where 0 is the newest
/// item.
#[derive(Debug)]
pub struct RelatedItems {
    /// The sorted tags of each item, by the item's rank. A tag is an index into the snapshot's
    /// tags.
    tags: Vec<Vec<u32>>,
    /// The newest items of each tag, and the tag's weight.
    of_tag: Vec<(Vec<u32>, u32)>,
}

impl RelatedItems {
    fn of(snapshot: &Snapshot) -> Self {
        let tags = snapshot.facets.all(FacetKind::Tag);
        let numbers = tags.iter().zip(0..);
        let numbers: HashMap<&str, u32> = numbers.map(|(tag, at)| (&*tag.slug, at)).collect();
        let all = snapshot.published.len();
        let mut index = Self {
            tags: vec![Vec::new(); all],
            of_tag: tags.iter().map(|tag| (Vec::new(), weight(all, tag.entries.len()))).collect(),
        };
        for (entry, at) in snapshot.published.iter().zip(0..) {
            let slugs = entry.tags.iter().flatten();
            let mut tags: Vec<u32> =
                slugs.filter_map(|slug| numbers.get(slug.as_str()).copied()).collect();
            tags.sort_unstable();
            tags.dedup();
            index.tags[rank(snapshot, at)] = tags;
        }
        for (tags, rank) in index.tags.iter().zip(0..) {
            for tag in tags {
                let (newest, _) = &mut index.of_tag[*tag as usize];
                if newest.len() < MAX_ITEMS_PER_TAG {
                    newest.push(rank);
                }
            }
        }
        index
    }

    fn related_items_of<'a>(
        &self,
        snapshot: &'a Snapshot,
        entry: &ItemEntry,
    ) -> Vec<LinkedItem<'a>> {
        let own = entry.tags.iter().flatten();
        let number = |slug: &str| snapshot.facets.position(FacetKind::Tag, slug);
        let mut own: Vec<usize> = own.filter_map(|slug| number(slug.as_str())).collect();
        own.sort_unstable();
        own.dedup();
        let mut near: Vec<u32> = Vec::new();
        for tag in &own {
            near.extend(&self.of_tag[*tag].0);
        }
        // Sorting is fast, because the items of each tag are already in order.
        near.sort();
        near.dedup();
        let in_common = |rank: u32| -> u32 {
            let tags = self.tags[rank as usize].iter();
            let shared = tags.filter(|tag| own.contains(&(**tag as usize)));
            shared.map(|tag| self.of_tag[*tag as usize].1).sum()
        };
        let mut near: Vec<(Reverse<u32>, u32)> =
            near.into_iter().map(|rank| (Reverse(in_common(rank)), rank)).collect();
        // Keep one more than needed, because the item itself may be among the first items.
        if near.len() > MAX_RELATED + 1 {
            near.select_nth_unstable(MAX_RELATED);
            near.truncate(MAX_RELATED + 1);
        }
        near.sort_unstable();
        let near = near.into_iter();
        let near = near.filter_map(|(_, at)| snapshot.published.get(rank(snapshot, at as usize)));
        near.filter(|other| other.item.id != entry.item.id)
            .take(MAX_RELATED)
            .map(|other| LinkedItem::with_picture(snapshot, other))
            .collect()
    }
}

/// Converts an item's index among the published items to its rank, or a rank to the index.
fn rank(snapshot: &Snapshot, place: usize) -> usize {
    match snapshot.config.feed.order {
        SortOrder::Desc => place,
        SortOrder::Asc => snapshot.published.len() - 1 - place,
    }
}

/// Returns the weight of a tag: the binary logarithm of its rarity plus 4, in sixteenths. `all` is
/// the number of all items, `with_it` the number of items with the tag. With the added 4, two
/// common tags outweigh a single tag that is only slightly rarer.
fn weight(all: usize, with_it: usize) -> u32 {
    let rarity = (all << 8) / with_it.max(1);
    let octave = rarity.max(16).ilog2();
    let sixteenths = (rarity >> (octave - 4)) & 15;
    // Scaling the rarity by 256 added 8 to the logarithm. Subtracting 4 leaves the intended 4.
    (octave - 4) * 16 + u32::try_from(sixteenths).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_tags_weigh_more_than_common_tags_unless_two_are_shared() {
        assert!(weight(1000, 2) > weight(1000, 3));
        assert_eq!(weight(1000, 1000), 64);
        assert!(2 * weight(1000, 500) > weight(1000, 100));
        assert!(2 * weight(1000, 900) < weight(1000, 5));
    }
}
