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
    /// Paths outside `content/` that content or theme options refer to. Some of the files may be
    /// missing. Empty if the site was made from a snapshot.
    pub outside_files: Vec<SitePath>,
    /// Reads bodies again on demand. `None` if the site was made from a snapshot.
    pub bodies: Option<Arc<BodyReader>>,
    /// Newly parsed files, to be cached in `.feedwright/`.
    pub unsaved: Option<UnsavedReadings>,
    /// Content files that changed just before they were read, with hashes of their bytes. The
    /// modification times of such files do not reliably detect further changes.
    pub young: HashMap<SitePath, u64>,
}

impl Site {
    /// Combines a snapshot and a theme. This is cheap, because data that documents share is
    /// computed on first use.
    pub fn new(snapshot: Snapshot, theme: Arc<Theme>) -> Self {
        Self {
            snapshot,
            theme,
            cache: DocumentCache::default(),
            outside_files: Vec::new(),
            bodies: None,
            unsaved: None,
            young: HashMap::new(),
        }
    }

    /// Returns an error if a file changed after it was read. The site must then be read again.
    pub fn outdated(&self) -> Option<Diagnostic> {
        let changed = self.bodies.as_ref().and_then(|bodies| bodies.changed().cloned());
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
