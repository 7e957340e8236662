//! The part of a site that a build writes: the whole site, or one show.

use std::borrow::Cow;

use model::MediaFile;
use project::{Options, Site};
use render::{Document, Route, Routes};
use site::Snapshot;

/// The routes that a build writes.
pub struct Scope<'s> {
    pub routes: Cow<'s, Routes>,
    /// The site, or the show.
    pub snapshot: &'s Snapshot,
    /// The folder of the show in the output folder, with a final slash. Empty for the whole site.
    folder: String,
}

impl<'s> Scope<'s> {
    /// Returns the whole site, or the show that `options` select. A show has the files below its path,
    /// and the media and assets that its pages may need.
    pub fn of(options: &Options, site: &'s Site) -> Self {
        let (whole, routes) = (&site.snapshot, site.routes());
        let Some(show) = site.show(options) else {
            return Self { routes: Cow::Borrowed(routes), snapshot: whole, folder: String::new() };
        };
        let snapshot = &whole.editions[show].snapshot;
        let folder = format!("{}/", &snapshot.config.mount[1..]);
        let is_medium = |file: &MediaFile| {
            let found = snapshot.media.binary_search_by(|own| own.path.cmp(&file.path));
            found.is_ok()
        };
        let is_own = |route: &&Route| match route.document {
            Document::Asset(_) | Document::Logo(_) => true,
            Document::Media(at) | Document::PictureSize(at, _) => is_medium(&whole.media[at]),
            _ => route.file.starts_with(&folder),
        };
        let own = routes.routes.iter().filter(is_own).cloned().collect();
        let routes = Routes { routes: own, redirects: Vec::new() };
        Self { routes: Cow::Owned(routes), snapshot, folder }
    }

    /// Returns whether the routes are all routes of a site.
    pub fn is_whole(&self) -> bool {
        self.folder.is_empty()
    }

    /// Removes the files of the rest of the site from a list, and returns them.
    pub fn take_others(&self, files: &mut Vec<(String, usize)>) -> Vec<(String, usize)> {
        files.extract_if(.., |(file, _)| !file.starts_with(&self.folder)).collect()
    }
}
