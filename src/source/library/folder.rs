//! The files of one folder of the site, and what they were read into.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::kept::{Doubt, Kept};
use crate::model::{Diagnostic, SitePath};
use crate::source::listing::{Listing, in_walk_order};
use crate::source::reading::{FileReading, is_same};
use crate::source::stamp::{Asked, Stamp};
use crate::source::stray_files::beside_content;
use crate::source::survey::Surveyed;

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
    /// What an earlier run read, until the folder is listed.
    pub(super) recalled: HashMap<SitePath, Kept<T>>,
}

impl<T: PartialEq + Send + Sync> Folder<T> {
    /// Takes over the files of a new listing; known files keep what was read.
    pub(super) fn adopt(
        &mut self,
        choose: impl FnOnce(&[SitePath]) -> (Vec<SitePath>, Vec<Diagnostic>),
    ) {
        let (chosen, found) = choose(&self.listing.files);
        self.beside = beside_content(&self.listing.files);
        let mut recalled = std::mem::take(&mut self.recalled);
        let mut known = std::mem::take(&mut self.files).into_iter().peekable();
        let keep = |path: SitePath| {
            while known
                .next_if(|(before, _)| in_walk_order(before, &path).is_lt())
                .is_some()
            {}
            let kept = known.next_if(|(same, _)| *same == path);
            kept.unwrap_or_else(|| {
                let recalled = recalled.remove(&path);
                (path, recalled.unwrap_or_default())
            })
        };
        self.files = chosen.into_iter().map(keep).collect();
        self.found = found;
    }

    /// Takes over the files of a survey; what an earlier run read of those that have the same stamp need not be
    /// looked at again.
    pub(super) fn start(
        &mut self,
        survey: Surveyed,
        choose: impl FnOnce(&[SitePath]) -> (Vec<SitePath>, Vec<Diagnostic>),
    ) {
        self.listing = survey.listing;
        self.adopt(choose);
        let mut seen = self.listing.files.iter().zip(survey.stamps);
        for (path, kept) in &mut self.files {
            let stamp = seen.find(|(file, _)| *file == path).map(|(_, stamp)| stamp);
            kept.see(stamp);
        }
    }

    /// Notes that local state has all of it.
    pub(super) fn is_saved(&mut self) {
        for (_, kept) in &mut self.files {
            kept.is_unsaved = false;
        }
    }

    /// Forgets which files are known, so that they are read again whatever they hold.
    pub(super) fn forget(&mut self) {
        for (_, kept) in &mut self.files {
            kept.forget();
        }
    }

    /// Reads the doubtful files again whose bytes are others, or that depend on a file that is. Answers whether
    /// anything changed.
    pub(super) fn reread(
        &mut self,
        root: &Path,
        doubtful: Doubt<'_>,
        is_awaited: impl Fn(&SitePath) -> bool + Sync,
        read: impl Fn(&SitePath) -> FileReading<T> + Sync,
    ) -> bool {
        self.files
            .par_iter_mut()
            .map(|(path, kept)| {
                if !kept.is_due(Some(path), doubtful) {
                    return false;
                }
                let stamp = Stamp::of(&path.on_disk(root));
                let is_same = |(hash, asked)| is_same(root, path, hash, asked);
                if kept.known().is_some_and(is_same) {
                    kept.confirm(stamp);
                    return false;
                }
                kept.take(read(path), || is_awaited(path))
            })
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
            recalled: HashMap::new(),
        }
    }
}
