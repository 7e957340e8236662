//! Full-text search of the newest moment. The index is updated before each search.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use search::{Document, Found, Index, IndexError, Kind, Query, SearchError, Status};

use crate::model;
use crate::server::Moment;
use crate::site::{ItemEntry, PageEntry};

/// Where the index lies. It is derived data: it may be deleted.
const FILE: &str = ".feedwright/search.sqlite";

/// The index, and the moment that it holds.
pub struct Finder {
    file: PathBuf,
    index: OnceLock<Index>,
    /// The serial of the newest indexed moment.
    serial: Mutex<Option<u64>>,
}

impl Finder {
    /// The index of the site at `root`. The first search opens it. If its file cannot be used, it is
    /// kept in memory.
    pub fn new(root: &Path) -> Self {
        Self {
            file: root.join(FILE),
            index: OnceLock::new(),
            serial: Mutex::new(None),
        }
    }

    fn index(&self) -> Result<&Index, IndexError> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        let index = Index::open(&self.file).or_else(|_| Index::in_memory())?;
        Ok(self.index.get_or_init(|| index))
    }

    /// Searches a moment. Only what changed since the last search is indexed first.
    pub fn search(&self, moment: &Moment, query: &Query<'_>) -> Result<Found, SearchError> {
        if self.follow(moment).is_err() {
            self.begin_again(moment)?;
        }
        let index = self.index().map_err(SearchError::Index)?;
        match index.search(query) {
            Err(SearchError::Index(_)) => {
                self.begin_again(moment)?;
                index.search(query)
            }
            found => found,
        }
    }

    /// Rebuilds a damaged index.
    fn begin_again(&self, moment: &Moment) -> Result<(), SearchError> {
        let index = self.index().map_err(SearchError::Index)?;
        index.clear().map_err(SearchError::Index)?;
        *self.serial.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.follow(moment).map_err(SearchError::Index)
    }

    /// Updates the index to a moment, unless it has seen a newer one.
    fn follow(&self, moment: &Moment) -> Result<(), IndexError> {
        let mut serial = self.serial.lock().unwrap_or_else(PoisonError::into_inner);
        if serial.is_some_and(|serial| serial >= moment.serial) {
            return Ok(());
        }
        let snapshot = &moment.site.snapshot;
        let items = snapshot
            .entries
            .iter()
            .map(|entry| (Kind::Item, entry.item.id.as_str(), entry.fingerprint));
        let pages = snapshot
            .pages
            .iter()
            .map(|entry| (Kind::Page, entry.page.id.as_str(), entry.fingerprint));
        let index = self.index()?;
        index.sync(items.chain(pages), |kind, id| match kind {
            Kind::Item => snapshot.find(id).map(|entry| item(entry)),
            Kind::Page => snapshot.page(id).map(page),
        })?;
        *serial = Some(moment.serial);
        Ok(())
    }
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
