//! A site as read from its folder, and its documents.

use std::collections::HashMap;
use std::sync::Arc;

use model::{Diagnostic, Report, SitePath};
use render::{DocumentCache, Lookup, PathAnswer, Renderer, Routes};
use site::Snapshot;
use source::body_reader::BodyReader;
use source::library::UnsavedReadings;
use theme::Theme;

/// A site as read from its folder.
#[derive(Debug)]
pub struct Site {
    pub snapshot: Snapshot,
    pub theme: Arc<Theme>,
    cache: DocumentCache,
    pub content: ReadContent,
}

/// What is known about the content files of a site. Empty if the site was made from a snapshot.
#[derive(Debug, Default)]
pub struct ReadContent {
    /// Paths outside the content folders that content or theme options refer to. Some of the files may
    /// be missing.
    pub outside_files: Vec<SitePath>,
    /// Reads bodies again on demand, for each content folder.
    pub bodies: Vec<Arc<BodyReader>>,
    /// Newly parsed files, to be cached in `.feedwright/`.
    pub unsaved: Vec<UnsavedReadings>,
    /// Content files that changed just before they were read, with hashes of their bytes. The
    /// modification times of such files do not reliably detect further changes.
    pub young: HashMap<SitePath, u64>,
}

impl Site {
    /// Combines a snapshot and a theme. This is cheap, because data that documents share is
    /// computed on first use.
    pub fn new(snapshot: Snapshot, theme: Arc<Theme>) -> Self {
        Self { snapshot, theme, cache: DocumentCache::default(), content: ReadContent::default() }
    }

    /// Returns the parts of a network that have a channel: the site without the items of its shows,
    /// and each show. Returns no parts if the site is not a network.
    pub fn with_own_channels(&self) -> Vec<Self> {
        let shows: Vec<Snapshot> =
            self.snapshot.network_shows().map(|(_, show)| show.clone()).collect();
        if shows.is_empty() {
            return Vec::new();
        }
        let all = [self.snapshot.without_shows()].into_iter().chain(shows);
        all.map(|snapshot| Self::new(snapshot, Arc::clone(&self.theme))).collect()
    }

    /// Returns an error if a file changed after it was read. The site must then be read again.
    pub fn outdated(&self) -> Option<Diagnostic> {
        let changed = self.content.bodies.iter().find_map(|bodies| bodies.changed().cloned());
        let recordings = || self.snapshot.recordings.as_ref()?.changed();
        let changed = changed.or_else(recordings)?;
        let error = Diagnostic::error("this file changed while the site was being built");
        Some(error.file(changed.as_str()).help("build again"))
    }

    /// Returns the renderer of the site's documents.
    pub fn renderer(&self) -> Renderer<'_> {
        Renderer::new(&self.snapshot, &self.theme, &self.cache)
    }

    /// Returns the answer to a request for a percent-decoded path. Does not need the route table.
    pub fn find(&self, path: &str) -> Option<PathAnswer> {
        Lookup::new(&self.snapshot, &self.theme, &self.cache.former).find(path)
    }

    /// Returns every public path. For large sites, the first call takes tens of milliseconds.
    pub fn routes(&self) -> &Routes {
        &self.renderer().table().0
    }

    /// Returns the faults of the site's public paths. Like [`routes`](Self::routes), it needs the
    /// route table.
    pub fn path_report(&self) -> &Report {
        &self.renderer().table().1
    }
}
