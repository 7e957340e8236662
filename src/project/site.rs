//! A site that was read, and the documents it has.

use std::collections::HashMap;
use std::sync::Arc;

use model::{Diagnostic, Report, SitePath};
use render::{DocumentCache, Lookup, PathAnswer, Renderer, Routes};
use site::Snapshot;
use source::body_reader::BodyReader;
use source::library::UnsavedReadings;
use theme::Theme;

/// A site that was read.
#[derive(Debug)]
pub struct Site {
    pub snapshot: Snapshot,
    pub theme: Arc<Theme>,
    cache: DocumentCache,
    /// The paths outside content's own folders that content refers to, whether they exist or not. Only
    /// filled when a site is read for a build.
    pub elsewhere: Vec<SitePath>,
    /// What reads bodies again. None for a site that was put together from a snapshot.
    pub bodies: Option<Arc<BodyReader>>,
    /// What was read of it and local state does not hold yet.
    pub unsaved: Option<UnsavedReadings>,
    /// The content files that were too young for their stamps to tell, with the hash of what was read of them.
    pub young: HashMap<SitePath, u64>,
}

impl Site {
    /// Puts a snapshot and a theme together, which costs nothing: what documents share is made when first
    /// needed, and then kept.
    pub fn new(snapshot: Snapshot, theme: Arc<Theme>) -> Self {
        Self {
            snapshot,
            theme,
            cache: DocumentCache::default(),
            elsewhere: Vec::new(),
            bodies: None,
            unsaved: None,
            young: HashMap::new(),
        }
    }

    /// The error of a file that changed after it was read: the site has to be read anew.
    pub fn outdated(&self) -> Option<Diagnostic> {
        let changed = self.bodies.as_ref()?.changed()?;
        let error = Diagnostic::error("this file changed while the site was being built");
        Some(error.file(changed.as_str()).help("build again"))
    }

    /// The renderer of its documents.
    pub fn renderer(&self) -> Renderer<'_> {
        Renderer::new(&self.snapshot, &self.theme, &self.cache)
    }

    /// What answers a request for a path, percent-decoded. It needs no route table.
    pub fn find(&self, path: &str) -> Option<PathAnswer> {
        Lookup::new(&self.snapshot, &self.theme, &self.cache.former).find(path)
    }

    /// Every public path. Large sites take tens of milliseconds to list them for the first time.
    pub fn routes(&self) -> &Routes {
        &self.renderer().table().0
    }

    /// What is wrong with its paths, which needs the table too.
    pub fn path_report(&self) -> &Report {
        &self.renderer().table().1
    }
}
