//! The snapshot's data and its lookups.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;

use super::calendar::Calendars;
use super::facets::Facets;
use super::item_counts::ItemCounts;
use super::item_entry::{Entries, ItemEntry, entry_index};
use super::linking_items::LinkingItems;
use super::names::{Names, in_language};
use super::paths;
use super::recordings::TaggedRecordings;
use model::podcast::LiveItem;
use model::{
    Channel, Config, Item, List, MediaFile, Page, Pictures, Planet, Recordings, Redirect,
    SharedMap, SiteFile, SortOrder, Status, Visibility, contains_formula, folded,
};
use source::sources::{FromFile, Sources};
use words::ENGLISH;

/// A page as part of a site.
#[derive(Debug, Clone, PartialEq)]
pub struct PageEntry {
    pub page: Arc<Page>,
    /// The page's effective status in this run.
    pub status: Status,
    /// The path of the page's language, such as `/de`. Empty for the default language, and in an
    /// edition.
    pub mount: String,
    /// A hash that changes whenever any part of the entry changes.
    pub fingerprint: u64,
}

/// Hashes the fingerprint, which covers everything that is read from the file, with id, slug and
/// status.
impl Hash for PageEntry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.fingerprint, &self.page.id).hash(state);
        (&self.page.slug, self.status).hash(state);
    }
}

impl PageEntry {
    /// Returns the public path of the page.
    pub fn path(&self) -> String {
        [&self.mount, &*paths::page(self.page.slug.as_str())].concat()
    }
}

/// One immutable state of a site.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub root: Arc<Path>,
    /// The site's configuration.
    pub config: Config,
    pub channel: Arc<Channel>,
    /// All items, in feed order.
    pub entries: List<Arc<ItemEntry>>,
    /// The published items, in feed order.
    pub published: List<Arc<ItemEntry>>,
    /// All pages except the 404 page, in navigation order.
    pub pages: Vec<PageEntry>,
    /// The author's 404 page, or the built-in 404 page.
    pub not_found: PageEntry,
    pub site_files: Vec<Arc<SiteFile>>,
    /// Drafts of site files, which are not published.
    pub site_file_drafts: Vec<Arc<SiteFile>>,
    pub calendars: Arc<Calendars>,
    /// The live shows in the feed, from the calendars, ordered by start.
    pub shows: Vec<LiveItem>,
    /// The redirects of `content/redirects.toml`.
    pub redirects: Arc<Vec<Redirect>>,
    /// The items of feeds from elsewhere.
    pub planet: Arc<Planet>,
    /// The media files to publish, sorted by public path.
    pub media: Arc<Vec<MediaFile>>,
    /// The source of resized pictures. `None` if the snapshot is not published.
    pub pictures: Option<Arc<dyn Pictures>>,
    /// Writes the tags of recordings. `None` if the snapshot is not published.
    pub recordings: Option<Arc<dyn Recordings>>,
    /// The tags, seasons, authors, albums and series of published items.
    pub facets: Facets,
    /// The time this snapshot was made for. Anything dated later is left out.
    pub now: Timestamp,
    /// Items that are drafts or dated later than `now`, in feed order.
    pub waiting: List<Arc<ItemEntry>>,
    /// The kinds of unpublished content, such as drafts, that this run shows.
    pub(super) visibility: Visibility,
    /// The newest past date of published items and pages.
    pub(super) last_changed: Option<Timestamp>,
    /// The newest and the next date of published items.
    pub(super) item_dates: ItemDates,
    /// The numbers of `entries` with rare properties.
    pub(super) item_counts: ItemCounts,
    /// The item of each id, segment and alias.
    pub(super) keys: Keys,
    /// The editions: the languages of the site, followed by its shows. If there are languages, their
    /// editions have all pages and feeds of the site, and this snapshot has only the documents that
    /// they share, such as media.
    pub editions: Vec<Edition>,
    /// The items in the feed, in feed order: the published items, without the items of shows if
    /// `content/items/` has published items.
    pub feed_items: List<Arc<ItemEntry>>,
    /// The public paths of recordings that several editions name.
    pub(super) shared_recordings: Arc<BTreeSet<String>>,
    /// Whether this is an edition of another snapshot, which has the documents that editions share.
    pub is_edition: bool,
    /// The network of a show that is published as a separate site.
    pub network: Option<Arc<Self>>,
    /// The items that link to each file. Computed when first needed.
    pub(super) linking: OnceLock<LinkingItems>,
    /// The names of items and pages. Computed when first needed.
    pub(super) names: OnceLock<Names>,
    /// The recordings that get tags. Computed when first needed.
    pub(super) tagged: OnceLock<TaggedRecordings>,
    /// Whether pages and published files have no errors and no conflicts.
    pub(super) has_no_errors: bool,
}

