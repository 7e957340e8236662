//! What a snapshot holds of its items: made of all of them, or of those before and what changed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;

use super::entries::{self, UnresolvedEntry};
use super::link_resolution::{PageUrls, resolved_entry};
use super::linking_items::LinkingItems;
use super::snapshot::{ItemDates, ItemEntry, Keys, Previous, Snapshot, Tag, place};
use super::{claims, paths};
use crate::model::{Config, Item, List, Page, Report, Slug, Status, Visibility};
use crate::source::sources::{OfFile, Sources, of_file};

/// Changed items from which on it is faster to gather all: each costs some microseconds, however many there are.
const MANY: usize = 500;

type Entries = List<Arc<ItemEntry>>;

/// An item, and the fingerprint of its file.
type ReadItem = (Arc<Item>, u64);

/// What a snapshot holds of its items; its fields say more.
pub struct Items {
    pub entries: Entries,
    pub published: Entries,
    pub waiting: Entries,
    pub tags: List<Arc<Tag>>,
    pub dates: ItemDates,
    pub keys: Keys,
    pub linking: OnceLock<LinkingItems>,
}

impl Items {
    /// Sorts all items, and checks that they do not contradict each other.
    pub fn of(
        root: &Path,
        config: &Config,
        drafts: Vec<UnresolvedEntry>,
        now: Timestamp,
        report: &mut Report,
    ) -> Self {
        let entries = entries::in_feed_order(drafts, config);
        let lists = || {
            let published: Entries = entries.iter().filter(is_published).cloned().collect();
            let waiting = entries.iter().filter(|entry| waits(entry, now));
            let (tags, dates) = (tags(&published), ItemDates::of(&published, now));
            (published, waiting.cloned().collect(), tags, dates)
        };
        let keys = || claims::keys(root, &entries, report);
        let (keys, (published, waiting, tags, dates)) = rayon::join(keys, lists);
        Self {
            keys,
            waiting,
            tags,
            dates,
            linking: OnceLock::new(),
            published,
            entries,
        }
    }
}

/// What changed of the items since a snapshot.
pub struct ItemChanges {
    /// Entries that are no longer there.
    pub gone: Vec<Arc<ItemEntry>>,
    /// Those in their place, and new ones.
    pub new: Vec<Arc<ItemEntry>>,
    /// Whether a content file has another URL than before.
    pub has_moved: bool,
}

impl ItemChanges {
    /// None if so much changed that all items have to be gathered.
    pub fn since(
        previous: &Previous<'_>,
        config: &Config,
        sources: &Sources,
        visibility: Visibility,
    ) -> Option<Self> {
        let snapshot = previous.snapshot;
        let fits = snapshot.keys.are_distinct && waits_as_before(snapshot, visibility);
        if !fits {
            return None;
        }
        let items = &sources.items;
        let (gone, new) = items.changes(
            &previous.sources.items,
            |(item, _)| item.walked(),
            |a, b| Arc::ptr_eq(&a.0, &b.0) && a.1 == b.1,
        );
        if gone.len() + new.len() > MANY {
            return None;
        }
        let moved = moved(config, previous, sources, (&gone, &new));
        let mut relinked = BTreeMap::new();
        if !moved.is_empty() {
            let linking = snapshot.linking();
            let files = moved.iter().flat_map(|file| linking.to(file));
            relinked = files
                .filter_map(|file| Some((file, of_file(items, file)?)))
                .collect();
            for (item, _) in &new {
                relinked.remove(item.file());
            }
        }
        let entry = |item: &Item| Some(Arc::clone(&snapshot.entries[snapshot.place_of(item)?]));
        let gone = gone.into_iter().map(|(item, _)| item);
        let gone: Option<Vec<_>> = gone
            .chain(relinked.values().map(|(item, _)| item))
            .map(|item| entry(item))
            .collect();
        let targets = PageUrls::of(config, items, sources.pages.iter().map(|(page, _)| &**page));
        let new = new.into_iter().chain(relinked.into_values());
        let new = new.map(|read| {
            let status = visibility.effective(read.0.status, read.0.date_published);
            Arc::new(resolved_entry(read, status, &targets))
        });
        Some(Self {
            gone: gone?,
            new: new.collect(),
            has_moved: !moved.is_empty(),
        })
    }

