//! What a snapshot holds.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;

use super::calendar::Calendars;
use super::facets::Facets;
use super::item_entry::{ItemEntry, place};
use super::linking_items::LinkingItems;
use super::names::Names;
use model::podcast::LiveItem;
use model::{
    Channel, Config, Item, List, MediaFile, Page, Pictures, Redirect, SharedMap, SiteFile,
    SortOrder, Status, Visibility, folded, holds_formula,
};
use source::sources::Sources;
use words::ENGLISH;

/// A Page as part of the site.
#[derive(Debug, Clone, PartialEq)]
pub struct PageEntry {
    pub page: Arc<Page>,
    /// The status this run treats it as.
    pub status: Status,
    /// Changes whenever anything of it changes.
    pub fingerprint: u64,
}

/// Its fingerprint stands for all that its file decides.
impl Hash for PageEntry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.fingerprint, &self.page.id).hash(state);
        (&self.page.slug, self.status).hash(state);
    }
}

/// One immutable state of a site.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub root: Arc<Path>,
    /// How the site is built.
    pub config: Config,
    pub channel: Arc<Channel>,
    /// All items, in feed order.
    pub entries: List<Arc<ItemEntry>>,
    /// The published ones, in feed order.
    pub published: List<Arc<ItemEntry>>,
    /// All Pages but the 404 Page, in the order of navigation.
    pub pages: Vec<PageEntry>,
    /// The 404 Page: the author's, or the built-in one.
    pub not_found: PageEntry,
    pub site_files: Vec<Arc<SiteFile>>,
    /// Their drafts, which are not published.
    pub site_file_drafts: Vec<Arc<SiteFile>>,
    pub calendars: Arc<Calendars>,
    /// The live shows in the feed, from the calendars, in the order of their starts.
    pub shows: Vec<LiveItem>,
    /// What `content/redirects.toml` says.
    pub redirects: Arc<Vec<Redirect>>,
    /// The files to publish, by public path.
    pub media: Arc<Vec<MediaFile>>,
    /// Who makes the sizes of pictures; nobody where nothing is published.
    pub pictures: Option<Arc<dyn Pictures>>,
    /// What published items have in common.
    pub facets: Facets,
    /// The time this snapshot was made for: what is dated later is left out.
    pub now: Timestamp,
    /// The items that are drafts or dated later than now, in feed order.
    pub waiting: List<Arc<ItemEntry>>,
    /// What is shown beside what is public now.
    pub(super) visibility: Visibility,
    /// The newest date of what is published.
    pub(super) last_changed: Option<Timestamp>,
    /// The dates of published items alone.
    pub(super) item_dates: ItemDates,
    /// Where each id, segment and alias leads.
    pub(super) keys: Keys,
    /// Which items link to which files; found when it is first needed.
    pub(super) linking: OnceLock<LinkingItems>,
    /// The names of items and Pages; found when they are first needed.
    pub(super) names: OnceLock<Names>,
    /// Whether Pages and published files do not contradict each other.
    pub(super) is_sound: bool,
}

/// Every id, segment and alias.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys {
    /// The item that has a key, by the [`folded`] key.
    pub owners: SharedMap<Arc<ItemEntry>>,
    /// Whether no two items have the same key.
    pub are_distinct: bool,
}

/// Dates of items: when they were published and last changed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ItemDates {
    /// The newest that is not later than now.
    pub newest: Option<Timestamp>,
    /// The first that is later than now, or an earlier time.
    pub next: Option<Timestamp>,
}

impl Snapshot {
    /// The item with this id, segment or alias, in whatever case and Unicode form it is written.
    pub fn find(&self, key: &str) -> Option<&Arc<ItemEntry>> {
        self.keys.owners.get(&folded(key))
    }

    /// The index in `entries` of the item with this id, segment or alias, in whatever case and Unicode
    /// form it is written.
    pub fn position(&self, key: &str) -> Option<usize> {
        self.find(key).and_then(|entry| self.place_of(&entry.item))
    }

    /// The index in `entries` of an item.
    pub(super) fn place_of(&self, item: &Item) -> Option<usize> {
        place(&self.config, &self.entries, item).ok()
    }