/// A part of a site with its own pages, feeds and search: the texts in one language, or a show.
#[derive(Debug, Clone)]
pub struct Edition {
    pub kind: EditionKind,
    /// The texts of the edition. Its `config.mount` is the path below which they are published.
    pub snapshot: Snapshot,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditionKind {
    /// The texts in the language with this tag.
    Language(String),
    /// The show with this name, the name of its folder in `shows/`.
    Show(String),
}

impl Edition {
    /// Returns the language tag of a language edition.
    pub fn language(&self) -> Option<&str> {
        match &self.kind {
            EditionKind::Language(tag) => Some(tag),
            EditionKind::Show(_) => None,
        }
    }

    /// Returns the edition of a show.
    pub fn of_show(snapshot: Snapshot) -> Self {
        let name = snapshot.config.content.show().unwrap_or_default().to_owned();
        Self { kind: EditionKind::Show(name), snapshot: Snapshot { is_edition: true, ..snapshot } }
    }

    /// Returns the name of a show.
    pub fn show(&self) -> Option<&str> {
        match &self.kind {
            EditionKind::Show(name) => Some(name),
            EditionKind::Language(_) => None,
        }
    }
}

/// Every id, segment and alias.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys {
    /// The item that owns a key, by the [`folded`] key.
    pub owners: SharedMap<Arc<ItemEntry>>,
    /// Whether no two items have the same key.
    pub are_distinct: bool,
}

/// The newest past date and the next future date among the publication and modification dates of
/// items.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ItemDates {
    /// The newest date that is not later than now.
    pub newest: Option<Timestamp>,
    /// A lower bound for the next date: the first date later than now, or an earlier time.
    pub next: Option<Timestamp>,
}

impl Snapshot {
    /// Returns the item with this id, segment or alias. Ignores case and Unicode form.
    pub fn find(&self, key: &str) -> Option<&Arc<ItemEntry>> {
        self.keys.owners.get(&folded(key))
    }

    /// Returns the index in `entries` of the item with this id, segment or alias. Ignores case and
    /// Unicode form.
    pub fn position(&self, key: &str) -> Option<usize> {
        self.find(key).and_then(|entry| self.place_of(&entry.item))
    }

    /// Returns the index of an item in `entries`.
    pub(super) fn place_of(&self, item: &Item) -> Option<usize> {
        entry_index(&self.config, &self.entries, item).ok()
    }

