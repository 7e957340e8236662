//! The files of one folder of the site, and their readings.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::cached_reading::{CachedReading, ChangeCheck};
use super::index::{Index, is_in};
use crate::listing::{InWalkOrder, Listing, ListingChange, below, in_walk_order};
use crate::reading::{FileReading, is_same};
use crate::sources::FromFile;
use crate::stamp::{Lookup, Stamp};
use crate::stray_files::files_beside_content;
use crate::survey::FolderSurvey;
use model::{Diagnostic, List, SitePath};

/// Minimum number of files for which parallel reading is faster, even while all cores are busy.
const MIN_PARALLEL_FILES: usize = 8;

/// Maximum number of files in a parallel task. Larger tasks would leave threads idle at the end.
const FILES_PER_TASK: usize = 16;

/// The files to reread, in addition to the files that were never read.
#[derive(Clone, Copy)]
pub(super) enum RereadFiles<'d> {
    /// Files that may have changed, or that looked up a path that may have changed.
    Doubtful(ChangeCheck<'d>),
    /// Files at or below these paths, or that looked up one of these paths.
    Touched {
        paths: &'d [SitePath],
        /// Whether there may be files that have not been read yet.
        has_new: bool,
        /// Function that returns whether a path is a touched path or below one.
        suspect: ChangeCheck<'d>,
    },
}

impl<'d> RereadFiles<'d> {
    pub(super) fn suspect(self) -> ChangeCheck<'d> {
        match self {
            Self::Doubtful(suspect) | Self::Touched { suspect, .. } => suspect,
        }
    }
}

/// The files of one folder of the site, and their readings.
#[derive(Debug)]
pub(super) struct Folder<T> {
    pub(super) listing: Listing,
    /// Errors and warnings about files that are not read.
    pub(super) found: Vec<Diagnostic>,
    /// Files in the folder that are not content, but that content may refer to.
    pub(super) beside: Vec<SitePath>,
    /// The files, in the order of the listing.
    files: Vec<(SitePath, CachedReading<T>)>,
    /// The last good readings, in the same order.
    last_valid: List<(Arc<T>, u64)>,
    /// An index of the files, built on first use and then kept up to date.
    index: Option<Index>,
}

impl<T: PartialEq + Send + Sync + FromFile> Folder<T> {
    /// Creates a folder that has not been listed yet. `files` contains the readings of an earlier
    /// run in walk order.
    pub(super) fn with_readings(files: Vec<(SitePath, CachedReading<T>)>) -> Self {
        Self { files, ..Self::default() }
    }

    /// Returns the files and their readings.
    pub(super) fn files(&self) -> &[(SitePath, CachedReading<T>)] {
        &self.files
    }

    /// Updates the listing with `look`, and keeps the files that `choose` selects. Returns whether
    /// anything changed, and whether some files may never have been read.
    pub(super) fn list(
        &mut self,
        look: impl FnOnce(&mut Listing) -> ListingChange,
        choose: impl FnOnce(&[SitePath]) -> (Vec<SitePath>, Vec<Diagnostic>),
    ) -> (bool, bool) {
        match look(&mut self.listing) {
            ListingChange::Same => (false, false),
            ListingChange::Few(paths) if paths.iter().all(is_plain_content) => {
                paths.into_iter().for_each(|path| self.adopt_one(path));
                (true, false)
            }
            ListingChange::Few(_) | ListingChange::Changed => {
                self.adopt(choose);
                (true, true)
            }
        }
    }

    /// Adds or removes a file, depending on whether the folder now lists it.
    fn adopt_one(&mut self, path: SitePath) {
        let is_listed = self.listing.holds(&path);
        let by_path = |(file, _): &(SitePath, CachedReading<T>)| in_walk_order(file, &path);
        match (self.files.binary_search_by(by_path), is_listed) {
            (Ok(at), false) => {
                let (path, cached_reading) = self.files.remove(at);
                self.forget(&path, &cached_reading);
            }
            (Err(at), true) => self.files.insert(at, (path, CachedReading::default())),
            (Ok(_), true) | (Err(_), false) => {}
        }
    }

    /// Sets the folder's files to the files that `choose` selects from the listing. Files that were
    /// already known keep their readings.
    pub(super) fn adopt(
        &mut self,
        choose: impl FnOnce(&[SitePath]) -> (Vec<SitePath>, Vec<Diagnostic>),
    ) {
        let (chosen, found) = choose(&self.listing.files);
        self.beside = files_beside_content(&self.listing.files);
        let mut known = std::mem::take(&mut self.files).into_iter().peekable();
        let mut gone = Vec::new();
        let keep = |path: SitePath| {
            while let Some(one) = known.next_if(|(before, _)| in_walk_order(before, &path).is_lt())
            {
                gone.push(one);
            }
            let cached_reading = known.next_if(|(same, _)| *same == path);
            cached_reading.unwrap_or_else(|| (path, CachedReading::default()))
        };
        self.files = chosen.into_iter().map(keep).collect();
        gone.extend(known);
        for (path, cached_reading) in &gone {
            self.forget(path, cached_reading);
        }
        self.found = found;
    }

