//! The items of a snapshot with their lookups, made from all items or from a previous snapshot and
//! the changes since.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;

use super::entries::{self, UnresolvedEntry};
use super::facets::Facets;
use super::item_counts::ItemCounts;
use super::item_entry::{Entries, ItemEntry, insert_entry, remove_entry};
use super::link_resolution::{PageUrls, resolved_entry};
use super::linking_items::{LinkingItems, key_of_name, keys};
use super::names::{NamedFile, Names};
use super::network::Network;
use super::snapshot::{ItemDates, Keys, Previous, Snapshot};
use super::{claims, paths};
use model::{Channel, Config, Item, Page, Report, Status, Visibility};
use source::sources::{FromFile, Sources, of_file};

/// Number of changed items above which gathering all items is faster than applying the changes.
/// Each change costs some microseconds, independent of the number of items.
const MAX_CHANGED_ITEMS: usize = 500;

/// An item and the fingerprint of its file.
type ReadItem = (Arc<Item>, u64);

/// The items of a snapshot with their lookups. The fields have the same names and meanings as in
/// [`Snapshot`].
pub struct Items {
    pub entries: Entries,
    pub published: Entries,
    pub waiting: Entries,
    pub facets: Facets,
    pub dates: ItemDates,
    pub counts: ItemCounts,
    pub keys: Keys,
    pub linking: OnceLock<LinkingItems>,
    pub names: OnceLock<Names>,
}

impl Items {
    /// Sorts all items, and reports duplicate ids, segments and aliases.
    pub fn of(
        root: &Path,
        (config, channel): (&Config, &Channel),
        unresolved_entries: Vec<UnresolvedEntry>,
        now: Timestamp,
        report: &mut Report,
    ) -> Self {
        let entries = entries::in_feed_order(unresolved_entries, config);
        Self::of_entries(root, (config, channel), entries, now, report)
    }

    /// Creates the lookups of entries in feed order, and reports duplicate ids, segments and aliases.
    pub fn of_entries(
        root: &Path,
        (config, channel): (&Config, &Channel),
        entries: Entries,
        now: Timestamp,
        report: &mut Report,
    ) -> Self {
        let lists = || {
            let published: Entries = entries.iter().filter(is_published).cloned().collect();
            let waiting = entries.iter().filter(|entry| is_waiting(entry, now));
            let facets = Facets::of(config, &published, channel);
            let dates = ItemDates::of(&published, now);
            let counts = ItemCounts::of(entries.iter());
            (published, waiting.cloned().collect(), facets, dates, counts)
        };
        let keys = || claims::keys(root, config, &entries, report);
        let (keys, (published, waiting, facets, dates, counts)) = rayon::join(keys, lists);
        Self {
            keys,
            waiting,
            facets,
            dates,
            counts,
            linking: OnceLock::new(),
            names: OnceLock::new(),
            published,
            entries,
        }
    }
}

/// The items that changed since a snapshot was made.
pub struct ItemChanges {
    /// Entries of the snapshot that were removed or replaced.
    pub gone: Vec<Arc<ItemEntry>>,
    /// Entries of changed items and of new items.
    pub new: Vec<Arc<ItemEntry>>,
    /// Whether the URL of a content file changed, or a link by name in a page, an event or the
    /// channel now points to another file.
    pub has_moved: bool,
    /// The current names of items and pages. Set if the previous snapshot had computed its names,
    /// or if a link needed the names.
    pub names: OnceLock<Names>,
}

