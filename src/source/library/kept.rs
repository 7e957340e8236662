//! What is remembered of a file until it is read again.

use std::sync::Arc;

use crate::model::{Diagnostic, SitePath};
use crate::source::disk::{Asked, Stamp};
use crate::source::reading::{Extent, FileReading};

/// Whether a file that had this stamp may have changed.
pub(super) type Doubt<'d> = &'d (dyn Fn(&SitePath, Stamp) -> bool + Sync);

/// What is remembered of a file.
#[derive(Debug)]
pub(super) struct Kept<T> {
    /// The last good reading, with its fingerprint.
    good: Option<(Arc<T>, u64)>,
    /// What is wrong with it now.
    pub(super) found: Vec<Diagnostic>,
    /// The file's stamp when it was read; None if it never was.
    stamp: Option<Stamp>,
    /// The other files it depends on.
    pub(super) asked: Vec<Asked>,
    /// How much of the file was there at the last good reading.
    extent: Extent,
    /// Whether the file was incomplete at the last reading, and the rest is awaited.
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
    /// Whether it has to be read: at first always, later if it or a file it depends on is doubtful. `path`
    /// is its file, if that has only one name.
    pub(super) fn is_due(&self, path: Option<&SitePath>, doubtful: Doubt<'_>) -> bool {
        let Some(stamp) = self.stamp else { return true };
        path.is_some_and(|path| doubtful(path, stamp))
            || self
                .asked
                .iter()
                .any(|(path, stamp)| doubtful(path, *stamp))
    }

    pub(super) fn was_read(&self) -> bool {
        self.stamp.is_some()
    }

    pub(super) fn shared(&self) -> Option<(Arc<T>, u64)> {
        let (value, fingerprint) = self.good.as_ref()?;
        Some((Arc::clone(value), *fingerprint))
    }

    /// Takes a new reading. Answers whether it differs from the known one. If not, the same shared value
    /// stays, so that whatever was made from it can be kept too.
    ///
    /// If the file is less complete than before and the rest `is_awaited`, the known value stays.
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