    /// Sets the folder's files to the files that `survey` lists. Files with the same stamp as in an
    /// earlier run need no further check.
    pub(super) fn start(
        &mut self,
        survey: FolderSurvey,
        choose: impl FnOnce(&[SitePath]) -> (Vec<SitePath>, Vec<Diagnostic>),
    ) {
        self.listing = survey.listing;
        self.adopt(choose);
        let sections = survey.sections.iter().map(|(path, stamp)| (path, *stamp));
        let mut seen = sections.chain(self.listing.files.iter().zip(survey.stamps));
        for (path, cached_reading) in &mut self.files {
            let stamp = seen.find(|(file, _)| *file == path).map(|(_, stamp)| stamp);
            cached_reading.record_survey_stamp(stamp);
        }
    }

    /// Marks all readings as saved in local state.
    pub(super) fn is_saved(&mut self) {
        for (_, cached_reading) in &mut self.files {
            cached_reading.is_unsaved = false;
        }
    }

    /// Clears the hashes of the files, so that the files are read again even if their bytes are the
    /// same.
    pub(super) fn forget_files(&mut self) {
        for (_, cached_reading) in &mut self.files {
            cached_reading.forget();
        }
    }

    fn forget(&mut self, path: &SitePath, cached_reading: &CachedReading<T>) {
        if let Some(index) = &mut self.index {
            index.remove(path, cached_reading);
        }
        if let Ok(at) = self.valid_reading_index(path) {
            self.last_valid.remove(at);
        }
    }

    /// Returns the index of a file's good reading. If there is none, the error is the index at
    /// which to insert the reading.
    fn valid_reading_index(&self, path: &SitePath) -> Result<usize, usize> {
        let exclusive_value = InWalkOrder(path.as_str());
        let at = self.last_valid.partition_point(|(one, _)| one.walk_order_key() < exclusive_value);
        let is_own = |(one, _): &(Arc<T>, u64)| one.walk_order_key() == exclusive_value;
        if self.last_valid.get(at).is_some_and(is_own) { Ok(at) } else { Err(at) }
    }

    /// Rereads the due files that changed or that depend on a changed file. Returns whether
    /// anything changed.
    pub(super) fn reread(
        &mut self,
        root: &Path,
        due: RereadFiles<'_>,
        is_awaited: impl Fn(&SitePath) -> bool + Sync,
        read: impl Fn(&SitePath) -> FileReading<T> + Sync,
    ) -> bool {
        match due {
            RereadFiles::Doubtful(suspect) => self.reread_suspect(root, suspect, is_awaited, read),
            RereadFiles::Touched { paths, has_new, .. } => {
                self.reread_touched(paths, has_new, is_awaited, read)
            }
        }
    }

    fn reread_suspect(
        &mut self,
        root: &Path,
        suspect: ChangeCheck<'_>,
        is_awaited: impl Fn(&SitePath) -> bool + Sync,
        read: impl Fn(&SitePath) -> FileReading<T> + Sync,
    ) -> bool {
        let has_read = AtomicBool::new(false);
        let changed = self
            .files
            .par_iter_mut()
            .with_max_len(FILES_PER_TASK)
            .map(|(path, cached_reading)| {
                if !cached_reading.is_due(Some(path), suspect) {
                    return false;
                }
                has_read.store(true, Ordering::Relaxed);
                if let Some((hash, looked_up)) = cached_reading.previous_state() {
                    let stamp = Stamp::of(&path.on_disk(root));
                    if is_same(root, path, hash, looked_up) {
                        cached_reading.confirm(stamp);
                        return false;
                    }
                }
                cached_reading.take(read(path), || is_awaited(path))
            })
            .reduce(|| false, |a, b| a | b);
        if has_read.into_inner() || self.last_valid.is_empty() {
            let files = self.files.iter();
            self.last_valid =
                files.filter_map(|(_, cached_reading)| cached_reading.shared()).collect();
            self.index = self.index.as_ref().map(|_| Index::of(&self.files));
        }
        changed
    }

    fn reread_touched(
        &mut self,
        touched: &[SitePath],
        has_new: bool,
        is_awaited: impl Fn(&SitePath) -> bool + Sync,
        read: impl Fn(&SitePath) -> FileReading<T> + Sync,
    ) -> bool {
        let due: Vec<usize> = self.due(touched, has_new).into_iter().collect();
        let files = &self.files;
        let read = |at: usize| (at, read(&files[at].0));
        let readings: Vec<(usize, FileReading<T>)> = if due.len() < MIN_PARALLEL_FILES {
            due.into_iter().map(read).collect()
        } else {
            due.into_par_iter().with_max_len(FILES_PER_TASK).map(read).collect()
        };
        let mut changed = false;
        for (at, reading) in readings {
            let path = self.files[at].0.clone();
            changed |= self.take(at, reading, || is_awaited(&path));
        }
        changed
    }

