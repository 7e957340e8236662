//! Full-text search of the site at a given moment. Each search first updates the index.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use search::{Document, Found, Hit, Index, IndexError, Kind, Query, SearchError, Segment, Status};

use model::{self, ItemId};
use server::Moment;
use site::{ItemEntry, PageEntry, Snapshot};
use source::sources::{FromFile, Sources};

/// Returns a filter that accepts items and pages in a language.
pub fn in_language<'s>(
    snapshot: &'s Snapshot,
    language: &'s str,
) -> impl Fn(Kind, &str) -> bool + use<'s> {
    move |kind, id| {
        let stated = match kind {
            Kind::Item => snapshot.find(id).map(|entry| entry.item.language.as_deref()),
            Kind::Page => snapshot.page(id).map(|entry| entry.page.language.as_deref()),
        };
        stated.is_some_and(|stated| snapshot.is_in_language(stated, language))
    }
}

/// The path of the index. The index is derived data and can be deleted.
const FILE: &str = ".feedwright/search.sqlite";

/// Number of changed files above which comparing all documents is faster than updating each file.
const MAX_SINGLE_UPDATES: usize = 500;

/// The search index, and the [`Moment`] that it covers.
pub struct Finder {
    file: PathBuf,
    index: OnceLock<Index>,
    indexed_moment: Mutex<Option<IndexedMoment>>,
}

/// The [`Moment`] that was indexed last.
struct IndexedMoment {
    serial: u64,
    /// The source files from which the index was built.
    sources: Sources,
}

impl Finder {
    /// Creates a finder for the site at `root`. The first search opens the index. If the index file
    /// cannot be used, the index is kept in memory.
    pub fn new(root: &Path) -> Self {
        Self { file: root.join(FILE), index: OnceLock::new(), indexed_moment: Mutex::default() }
    }

    /// Creates a finder for a show of the site, whose moments it searches.
    pub fn of_show(root: &Path, show: &str) -> Self {
        let file = root.join(FILE).with_file_name(format!("search-{show}.sqlite"));
        Self { file, ..Self::new(root) }
    }

    fn index(&self) -> Result<&Index, IndexError> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        let index = Index::open(&self.file).or_else(|_| Index::in_memory())?;
        Ok(self.index.get_or_init(|| index))
    }

    /// Searches the content of a [`Moment`]. First updates the index with the changes since the
    /// last search.
    pub fn search(&self, moment: &Moment, query: &Query<'_>) -> Result<Found, SearchError> {
        if self.update_to(moment).is_err() {
            self.rebuild(moment)?;
        }
        let index = self.index().map_err(SearchError::Index)?;
        let found = match index.search(query) {
            Err(SearchError::Index(_)) => {
                self.rebuild(moment)?;
                index.search(query)
            }
            found => found,
        };
        found.map(|found| with_excerpts(found, &moment.site.snapshot))
    }

    /// Clears a damaged index and rebuilds it.
    fn rebuild(&self, moment: &Moment) -> Result<(), SearchError> {
        let index = self.index().map_err(SearchError::Index)?;
        index.clear().map_err(SearchError::Index)?;
        *self.indexed_moment() = None;
        self.update_to(moment).map_err(SearchError::Index)
    }

    /// Updates the index to a [`Moment`], unless the index already covers this one or a newer one.
    fn update_to(&self, moment: &Moment) -> Result<(), IndexError> {
        let mut indexed_moment = self.indexed_moment();
        let is_newer = |indexed_moment: &IndexedMoment| indexed_moment.serial >= moment.serial;
        if indexed_moment.as_ref().is_some_and(is_newer) {
            return Ok(());
        }
        let index = self.index()?;
        let before = indexed_moment.take().filter(|_| !index.has_external_changes());
        let changes = before.and_then(|before| changes(&before.sources, moment));
        match changes {
            Some((changed, removed)) => {
                let removed: Vec<(Kind, &str)> =
                    removed.iter().map(|(kind, id)| (*kind, id.as_str())).collect();
                index.update(&changed, &removed)?;
            }
            None => sync(index, &moment.site.snapshot)?,
        }
        *indexed_moment =
            Some(IndexedMoment { serial: moment.serial, sources: moment.sources.clone() });
        Ok(())
    }

    fn indexed_moment(&self) -> MutexGuard<'_, Option<IndexedMoment>> {
        self.indexed_moment.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds an excerpt to each result whose content does not match the query. The excerpt is the same