    /// The published items before and after a published one in time: by the date that the feed is sorted by.
    pub fn neighbours(&self, entry: &ItemEntry) -> [Option<&ItemEntry>; 2] {
        let Ok(at) = place(&self.config, &self.published, &entry.item) else {
            return [None, None];
        };
        let entry = |at: usize| self.published.get(at).map(AsRef::as_ref);
        let (above, below) = (at.checked_sub(1).and_then(entry), entry(at + 1));
        match self.config.feed.order {
            SortOrder::Desc => [below, above],
            SortOrder::Asc => [above, below],
        }
    }

    /// Whether no two items have the same id, segment or alias.
    pub fn has_distinct_keys(&self) -> bool {
        self.keys.are_distinct
    }

    /// Whether a text has a formula, for which pages need fonts.
    pub fn has_formulas(&self) -> bool {
        let entries = self.entries.iter().filter(|entry| entry.is_public());
        let pages = self.pages.iter().chain([&self.not_found]);
        let pages = pages.filter(|entry| entry.status != Status::Unpublished);
        let events = self.calendars.public().flat_map(|entry| &entry.series);
        holds_formula(&self.channel.description_html)
            || { entries }.any(|entry| entry.item.content.has_formula)
            || { pages }.any(|entry| entry.page.content.has_formula)
            || { events }.any(|series| series.event.content.has_formula)
    }

    /// The Page with this id, the 404 Page among them.
    pub fn page(&self, id: &str) -> Option<&PageEntry> {
        let mut pages = self.pages.iter().chain([&self.not_found]);
        pages.find(|entry| entry.page.id.as_str() == id)
    }

    /// The files of the items and Pages that have a name. A link by a name leads somewhere if it is one.
    pub fn files_named(&self, name: &str) -> Vec<&str> {
        let names = self.names.get_or_init(|| {
            let items = self.entries.iter().map(|entry| &*entry.item);
            let pages = self.pages.iter().chain([&self.not_found]);
            Names::of(items, pages.map(|entry| &*entry.page))
        });
        names.files(name)
    }

    /// Which of the published items are in the documents of the feed.
    pub fn in_feed(&self) -> Range<usize> {
        let (all, feed) = (self.published.len(), &self.config.feed);
        if feed.archive || all <= feed.limit {
            return 0..all;
        }
        match feed.order {
            SortOrder::Desc => 0..feed.limit,
            SortOrder::Asc => all - feed.limit..all,
        }
    }

    /// The newest date of anything published: the date of the feeds. It comes from the content alone, so
    /// that two builds of the same files are the same.
    pub fn last_changed(&self) -> Option<Timestamp> {
        self.last_changed
    }

    /// How many items and Pages are left out: unpublished ones, and ones that wait for their date.
    pub fn left_out(&self) -> (usize, usize) {
        let items = self.entries.iter().map(|entry| (entry.item.status, entry.status));
        let pages = self.pages.iter().map(|entry| (entry.page.status, entry.status));
        let hidden = items.chain(pages).filter(|(_, shown)| *shown == Status::Unpublished);
        let (drafts, waiting): (Vec<_>, Vec<_>) =
            hidden.partition(|(own, _)| *own == Status::Unpublished);
        (drafts.len(), waiting.len())
    }

    /// Whether no body and no description links into the site.
    pub fn has_no_links(&self) -> bool {
        let items = self.entries.iter().map(|entry| &entry.item.content.links);
        let pages =
            self.pages.iter().chain([&self.not_found]).map(|entry| &entry.page.content.links);
        let events = self.calendars.bodies().map(|event| &event.content.links);
        items.chain(pages).chain(events).chain([&self.channel.links]).all(Vec::is_empty)
    }

    /// The language of the site: the channel's, or English.
    pub fn language(&self) -> &str {
        self.channel.language.as_deref().unwrap_or(ENGLISH)
    }

    /// The year of copyright notices, UTC.
    pub fn year(&self) -> i16 {
        self.now.to_zoned(jiff::tz::TimeZone::UTC).year()
    }
}

/// What a new snapshot goes on from.
#[derive(Debug, Clone, Copy)]
pub struct Previous<'a> {
    pub snapshot: &'a Snapshot,
    /// The files that it was made of.
    pub sources: &'a Sources,
}
