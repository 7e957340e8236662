//! The inputs of HTML pages.

use jiff::Timestamp;

use super::item_links::{ItemLinkReads, ItemLinks};
use super::shown_item::ShownItem;
use super::transcript::ShownTranscript;
use super::{Crumb, Provider, ShownTree, SwitchLanguage, Translation, Upcoming, Viewer, page_of};
use site::{ItemEntry, PageEntry, paths};
use theme::Slot;

/// The template key of the channel's live items.
const SHOWS: &str = "liveItems";

/// The template key of an item's transcript.
const TRANSCRIPT: &str = "transcript";

/// The template key of the upcoming events.
const UPCOMING: &str = "upcoming_events";

/// The template key of the tree of pages.
const PAGE_TREE: &str = "page_tree";

/// The template keys of a page's neighbours in the tree.
const PAGE_NEIGHBOURS: [&str; 2] = ["previous_page", "next_page"];

/// The template keys of a page's dates.
const PAGE_DATES: [&str; 2] = ["date_created", "date_modified"];

/// The template keys of an item's neighbours in time.
const NEIGHBOURS: [&str; 2] = ["previous_item", "next_item"];

/// The template key of items with common tags.
const RELATED: &str = "related_items";

/// The template key of the newest items, on the 404 page.
const NEWEST: &str = "newest_items";

/// The inputs for everything around the main content on the pages of one slot.
#[derive(Debug, Clone, Hash)]
pub struct FrameInputs<'a> {
    /// The live shows, if any template of the theme uses them. They are part of the channel's
    /// podcast tags, which templates can also test as a whole.
    pub shows: Option<Viewer<'a>>,
    /// The upcoming events, if a template of these pages uses them.
    pub upcoming: Option<&'a Upcoming>,
    /// The first items of the feed, if a template of these pages uses them and the pages list no
    /// other items. The 404 page has them too, if its template uses them.
    pub newest: Option<Vec<ShownItem<'a>>>,
    /// The tree of pages, if a template of these pages uses it.
    pub page_tree: Option<ShownTree<'a>>,
    /// The language switch. Empty on a site with one language.
    pub switch: Vec<SwitchLanguage<'a>>,
}

#[derive(Debug, Hash)]
pub struct ItemPage<'a> {
    pub item: ShownItem<'a>,
    pub item_links: Box<ItemLinks<'a>>,
    /// The breadcrumbs above the item, starting with the home page. Empty on the embed page.
    pub above: Vec<Crumb<'a>>,
    /// The item's transcript, if a template of these pages uses it.
    pub transcript: Option<ShownTranscript<'a>>,
    pub frame: FrameInputs<'a>,
}

/// A page, or the 404 page.
#[derive(Debug, Hash)]
pub struct PageInputs<'a> {
    pub entry: &'a PageEntry,
    /// The breadcrumbs above the page, starting with the home page.
    pub above: Vec<Crumb<'a>>,
    /// The date of the newest item, for a page without dates. Set only if a template of pages shows
    /// dates.
    pub date: Option<Timestamp>,
    /// The previous and next pages in the tree, if a template of pages uses them.
    pub neighbours: [Option<Crumb<'a>>; 2],
    /// The page's translations, ordered by language tag.
    pub translations: Vec<&'a Translation>,
    pub frame: FrameInputs<'a>,
}

/// The optional data that the templates of a slot's pages read.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotReads {
    shows: bool,
    upcoming: bool,
    items: bool,
    page_tree: bool,
    /// Used only on pages.
    page_neighbours: bool,
    page_dates: bool,
    /// Used only on the 404 page.
    newest: bool,
    /// Used only on item pages.
    item_links: ItemLinkReads,
    transcript: bool,
}

impl SlotReads {
    const ALL: Self = Self {
        shows: true,
        upcoming: true,
        items: true,
        page_tree: true,
        page_neighbours: true,
        page_dates: true,
        newest: true,
        item_links: ItemLinkReads { neighbours: true, related: true },
        transcript: true,
    };
}