/// as in lists of items.
fn with_excerpts(mut found: Found, snapshot: &Snapshot) -> Found {
    /// Approximate length of the excerpt, in characters.
    const EXCERPT: usize = 160;
    let is_matched = |hit: &Hit| hit.content_text.iter().any(|segment| segment.matched);
    for hit in found.hits.iter_mut().filter(|hit| !is_matched(hit)) {
        let content = match hit.kind {
            Kind::Item => snapshot.find(&hit.id).map(|entry| &entry.item.content),
            Kind::Page => snapshot.page(&hit.id).map(|entry| &entry.page.content),
        };
        let text = content.map_or_else(String::new, |content| content.excerpt(EXCERPT));
        if !text.is_empty() {
            let matched = false;
            hit.content_text = vec![Segment { text, matched }];
        }
    }
    found
}

fn sync(index: &Index, snapshot: &Snapshot) -> Result<(), IndexError> {
    let items = snapshot
        .entries
        .iter()
        .map(|entry| (Kind::Item, entry.item.id.as_str(), entry.fingerprint));
    let pages =
        snapshot.pages.iter().map(|entry| (Kind::Page, entry.page.id.as_str(), entry.fingerprint));
    index.sync(items.chain(pages), |kind, id| match kind {
        Kind::Item => snapshot.find(id).map(|entry| item(entry)),
        Kind::Page => snapshot.page(id).map(page),
    })?;
    Ok(())
}

/// The new or changed documents, and the kinds and ids of removed documents.
type Changes = (Vec<Document>, Vec<(Kind, String)>);

/// Returns the differences between earlier sources and a [`Moment`]. Returns None if all documents
/// must be compared.
fn changes(before: &Sources, moment: &Moment) -> Option<Changes> {
    let snapshot = &moment.site.snapshot;
    let now = &moment.sources;
    if !snapshot.has_distinct_keys() || !now.pages.is_unchanged_clone_of(&before.pages) {
        return None;
    }
    let (deleted, new) = now.items.changes(
        &before.items,
        |(item, _)| item.walk_order_key(),
        |a, b| Arc::ptr_eq(&a.0, &b.0) && a.1 == b.1,
    );
    if deleted.len() + new.len() > MAX_SINGLE_UPDATES {
        return None;
    }
    let own = |id: &ItemId| snapshot.find(id.as_str()).filter(|own| own.item.id == *id);
    let new = new.iter().filter_map(|(new, _)| own(&new.id));
    let deleted = deleted.iter().filter(|(deleted, _)| own(&deleted.id).is_none());
    Some((
        new.map(|entry| item(entry)).collect(),
        deleted.map(|(deleted, _)| (Kind::Item, deleted.id.to_string())).collect(),
    ))
}

fn item(entry: &ItemEntry) -> Document {
    let item = &entry.item;
    Document {
        kind: Kind::Item,
        id: item.id.to_string(),
        title: item.title.clone(),
        text: item.content.body().text.clone(),
        status: status(item.status),
        date_published_ms: item.date_published.map(jiff::Timestamp::as_millisecond),
        fingerprint: entry.fingerprint,
    }
}

fn page(entry: &PageEntry) -> Document {
    let page = &entry.page;
    Document {
        kind: Kind::Page,
        id: page.id.to_string(),
        title: page.title.clone(),
        text: page.content.body().text.clone(),
        status: status(page.status),
        date_published_ms: page.date_published.map(jiff::Timestamp::as_millisecond),
        fingerprint: entry.fingerprint,
    }
}

fn status(status: model::Status) -> Status {
    match status {
        model::Status::Published => Status::Published,
        model::Status::Unlisted => Status::Unlisted,
        model::Status::Unpublished => Status::Unpublished,
    }
}