impl ItemChanges {
    /// Finds the changes since `previous`. Returns `None` if so much changed that all items must be
    /// gathered.
    pub fn since(
        previous: &Previous<'_>,
        config: &Config,
        sources: &Sources,
        (network, visibility): (&Network, Visibility),
    ) -> Option<Self> {
        let snapshot = previous.snapshot;
        // Bodies contain translated words, so a new site language may affect every item.
        let fits = snapshot.keys.are_distinct
            && keeps_statuses(snapshot, visibility)
            && snapshot.channel.language == sources.channel.language;
        if !fits {
            return None;
        }
        let items = &sources.items;
        let (gone, new) = items.changes(
            &previous.sources.items,
            |(item, _)| item.walk_order_key(),
            |a, b| Arc::ptr_eq(&a.0, &b.0) && a.1 == b.1,
        );
        if gone.len() + new.len() > MAX_CHANGED_ITEMS {
            return None;
        }
        let changed = ChangedFiles::of(config, previous, sources, (&gone, &new));
        let moved = changed.moved();
        let mut relinked = BTreeMap::new();
        if !moved.is_empty() {
            let linking = snapshot.linking();
            let files = moved.iter().flat_map(|key| linking.linking_to(key));
            relinked = files.filter_map(|file| Some((file, of_file(items, file)?))).collect();
            for (item, _) in &new {
                relinked.remove(item.file());
            }
        }
        let names = snapshot.names.get().map(|names| changed.renamed(names));
        let names = names.map_or_else(OnceLock::new, OnceLock::from);
        let entry = |item: &Item| Some(Arc::clone(&snapshot.entries[snapshot.place_of(item)?]));
        let gone = gone.into_iter().map(|(item, _)| item);
        let gone: Option<Vec<_>> =
            gone.chain(relinked.values().map(|(item, _)| item)).map(|item| entry(item)).collect();
        let pages = sources.pages.iter().map(|(page, _)| &**page);
        let targets = PageUrls::of((config, &sources.channel, network), items, pages, &names);
        let new = new.into_iter().chain(relinked.into_values());
        let new = new.map(|read| {
            let status = visibility.effective(read.0.status, read.0.date_published);
            Arc::new(resolved_entry(read, status, &targets))
        });
        Some(Self {
            gone: gone?,
            new: new.collect(),
            has_moved: changed.has_moved() || is_linked_from_others(sources, &moved),
            names,
        })
    }

    /// Applies these changes to the items of the previous snapshot. Returns `None` if two items now
    /// have the same id, segment or alias.
    pub fn apply_to(
        &self,
        before: &Snapshot,
        (config, channel): (&Config, &Channel),
        now: Timestamp,
    ) -> Option<Items> {
        let Self { gone, new, .. } = self;
        let mut entries = before.entries.clone();
        let mut published = before.published.clone();
        let mut waiting = before.waiting.clone();
        for entry in gone {
            remove_entry(config, &mut entries, entry);
            remove_entry(config, &mut published, entry);
            remove_entry(config, &mut waiting, entry);
        }
        for entry in new {
            insert_entry(config, &mut entries, entry);
            if entry.is_published() {
                insert_entry(config, &mut published, entry);
            }
            if is_waiting(entry, now) {
                insert_entry(config, &mut waiting, entry);
            }
        }
        let linking = before.linking.get().cloned().map(|mut linking| {
            gone.iter().for_each(|entry| linking.remove(&entry.item));
            new.iter().for_each(|entry| linking.add(&entry.item));
            OnceLock::from(linking)
        });
        Some(Items {
            keys: before.keys.changed(config, gone, new)?,
            facets: before.facets.changed(config, (&published, channel), (gone, new)),
            dates: before
                .item_dates
                .changed(gone, new, now)
                .unwrap_or_else(|| ItemDates::of(&published, now)),
            counts: before.item_counts.changed(gone, new),
            linking: linking.unwrap_or_default(),
            names: self.names.clone(),
            entries,
            published,
            waiting,
        })
    }
}

/// Returns whether every item and page keeps its status, apart from items and pages whose files
/// changed.
fn keeps_statuses(before: &Snapshot, visibility: Visibility) -> bool {
    let is_same = Visibility { now: before.visibility.now, ..visibility } == before.visibility;
    let has_come =
        |date: Option<Timestamp>| date.is_some_and(|at| at > before.now && at <= visibility.now);
    let mut items = before.waiting.iter().map(|entry| entry.item.date_published);
    let mut pages = before.all_pages().map(|entry| entry.page.date_published);
    is_same && visibility.now >= before.now && !items.any(has_come) && !pages.any(has_come)
}

/// The changed files of items and pages, with URL and names before and after the change.
struct ChangedFiles([BTreeMap<Box<str>, (String, NamedFile)>; 2]);

impl ChangedFiles {
    fn of(
        config: &Config,
        previous: &Previous<'_>,
        sources: &Sources,
        (gone, new): (&[&ReadItem], &[&ReadItem]),
    ) -> Self {
        let (pages_gone, pages_new) = sources.pages.changes(
            &previous.sources.pages,
            |(page, _)| page.walk_order_key(),
            |a, b| Arc::ptr_eq(&a.0, &b.0),
        );
        let read = |items: &[&ReadItem], pages: &[&(Arc<Page>, u64)]| {
            let item = |(item, _): &&ReadItem| {
                let url = config.url(&paths::item_in_site(config, item));
                (item.file().into(), (url, NamedFile::item(item)))
            };
            let page = |(page, _): &&(Arc<Page>, u64)| {
                let url = config.url(&paths::page_in_site(config, page));
                (page.file().into(), (url, NamedFile::page(page)))
            };
            let pages = pages.iter().map(page);
            items.iter().map(item).chain(pages).collect()
        };
        Self([read(gone, &pages_gone), read(new, &pages_new)])
    }