    fn due(&mut self, touched: &[SitePath], has_new: bool) -> BTreeSet<usize> {
        let mut due = BTreeSet::new();
        if has_new {
            let new = self.files.iter().enumerate();
            due.extend(
                new.filter(|(_, (_, cached_reading))| !cached_reading.was_read()).map(|(at, _)| at),
            );
        }
        self.make_index();
        for path in touched {
            let start = self.files.partition_point(|(file, _)| in_walk_order(file, path).is_lt());
            let inside = self.files[start..].iter().take_while(|(file, _)| {
                file == path || below(file.as_str(), path.as_str()).is_some()
            });
            due.extend(start..start + inside.count());
            let dependents = self.index.iter().flat_map(|index| index.dependents(path));
            due.extend(dependents.filter_map(|asker| self.place(asker)));
        }
        due
    }

    /// Returns the hash of a file's content at its last reading.
    pub(super) fn hash(&self, path: &SitePath) -> Option<u64> {
        let (_, cached_reading) = &self.files[self.place(path)?];
        cached_reading.previous_state().map(|(hash, _)| hash)
    }

    fn place(&self, path: &SitePath) -> Option<usize> {
        let by_path = |(file, _): &(SitePath, CachedReading<T>)| in_walk_order(file, path);
        self.files.binary_search_by(by_path).ok()
    }

    fn take(
        &mut self,
        at: usize,
        reading: FileReading<T>,
        is_awaited: impl FnOnce() -> bool,
    ) -> bool {
        let (path, cached_reading) = &mut self.files[at];
        if let Some(index) = &mut self.index {
            index.remove(path, cached_reading);
        }
        let changed = cached_reading.take(reading, is_awaited);
        if let Some(index) = &mut self.index {
            index.add(path, cached_reading);
        }
        if let Some(last_valid) = cached_reading.shared() {
            let path = path.clone();
            match self.valid_reading_index(&path) {
                Ok(at) => self.last_valid.replace(at, last_valid),
                Err(at) => self.last_valid.insert(at, last_valid),
            }
        }
        changed
    }

    pub(super) fn make_index(&mut self) {
        if self.index.is_none() {
            self.index = Some(Index::of(&self.files));
        }
    }

    pub(super) fn has_index(&self) -> bool {
        self.index.is_some()
    }

    pub(super) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// Returns the last good readings.
    pub(super) fn last_valid(&self) -> &List<(Arc<T>, u64)> {
        &self.last_valid
    }

    pub(super) fn incomplete_files(&self) -> Vec<&SitePath> {
        if let Some(index) = &self.index {
            return index.incomplete().collect();
        }
        let incomplete = self.files.iter().filter(|(_, cached_reading)| cached_reading.is_half);
        incomplete.map(|(path, _)| path).collect()
    }

    /// Returns every path that a file looked up. Some paths occur more than once.
    pub(super) fn looked_up(&self) -> Vec<&SitePath> {
        if let Some(index) = &self.index {
            return index.looked_up().collect();
        }
        let looked_up = self.files.iter().flat_map(|(_, cached_reading)| &cached_reading.looked_up);
        looked_up.map(|(path, _): &Lookup| path).collect()
    }

    /// Returns the paths outside these folders that a file looked up.
    pub(super) fn lookups_outside(&self, folders: &[&str]) -> Vec<&SitePath> {
        match &self.index {
            Some(index) => index.lookups_outside(folders),
            None => self.looked_up().into_iter().filter(|path| !is_in(path, folders)).collect(),
        }
    }

    /// Returns whether a file looked up a path. The folder must have an index.
    pub(super) fn is_looked_up(&self, path: &SitePath) -> bool {
        self.index.as_ref().is_some_and(|index| index.is_looked_up(path))
    }

    /// Returns the files with errors or warnings.
    pub(super) fn suspect(&self) -> Vec<&SitePath> {
        if let Some(index) = &self.index {
            return index.faulty().collect();
        }
        let suspect =
            self.files.iter().filter(|(_, cached_reading)| !cached_reading.found.is_empty());
        suspect.map(|(path, _)| path).collect()
    }

    pub(super) fn found(&self) -> impl Iterator<Item = &Diagnostic> {
        let suspect = self.suspect().into_iter();
        let files = suspect.filter_map(|path| Some(&self.files[self.place(path)?].1.found));
        self.listing.found.iter().chain(&self.found).chain(files.flatten())
    }
}

/// Returns whether a file is certainly content and does not affect which other files are content.
fn is_plain_content(path: &SitePath) -> bool {
    let name = path.file_name();
    path.extension() == "md" && !matches!(name, "index.md" | "_index.md" | "section.md")
}

impl<T> Default for Folder<T> {
    fn default() -> Self {
        Self {
            listing: Listing::default(),
            found: Vec::new(),
            beside: Vec::new(),
            files: Vec::new(),
            last_valid: List::default(),
            index: None,
        }
    }
}
