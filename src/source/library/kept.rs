//! What is kept of a file between readings.

use std::sync::Arc;

use crate::model::{Diagnostic, SitePath};
use crate::source::disk::{Asked, Stamp};
use crate::source::reading::{Extent, FileReading};

/// Whether a file, which was like this, may be another now.
pub(super) type Doubt<'d> = &'d (dyn Fn(&SitePath, Stamp) -> bool + Sync);

/// What is kept of a file.
#[derive(Debug)]
pub(super) struct Kept<T> {
    /// What it was read into when it last could be.
    good: Option<(Arc<T>, u64)>,
    /// What is wrong with it now.
    pub(super) found: Vec<Diagnostic>,
    /// What its file was like; none where it was never read.
    stamp: Option<Stamp>,
    /// The other files it depends on.
    pub(super) asked: Vec<Asked>,
    /// How much of it was there when it last could be read.
    extent: Extent,
    /// Whether less of it was there the last time, which is about to come.
    pub(super) is_half: bool,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self {
            good: None,
            found: Vec::new(),
            stamp: None,
            asked: Vec::new(),
            extent: Extent::Blank,
            is_half: false,
        }
    }
}

impl<T: PartialEq> Kept<T> {
    /// Whether it is to be read: always at first, then when something it depends on is doubtful.
    /// `path` is its file, where that has one name alone.
    pub(super) fn is_due(&self, path: Option<&SitePath>, doubtful: Doubt<'_>) -> bool {
        let Some(stamp) = self.stamp else { return true };
        path.is_some_and(|path| doubtful(path, stamp))
            || self
                .asked
                .iter()
                .any(|(path, stamp)| doubtful(path, *stamp))
    }

    pub(super) fn shared(&self) -> Option<(Arc<T>, u64)> {
        let (value, fingerprint) = self.good.as_ref()?;
        Some((Arc::clone(value), *fingerprint))
    }

    /// Takes a new reading. Answers whether it differs from what was known; what does not stays the
    /// very same value, so that what was made of it can be kept too.
    ///
    /// Of a file of which less is there than before, and whose rest `is_awaited`, it stays what it was.
    pub(super) fn take(
        &mut self,
        reading: FileReading<T>,
        is_awaited: impl FnOnce() -> bool,
    ) -> bool {
        self.is_half = self.good.is_some() && reading.extent < self.extent && is_awaited();
        if self.is_half {
            self.stamp = Some(Stamp::Young);
            return false;
        }
        let mut changed = self.found != reading.found;
        self.found = reading.found;
        self.stamp = Some(reading.stamp);
        self.asked = reading.asked;
        if let Some((value, fingerprint)) = reading.value {
            let same = |(known, before): &(Arc<T>, u64)| *before == fingerprint && **known == value;
            if !self.good.as_ref().is_some_and(same) {
                self.good = Some((Arc::new(value), fingerprint));
                changed = true;
            }
            self.extent = reading.extent;
        }
        changed
    }
}