    /// Returns each file with its URL and names before and after.
    fn files(&self) -> impl Iterator<Item = (&str, [Option<&(String, NamedFile)>; 2])> {
        let Self([before, now]) = self;
        let files: BTreeSet<&str> = before.keys().chain(now.keys()).map(|file| &**file).collect();
        let both = |file| (file, [before.get(file), now.get(file)]);
        files.into_iter().map(both)
    }

    /// Returns whether the URL or the draft status of any of the files changed, or a file
    /// disappeared. Links to such a file change.
    fn has_moved(&self) -> bool {
        self.files().any(|(_, both)| has_moved(both))
    }

    /// Returns the keys of link targets that may now resolve to a different URL.
    fn moved(&self) -> BTreeSet<String> {
        let mut keys = BTreeSet::new();
        for (file, both) in self.files() {
            let names =
                both.map(|one| one.map(|(_, named)| named.names.clone()).unwrap_or_default());
            let [before, now] = &names;
            if has_moved(both) {
                keys.insert(file.to_owned());
                keys.extend(before.union(now).map(|name| key_of_name(name)));
            } else {
                keys.extend(before.symmetric_difference(now).map(|name| key_of_name(name)));
            }
        }
        keys
    }

    /// Returns the names of all files after the change; `names` are the names before the change.
    fn renamed(&self, names: &Names) -> Names {
        let mut names = names.clone();
        let Self([before, now]) = self;
        before.values().for_each(|(_, named)| names.remove(named));
        now.values().for_each(|(_, named)| names.add(named));
        names
    }
}

fn has_moved([before, now]: [Option<&(String, NamedFile)>; 2]) -> bool {
    let meant = |one: &(String, NamedFile)| (one.0.clone(), one.1.name_visibility);
    before.map(meant) != now.map(meant)
}

/// Returns whether a page, an event or the channel links to one of the moved files.
fn is_linked_from_others(sources: &Sources, moved: &BTreeSet<String>) -> bool {
    let pages = sources.pages.iter().map(|(page, _)| &page.content.links);
    let calendars = sources.calendars.iter().map(|(file, _)| file.links());
    let all = pages.map(|links| &**links).chain(calendars).chain([&*sources.channel.links]);
    let mut keys = all.filter(|links| !links.is_empty()).flat_map(keys);
    !moved.is_empty() && keys.any(|key| moved.contains(&key))
}

pub fn is_published(entry: &&Arc<ItemEntry>) -> bool {
    entry.is_published()
}

/// Returns whether an item is a draft or dated later than `now`.
pub fn is_waiting(entry: &ItemEntry, now: Timestamp) -> bool {
    let date = entry.item.date_published;
    entry.item.status == Status::Unpublished || date.is_some_and(|date| date > now)
}

impl Snapshot {
    fn linking(&self) -> &LinkingItems {
        let all = || LinkingItems::of(self.entries.iter().map(|entry| &*entry.item));
        self.linking.get_or_init(all)
    }
}

impl ItemDates {
    pub fn of(published: &Entries, now: Timestamp) -> Self {
        let mut dates = Self::default();
        for date in published.iter().flat_map(|entry| dates_of(entry)) {
            dates.add(date, now);
        }
        dates
    }

    fn add(&mut self, date: Timestamp, now: Timestamp) {
        if date <= now {
            self.newest = self.newest.max(Some(date));
        } else {
            self.next = Some(self.next.map_or(date, |next| next.min(date)));
        }
    }

    /// Updates the dates. Returns `None` if all items must be checked: the newest date was removed,
    /// or a future date has passed.
    fn changed(
        mut self,
        gone: &[Arc<ItemEntry>],
        new: &[Arc<ItemEntry>],
        now: Timestamp,
    ) -> Option<Self> {
        let before = self.newest;
        for date in new.iter().filter(is_published).flat_map(|entry| dates_of(entry)) {
            self.add(date, now);
        }
        let has_come = self.next.is_some_and(|next| next <= now);
        let mut went = gone.iter().filter(is_published).flat_map(|entry| dates_of(entry));
        let newest_went = went.any(|date| Some(date) == before);
        let mut came = new.iter().filter(is_published).flat_map(|entry| dates_of(entry));
        let is_there = came.any(|date| Some(date) == self.newest);
        (!has_come && (!newest_went || is_there)).then_some(self)
    }
}

fn dates_of(entry: &ItemEntry) -> impl Iterator<Item = Timestamp> + use<> {
    let dates = [entry.item.date_modified, entry.item.date_published];
    dates.into_iter().flatten()
}