    /// Returns the items directly before and after an item in a list in feed order, by the date that
    /// determines this order.
    pub fn neighbours<'e>(
        &self,
        list: &'e Entries,
        entry: &ItemEntry,
    ) -> [Option<&'e ItemEntry>; 2] {
        let Ok(at) = entry_index(&self.config, list, &entry.item) else {
            return [None, None];
        };
        let entry = |at: usize| list.get(at).map(AsRef::as_ref);
        let (above, below) = (at.checked_sub(1).and_then(entry), entry(at + 1));
        match self.config.feed.order {
            SortOrder::Desc => [below, above],
            SortOrder::Asc => [above, below],
        }
    }

    /// Returns whether no two items have the same id, segment or alias.
    pub fn has_distinct_keys(&self) -> bool {
        self.keys.are_distinct
    }

    /// Returns whether any body contains a formula. Pages with formulas need additional fonts.
    pub fn has_formulas(&self) -> bool {
        let entries = (self.item_counts.with_formula > 0).then(|| self.entries.iter());
        let entries = entries.into_iter().flatten().filter(|entry| entry.is_public());
        let pages = self.all_pages().filter(|entry| entry.status != Status::Unpublished);
        let events = self.calendars.public().flat_map(|entry| &entry.series);
        contains_formula(&self.channel.description_html)
            || { entries }.any(|entry| entry.item.content.has_formula)
            || { pages }.any(|entry| entry.page.content.has_formula)
            || { events }.any(|series| series.event.content.has_formula)
    }

    /// Returns whether an item's attachment is audio, including drafts.
    pub fn has_audio(&self) -> bool {
        self.item_counts.with_audio > 0
    }

    /// Returns the items that have former paths, including drafts.
    pub fn moved_items(&self) -> impl Iterator<Item = &Arc<ItemEntry>> {
        let entries = (self.item_counts.moved > 0).then(|| self.entries.iter());
        entries.into_iter().flatten().filter(|entry| !entry.item.former_paths.is_empty())
    }

    /// Returns the pages, including the 404 page of each language.
    pub fn all_pages(&self) -> impl Iterator<Item = &PageEntry> + Clone {
        self.pages.iter().chain(self.not_found_pages())
    }

    /// Returns the page with this id, including the 404 pages.
    pub fn page(&self, id: &str) -> Option<&PageEntry> {
        self.all_pages().find(|entry| entry.page.id.as_str() == id)
    }

    /// Returns the files of the items and pages with a name. A link by name works only if it finds
    /// exactly one file in the text's language.
    pub fn files_named(&self, name: &str, language: Option<&str>) -> Vec<&str> {
        let names = self.names.get_or_init(|| {
            // The snapshot of a show has the names of the show's items.
            let own = self.entries.iter().filter(|entry| entry.channel.is_none());
            let items = own.map(|entry| &*entry.item);
            Names::of(items, self.all_pages().map(|entry| &*entry.page))
        });
        let files = names.files(name);
        let languages = &self.config.languages;
        if languages.others.is_empty() || files.len() < 2 {
            return files;
        }
        let own = languages.index(language);
        in_language(files, own, |file| languages.index(self.language_of_file(file)))
    }

    /// Returns the language that the file of an item, page or event states.
    pub fn language_of_file(&self, file: &str) -> Option<&str> {
        let mut items = self.entries.iter().map(|entry| &entry.item);
        let mut pages = self.pages.iter().map(|entry| &entry.page);
        let item = items.find(|item| item.source.as_str() == file);
        let page = || pages.find(|page| page.file() == file)?.language.as_deref();
        let language = item.map_or_else(page, |item| item.language.as_deref());
        language.or_else(|| Some(self.config.languages.of_name(file)?.0))
    }

    /// Whether all items belong to shows. Only the shows then have complete feeds and home pages.
    pub fn has_only_shows(&self) -> bool {
        self.feed_items.iter().next().is_some_and(|entry| entry.channel.is_some())
    }

    /// Returns the range of the feed's items that are in the documents of the feed.
    pub fn in_feed(&self) -> Range<usize> {
        let (all, feed) = (self.feed_items.len(), &self.config.feed);
        if feed.archive && !self.has_only_shows() || all <= feed.limit {
            return 0..all;
        }
        match feed.order {
            SortOrder::Desc => 0..feed.limit,
            SortOrder::Asc => all - feed.limit..all,
        }
    }

    /// Returns the newest date of published content, which is the date of the feeds. It depends
    /// only on the content, so two builds of the same files are identical.
    pub fn last_changed(&self) -> Option<Timestamp> {
        self.last_changed
    }

    /// Returns how many items and pages are unpublished, and how many are dated in the future.
    pub fn count_unpublished(&self) -> (usize, usize) {
        let items = self.entries.iter().map(|entry| (entry.item.status, entry.status));
        let pages = self.pages.iter().map(|entry| (entry.page.status, entry.status));
        let hidden = items.chain(pages).filter(|(_, shown)| *shown == Status::Unpublished);
        let (unresolved_entries, waiting): (Vec<_>, Vec<_>) =
            hidden.partition(|(own, _)| *own == Status::Unpublished);
        (unresolved_entries.len(), waiting.len())
    }

    /// Returns whether no body and no description links into the site.
    pub fn has_no_links(&self) -> bool {
        let items = self.entries.iter().map(|entry| &entry.item.content.links);
        let pages = self.all_pages().map(|entry| &entry.page.content.links);
        let events = self.calendars.bodies().map(|event| &event.content.links);
        items.chain(pages).chain(events).chain([&self.channel.links]).all(Vec::is_empty)
    }

    /// Returns the site's language: the channel's language, or English.
    pub fn language(&self) -> &str {
        self.channel.language.as_deref().unwrap_or(ENGLISH)
    }

    /// Returns the year for copyright notices, in UTC.
    pub fn year(&self) -> i16 {
        self.now.to_zoned(jiff::tz::TimeZone::UTC).year()
    }
}

/// The previous snapshot, from which the next snapshot is made.
#[derive(Debug, Clone, Copy)]
pub struct Previous<'a> {
    pub snapshot: &'a Snapshot,
    /// The files that the snapshot was made from.
    pub sources: &'a Sources,
    /// The files of each show, by its name.
    pub shows: Option<&'a BTreeMap<String, Sources>>,
}

impl<'a> Previous<'a> {
    pub(super) fn has_shows(&self) -> bool {
        self.snapshot.network_shows().next().is_some()
    }

    /// Returns the previous snapshot of a show.
    pub(super) fn of_show(&self, name: &str) -> Option<Self> {
        let mut shows = self.snapshot.network_shows();
        let (_, snapshot) = shows.find(|(own, _)| *own == name)?;
        Some(Self { snapshot, sources: self.shows?.get(name)?, shows: None })
    }
}

/// Returns the newest past date of published pages.
pub fn newest_page_date(pages: &[PageEntry], now: Timestamp) -> Option<Timestamp> {
    let pages = pages
        .iter()
        .filter(|entry| entry.status == Status::Published)
        .flat_map(|entry| [entry.page.date_modified, entry.page.date_published]);
    pages.flatten().filter(|date| *date <= now).max()
}