    /// The items of the snapshot before with these changes. None if items contradict each other.
    pub fn applied(&self, before: &Snapshot, config: &Config, now: Timestamp) -> Option<Items> {
        let Self { gone, new, .. } = self;
        let mut entries = before.entries.clone();
        let mut published = before.published.clone();
        let mut waiting = before.waiting.clone();
        for entry in gone {
            take_out(config, &mut entries, entry);
            take_out(config, &mut published, entry);
            take_out(config, &mut waiting, entry);
        }
        for entry in new {
            put_in(config, &mut entries, entry);
            if is_published(&entry) {
                put_in(config, &mut published, entry);
            }
            if waits(entry, now) {
                put_in(config, &mut waiting, entry);
            }
        }
        let linking = before.linking.get().cloned().map(|mut linking| {
            gone.iter().for_each(|entry| linking.remove(&entry.item));
            new.iter().for_each(|entry| linking.add(&entry.item));
            OnceLock::from(linking)
        });
        Some(Items {
            keys: before.keys.changed(gone, new)?,
            tags: changed_tags(config, &before.tags, gone, new),
            dates: before
                .item_dates
                .changed(gone, new, now)
                .unwrap_or_else(|| ItemDates::of(&published, now)),
            linking: linking.unwrap_or_default(),
            entries,
            published,
            waiting,
        })
    }
}

/// Whether every item and Page has the status it had, but for those whose files changed.
fn waits_as_before(before: &Snapshot, visibility: Visibility) -> bool {
    let is_same = Visibility {
        now: before.visibility.now,
        ..visibility
    } == before.visibility;
    let has_come =
        |date: Option<Timestamp>| date.is_some_and(|at| at > before.now && at <= visibility.now);
    let mut items = before.waiting.iter().map(|entry| entry.item.date_published);
    let mut pages = before.pages.iter().map(|entry| entry.page.date_published);
    is_same
        && visibility.now >= before.now
        && !items.any(has_come)
        && !pages.any(has_come)
        && !has_come(before.not_found.page.date_published)
}

/// The content files that have another URL than before, or none any more.
fn moved(
    config: &Config,
    previous: &Previous<'_>,
    sources: &Sources,
    (gone, new): (&[&ReadItem], &[&ReadItem]),
) -> BTreeSet<String> {
    let (pages_gone, pages_new) = sources.pages.changes(
        &previous.sources.pages,
        |(page, _)| page.walked(),
        |a, b| Arc::ptr_eq(&a.0, &b.0),
    );
    let items = |items: &[&ReadItem]| -> Vec<(String, String)> {
        let url = |item: &Item| config.url(&paths::item(&item.segment()));
        let items = items.iter();
        items
            .map(|(item, _)| (item.file().to_owned(), url(item)))
            .collect()
    };
    let pages = |pages: &[&(Arc<Page>, u64)]| -> Vec<(String, String)> {
        let url = |page: &Page| config.url(&paths::page(page.slug.as_str()));
        let pages = pages.iter();
        pages
            .map(|(page, _)| (page.file().to_owned(), url(page)))
            .collect()
    };
    let before: HashMap<_, _> = items(gone).into_iter().chain(pages(&pages_gone)).collect();
    let now: HashMap<_, _> = items(new).into_iter().chain(pages(&pages_new)).collect();
    let files = before.keys().chain(now.keys());
    files
        .filter(|file| before.get(*file) != now.get(*file))
        .cloned()
        .collect()
}

fn is_published(entry: &&Arc<ItemEntry>) -> bool {
    entry.status == Status::Published
}

/// Whether an item is a draft or dated later than now.
fn waits(entry: &ItemEntry, now: Timestamp) -> bool {
    let date = entry.item.date_published;
    entry.item.status == Status::Unpublished || date.is_some_and(|date| date > now)
}

fn take_out(config: &Config, list: &mut Entries, entry: &ItemEntry) {
    if let Ok(at) = place(config, list, &entry.item) {
        list.remove(at);
    }
}

fn put_in(config: &Config, list: &mut Entries, entry: &Arc<ItemEntry>) {
    let (Ok(at) | Err(at)) = place(config, list, &entry.item);
    list.insert(at, Arc::clone(entry));
}

impl Snapshot {
    fn linking(&self) -> &LinkingItems {
        let all = || LinkingItems::of(self.entries.iter().map(|entry| &*entry.item));
        self.linking.get_or_init(all)
    }
}

