//! What HTML pages are made of.

use super::transcript::ShownTranscript;
use super::ways_on::{WaysOn, WaysRead};
use super::{Provider, Shows, Upcoming, page_of, pages_of};
use crate::model::{Slug, Status};
use crate::site::{ItemEntry, PageEntry, Tag};
use crate::theme::Slot;
use crate::words::Words;

/// The key of the channel's live items.
const SHOWS: &str = "liveItems";

/// The key of what was said in an item.
const TRANSCRIPT: &str = "transcript";

/// The key of the calendars' upcoming events.
const UPCOMING: &str = "upcoming_events";

/// The keys of an item's neighbours in time.
const NEIGHBOURS: [&str; 2] = ["previous_item", "next_item"];

/// The key of items that have tags in common with one.
const RELATED: &str = "related_items";

/// An item as a page or a list shows it.
#[derive(Debug, Clone, Hash)]
pub struct ShownItem<'a> {
    pub entry: &'a ItemEntry,
    /// Of each of its tags the slug, in their order; None for a tag without a page. A tag that only
    /// unlisted items have has none.
    pub tags: Vec<Option<&'a Slug>>,
}

/// What the pages of one slot show around their own content.
#[derive(Debug, Clone, Hash)]
pub struct FrameInputs<'a> {
    /// The live shows, where any template of the theme names them: they are part of the channel's podcast
    /// tags, which templates may test as a whole.
    pub shows: Option<Shows<'a>>,
    /// The upcoming events, where a template of these pages names them.
    pub upcoming: Option<&'a Upcoming>,
    /// The first items of the feed, where a template of these pages names them and they have no items of
    /// their own.
    pub newest: Option<Vec<ShownItem<'a>>>,
}

/// An item's page.
#[derive(Debug, Hash)]
pub struct ItemPage<'a> {
    pub item: ShownItem<'a>,
    pub ways_on: Box<WaysOn<'a>>,
    /// Its transcript, where a template of these pages names it.
    pub transcript: Option<ShownTranscript<'a>>,
    pub frame: FrameInputs<'a>,
}

/// A page of a list of items.
#[derive(Debug, Hash)]
pub struct ListPage<'a> {
    pub of: List<'a>,
    pub items: Vec<ShownItem<'a>>,
    /// The page's number, from 1.
    pub number: usize,
    /// How many pages the list has.
    pub count: usize,
    /// The events that the head of the first page tells of.
    pub events: Option<&'a Upcoming>,
    pub frame: FrameInputs<'a>,
}

impl ListPage<'_> {
    /// `Page 2 of 5`.
    pub fn text(&self, words: &Words) -> String {
        let [number, count] = [self.number, self.count].map(|n| words.number(n as u64));
        words.filled("page_of", &[("page", &number), ("pages", &count)])
    }
}

/// Which list.
#[derive(Debug, Clone, Copy, Hash)]
pub enum List<'a> {
    Home,
    Tag { name: &'a str, slug: &'a str },
}

/// A Page, or the 404 Page.
#[derive(Debug, Hash)]
pub struct PageInputs<'a> {
    pub entry: &'a PageEntry,
    pub frame: FrameInputs<'a>,
}

/// What the templates of a slot's pages read of a [`FrameInputs`].
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotReads {
    shows: bool,
    upcoming: bool,
    items: bool,
    /// Of item pages only.
    ways_on: WaysRead,
    transcript: bool,
}

impl SlotReads {
    const ALL: Self = Self {
        shows: true,
        upcoming: true,
        items: true,
        ways_on: WaysRead {
            neighbours: true,
            related: true,
        },
        transcript: true,
    };
}