impl<'a> Provider<'a> {
    pub(super) fn item(&self, entry: &'a ItemEntry) -> ItemPage<'a> {
        let reads = self.reads_of(Slot::WebItem);
        self.item_page(entry, reads)
    }

    /// Returns the inputs of an item's embed page.
    pub(super) fn embed(&self, entry: &'a ItemEntry) -> ItemPage<'a> {
        let reads = self.reads_of(Slot::WebEmbed);
        self.item_with(entry, reads)
    }

    /// Returns the inputs of an item's page as if its templates read everything.
    pub fn complete_item(&self, entry: &'a ItemEntry) -> ItemPage<'a> {
        self.item_page(entry, SlotReads::ALL)
    }

    fn item_page(&self, entry: &'a ItemEntry, reads: SlotReads) -> ItemPage<'a> {
        let page = self.item_with(entry, reads);
        ItemPage { above: self.above_item(&page.item), ..page }
    }

    fn item_with(&self, entry: &'a ItemEntry, reads: SlotReads) -> ItemPage<'a> {
        let transcript = || ShownTranscript::of(self.snapshot, entry);
        let item_links = self.item_links(entry, reads.item_links);
        let switch = self.switch(&entry.path, &item_links.translations);
        let frame = self.frame_in(reads, entry.item.language.as_deref(), switch);
        ItemPage {
            item: self.shown(entry),
            item_links: Box::new(item_links),
            above: Vec::new(),
            transcript: reads.transcript.then(transcript).flatten(),
            frame,
        }
    }

    pub fn page(&self, entry: &'a PageEntry) -> PageInputs<'a> {
        let mut reads = self.reads_of(Slot::WebPage);
        reads.items |= reads.newest && entry.page.is_not_found_page();
        let tree = || self.page_tree(entry.page.language.as_deref(), Some(entry));
        let neighbours = reads.page_neighbours.then(|| tree().neighbours());
        let translations = self.translations_of_page(entry);
        let path = if entry.page.is_not_found_page() { paths::home(1) } else { entry.path() };
        PageInputs {
            entry,
            above: self.above_page(entry),
            date: reads.page_dates.then(|| self.fallback_date(entry)).flatten(),
            neighbours: neighbours.unwrap_or_default(),
            frame: FrameInputs {
                page_tree: reads.page_tree.then(tree),
                ..self.frame_with(reads, self.switch(&path, &translations))
            },
            translations,
        }
    }

    /// Returns the date of the newest published item if the page has no date.
    fn fallback_date(&self, entry: &PageEntry) -> Option<Timestamp> {
        let page = &entry.page;
        let items = self.snapshot.published.iter();
        match page.updated().or(page.date_created) {
            Some(_) => None,
            None => items.filter_map(|entry| entry.item.date_published).max(),
        }
    }

    pub(super) fn frame(&self, slot: Slot) -> FrameInputs<'a> {
        self.frame_at(slot, &paths::home(1))
    }

    /// Returns the frame of a list at this path, which other languages may have too.
    pub(super) fn frame_at(&self, slot: Slot, path: &str) -> FrameInputs<'a> {
        self.frame_with(self.reads_of(slot), self.switch(path, &[]))
    }

    /// Returns the frame of page `n` of a list whose first page has this path.
    pub(super) fn frame_of_list(&self, path: &str, n: usize) -> FrameInputs<'a> {
        let mut frame = self.frame_at(Slot::WebFeed, path);
        self.at_list_page(&mut frame.switch, n);
        frame
    }

    /// Returns the frame of a list that belongs to a page.
    pub(super) fn frame_around(&self, slot: Slot, entry: &PageEntry) -> FrameInputs<'a> {
        let reads = self.reads_of(slot);
        let tree = || self.page_tree(entry.page.language.as_deref(), Some(entry));
        let switch = self.switch(&entry.path(), &self.translations_of_page(entry));
        FrameInputs { page_tree: reads.page_tree.then(tree), ..self.frame_with(reads, switch) }
    }

    fn reads_of(&self, slot: Slot) -> SlotReads {
        *self.cache.slots[slot as usize].get_or_init(|| self.reads(slot))
    }

    /// Returns the frame of pages as if their templates read everything.
    pub fn complete_frame(&self) -> FrameInputs<'a> {
        self.frame_with(SlotReads::ALL, self.switch(&paths::home(1), &[]))
    }

    /// Returns the frame of an item's pages in a slot.
    pub(super) fn frame_of_item(&self, slot: Slot, entry: &ItemEntry) -> FrameInputs<'a> {
        let switch = self.switch(&entry.path, &self.translations_of_item(entry));
        self.frame_in(self.reads_of(slot), entry.item.language.as_deref(), switch)
    }

    fn frame_with(&self, reads: SlotReads, switch: Vec<SwitchLanguage<'a>>) -> FrameInputs<'a> {
        self.frame_in(reads, None, switch)
    }

    /// Returns the frame of pages. `language` is the page's language, if it differs from the
    /// site's.
    fn frame_in(
        &self,
        reads: SlotReads,
        language: Option<&str>,
        switch: Vec<SwitchLanguage<'a>>,
    ) -> FrameInputs<'a> {
        let per_page = self.snapshot.config.feed.items_per_page;
        let newest = || self.shown_items(page_of(&self.snapshot.published, 1, per_page));
        FrameInputs {
            shows: reads.shows.then(|| self.shows()),
            upcoming: reads.upcoming.then(|| self.upcoming()),
            newest: reads.items.then(newest),
            page_tree: reads.page_tree.then(|| self.page_tree(language, None)),
            switch,
        }
    }

    fn reads(&self, slot: Slot) -> SlotReads {
        let has_items = matches!(slot, Slot::WebItem | Slot::WebEmbed | Slot::WebFeed);
        SlotReads {
            shows: self.theme.mentions(SHOWS),
            upcoming: self.theme.reads(slot, UPCOMING),
            items: !has_items && self.theme.reads(slot, "items"),
            page_tree: self.theme.reads(slot, PAGE_TREE),
            page_neighbours: PAGE_NEIGHBOURS.iter().any(|key| self.theme.reads(slot, key)),
            page_dates: slot == Slot::WebPage
                && PAGE_DATES.iter().any(|key| self.theme.reads(slot, key)),
            newest: slot == Slot::WebPage && self.theme.reads(slot, NEWEST),
            item_links: ItemLinkReads {
                neighbours: NEIGHBOURS.iter().any(|key| self.theme.reads(slot, key)),
                related: self.theme.reads(slot, RELATED),
            },
            transcript: slot == Slot::WebItem && self.theme.reads(slot, TRANSCRIPT),
        }
    }
}