impl ItemDates {
    fn of(published: &Entries, now: Timestamp) -> Self {
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

    /// None if all items have to be asked: the newest date went, or one has come.
    fn changed(
        mut self,
        gone: &[Arc<ItemEntry>],
        new: &[Arc<ItemEntry>],
        now: Timestamp,
    ) -> Option<Self> {
        let before = self.newest;
        for date in new
            .iter()
            .filter(is_published)
            .flat_map(|entry| dates_of(entry))
        {
            self.add(date, now);
        }
        let has_come = self.next.is_some_and(|next| next <= now);
        let mut went = gone
            .iter()
            .filter(is_published)
            .flat_map(|entry| dates_of(entry));
        let newest_went = went.any(|date| Some(date) == before);
        let mut came = new
            .iter()
            .filter(is_published)
            .flat_map(|entry| dates_of(entry));
        let is_there = came.any(|date| Some(date) == self.newest);
        (!has_come && (!newest_went || is_there)).then_some(self)
    }
}

fn dates_of(entry: &ItemEntry) -> impl Iterator<Item = Timestamp> + use<> {
    let dates = [entry.item.date_modified, entry.item.date_published];
    dates.into_iter().flatten()
}

/// Tags by slug: spellings that differ in case or punctuation alone are one tag.
fn tags(published: &Entries) -> List<Arc<Tag>> {
    let mut tags: HashMap<&str, (&str, Vec<Arc<ItemEntry>>)> = HashMap::new();
    for entry in published {
        for (name, slug) in entry.item.tags.iter().zip(&entry.tags) {
            let Some(slug) = slug else { continue };
            let (_, entries) = tags.entry(slug.as_str()).or_insert((name, Vec::new()));
            if !entries.last().is_some_and(|last| Arc::ptr_eq(last, entry)) {
                entries.push(Arc::clone(entry));
            }
        }
    }
    let tag = |(slug, (name, entries)): (&str, (&str, Vec<Arc<ItemEntry>>))| Tag {
        name: name.to_owned(),
        slug: slug.to_owned(),
        entries: entries.into(),
    };
    let mut tags: Vec<Arc<Tag>> = tags.into_iter().map(|one| Arc::new(tag(one))).collect();
    tags.sort_by(|a, b| a.slug.cmp(&b.slug));
    tags.into()
}

/// Tags after some entries were replaced by others.
fn changed_tags(
    config: &Config,
    before: &List<Arc<Tag>>,
    gone: &[Arc<ItemEntry>],
    new: &[Arc<ItemEntry>],
) -> List<Arc<Tag>> {
    let mut tags = before.clone();
    let mut touched: BTreeSet<&str> = BTreeSet::new();
    let mut change = |entry, slug, change: fn(&Config, &mut Entries, &Arc<ItemEntry>)| {
        touched.insert(slug);
        let at = tags.partition_point(|tag| *tag.slug < *slug);
        if tags.get(at).is_none_or(|tag| tag.slug != slug) {
            tags.insert(at, Arc::new(Tag::empty(slug)));
        }
        let mut tag = Arc::clone(&tags[at]);
        change(config, &mut Arc::make_mut(&mut tag).entries, entry);
        tags.replace(at, tag);
    };
    for entry in gone.iter().filter(is_published) {
        let slugs: BTreeSet<&Slug> = entry.tags.iter().flatten().collect();
        for slug in slugs {
            change(entry, slug.as_str(), |config, list, entry| {
                take_out(config, list, entry);
            });
        }
    }
    for entry in new.iter().filter(is_published) {
        let slugs: BTreeSet<&Slug> = entry.tags.iter().flatten().collect();
        for slug in slugs {
            change(entry, slug.as_str(), put_in);
        }
    }
    for slug in touched {
        let at = tags.partition_point(|tag| *tag.slug < *slug);
        let mut tag = Arc::clone(&tags[at]);
        match tag.entries.first().and_then(|entry| entry.tag_name(slug)) {
            Some(name) if name == tag.name => {}
            Some(name) => {
                let name = name.to_owned();
                Arc::make_mut(&mut tag).name = name;
                tags.replace(at, tag);
            }
            None => drop(tags.remove(at)),
        }
    }
    tags
}

impl Tag {
    fn empty(slug: &str) -> Self {
        Self {
            name: String::new(),
            slug: slug.to_owned(),
            entries: List::default(),
        }
    }
}

impl ItemEntry {
    /// The tag of a slug as the item spells it first.
    fn tag_name(&self, slug: &str) -> Option<&str> {
        let mut tags = self.item.tags.iter().zip(&self.tags);
        let own = |own: &Option<Slug>| own.as_ref().is_some_and(|own| own.as_str() == slug);
        let (name, _) = tags.find(|(_, tag)| own(tag))?;
        Some(name)
    }
}