impl<'a> Provider<'a> {
    pub(super) fn home(&self, n: usize) -> ListPage<'a> {
        let per_page = self.snapshot.config.feed.items_per_page;
        let entries = &self.snapshot.published;
        ListPage {
            of: List::Home,
            items: self.shown_items(page_of(entries, n, per_page)),
            number: n,
            count: pages_of(entries.len(), per_page),
            events: (n == 1).then(|| self.upcoming()),
            frame: self.frame(Slot::WebFeed),
        }
    }

    pub(super) fn tag(&self, tag: &'a Tag, n: usize) -> ListPage<'a> {
        let per_page = self.snapshot.config.feed.items_per_page;
        ListPage {
            of: List::Tag {
                name: &tag.name,
                slug: &tag.slug,
            },
            items: self.shown_items(page_of(&tag.entries, n, per_page)),
            number: n,
            count: pages_of(tag.entries.len(), per_page),
            events: None,
            frame: self.frame(Slot::WebFeed),
        }
    }

    pub(super) fn item(&self, entry: &'a ItemEntry) -> ItemPage<'a> {
        let reads = self.reads_of(Slot::WebItem);
        self.item_with(entry, reads)
    }

    /// The item as other sites show it.
    pub(super) fn embed(&self, entry: &'a ItemEntry) -> ItemPage<'a> {
        let reads = self.reads_of(Slot::WebEmbed);
        self.item_with(entry, reads)
    }

    /// The page of an item whose templates read everything.
    pub fn whole_item(&self, entry: &'a ItemEntry) -> ItemPage<'a> {
        self.item_with(entry, SlotReads::ALL)
    }

    fn item_with(&self, entry: &'a ItemEntry, reads: SlotReads) -> ItemPage<'a> {
        let transcript = || ShownTranscript::of(self.snapshot, entry);
        ItemPage {
            item: self.shown(entry),
            ways_on: Box::new(self.ways_on(entry, reads.ways_on)),
            transcript: reads.transcript.then(transcript).flatten(),
            frame: self.frame_with(reads),
        }
    }

    pub(super) fn page(&self, entry: &'a PageEntry) -> PageInputs<'a> {
        PageInputs {
            entry,
            frame: self.frame(Slot::WebPage),
        }
    }

    pub(super) fn frame(&self, slot: Slot) -> FrameInputs<'a> {
        self.frame_with(self.reads_of(slot))
    }

    fn reads_of(&self, slot: Slot) -> SlotReads {
        *self.cache.slots[slot as usize].get_or_init(|| self.reads(slot))
    }

    /// The frame of pages whose templates read everything.
    pub fn whole_frame(&self) -> FrameInputs<'a> {
        self.frame_with(SlotReads::ALL)
    }

    fn frame_with(&self, reads: SlotReads) -> FrameInputs<'a> {
        let per_page = self.snapshot.config.feed.items_per_page;
        let newest = || self.shown_items(page_of(&self.snapshot.published, 1, per_page));
        FrameInputs {
            shows: reads.shows.then(|| self.shows()),
            upcoming: reads.upcoming.then(|| self.upcoming()),
            newest: reads.items.then(newest),
        }
    }

    fn reads(&self, slot: Slot) -> SlotReads {
        let has_items = matches!(slot, Slot::WebItem | Slot::WebEmbed | Slot::WebFeed);
        SlotReads {
            shows: self.theme.mentions(SHOWS),
            upcoming: self.theme.reads(slot, UPCOMING),
            items: !has_items && self.theme.reads(slot, "items"),
            ways_on: WaysRead {
                neighbours: NEIGHBOURS.iter().any(|key| self.theme.reads(slot, key)),
                related: self.theme.reads(slot, RELATED),
            },
            transcript: slot == Slot::WebItem && self.theme.reads(slot, TRANSCRIPT),
        }
    }

    pub(super) fn shown_items(&self, entries: Vec<&'a ItemEntry>) -> Vec<ShownItem<'a>> {
        entries.into_iter().map(|entry| self.shown(entry)).collect()
    }

    pub fn shown(&self, entry: &'a ItemEntry) -> ShownItem<'a> {
        let has_page = |slug: &&Slug| self.has_page(entry, slug);
        let tags = entry.tags.iter();
        ShownItem {
            entry,
            tags: tags.map(|slug| slug.as_ref().filter(has_page)).collect(),
        }
    }

    fn has_page(&self, entry: &ItemEntry, tag: &Slug) -> bool {
        let is_known = || {
            let tags = &self.snapshot.tags;
            let found = tags.binary_search_by(|known| known.slug.as_str().cmp(tag.as_str()));
            found.is_ok()
        };
        // Every tag of a published item has one.
        self.snapshot.config.output.tags && (entry.status == Status::Published || is_known())
    }
}
