//! The files of one folder of the site, and what they were read into.

use std::sync::Arc;

use rayon::prelude::*;

use super::kept::{Doubt, Kept};
use crate::model::{Diagnostic, SitePath};
use crate::source::disk::Asked;
use crate::source::listing::{Listing, in_walk_order};
use crate::source::reading::FileReading;
use crate::source::stray_files::beside_content;

/// The files of one folder of the site, and what they were read into.
#[derive(Debug)]
pub(super) struct Folder<T> {
    pub(super) listing: Listing,
    /// Errors and warnings about files that are not read.
    pub(super) found: Vec<Diagnostic>,
    /// Files that are not content, but that content may name.
    pub(super) beside: Vec<SitePath>,
    /// In the order of the listing.
    pub(super) files: Vec<(SitePath, Kept<T>)>,
}

impl<T: PartialEq + Send + Sync> Folder<T> {
    /// Takes over the files of a new listing; known files keep what was read.
    pub(super) fn adopt(
        &mut self,
        choose: impl FnOnce(&[SitePath]) -> (Vec<SitePath>, Vec<Diagnostic>),
    ) {
        let (chosen, found) = choose(&self.listing.files);
        self.beside = beside_content(&self.listing.files);
        let mut known = std::mem::take(&mut self.files).into_iter().peekable();
        let keep = |path: SitePath| {
            while known
                .next_if(|(before, _)| in_walk_order(before, &path).is_lt())
                .is_some()
            {}
            let kept = known.next_if(|(same, _)| *same == path);
            kept.unwrap_or_else(|| (path, Kept::default()))
        };
        self.files = chosen.into_iter().map(keep).collect();
        self.found = found;
    }

    pub(super) fn reread(
        &mut self,
        doubtful: Doubt<'_>,
        is_awaited: impl Fn(&SitePath) -> bool + Sync,
        read: impl Fn(&SitePath) -> FileReading<T> + Sync,
    ) -> bool {
        self.files
            .par_iter_mut()
            .filter(|(path, kept)| kept.is_due(Some(path), doubtful))
            .map(|(path, kept)| kept.take(read(path), || is_awaited(path)))
            .reduce(|| false, |a, b| a | b)
    }

    pub(super) fn shared(&self) -> impl Iterator<Item = (Arc<T>, u64)> {
        self.files.iter().filter_map(|(_, kept)| kept.shared())
    }

    pub(super) fn half_read(&self) -> impl Iterator<Item = &SitePath> {
        let half = self.files.iter().filter(|(_, kept)| kept.is_half);
        half.map(|(path, _)| path)
    }

    pub(super) fn asked(&self) -> impl Iterator<Item = &Asked> {
        let files = self.files.iter();
        files.flat_map(|(_, kept)| &kept.asked)
    }

    /// The files with errors or warnings.
    pub(super) fn doubtful(&self) -> impl Iterator<Item = &SitePath> {
        let files = self.files.iter();
        let doubtful = files.filter(|(_, kept)| !kept.found.is_empty());
        doubtful.map(|(path, _)| path)
    }

    pub(super) fn found(&self) -> impl Iterator<Item = &Diagnostic> {
        let files = self.files.iter().flat_map(|(_, kept)| &kept.found);
        self.listing.found.iter().chain(&self.found).chain(files)
    }
}

impl<T> Default for Folder<T> {
    fn default() -> Self {
        Self {
            listing: Listing::default(),
            found: Vec::new(),
            beside: Vec::new(),
            files: Vec::new(),
        }
    }
}
