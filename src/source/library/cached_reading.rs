//! The cached state of a file. It is kept until the file is read again.

use std::io::{self, Read};
use std::sync::Arc;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::reading::{Extent, FileReading};
use crate::stamp::{Lookup, Stamp};
use model::{Diagnostic, SitePath};

/// A function that returns whether a file may have changed since it had the given stamp.
pub(super) type ChangeCheck<'d> = &'d (dyn Fn(&SitePath, Stamp) -> bool + Sync);

/// The last readings of a file, and the data to decide whether to reread it.
#[derive(Debug, BorshDeserialize, BorshSerialize)]
pub(super) struct CachedReading<T> {
    /// The last good reading, with its fingerprint.
    #[borsh(deserialize_with = "read_valid", bound(deserialize = "T: BorshDeserialize"))]
    last_valid: Option<(Arc<T>, u64)>,
    /// The file's current errors and warnings.
    pub(super) found: Vec<Diagnostic>,
    /// The file's stamp at the last reading. `None` if the file was never read.
    stamp: Option<Stamp>,
    /// The hash of the file's bytes at the last reading, if it is a content file and could be read.
    hash: Option<u64>,
    /// The other files that this file depends on.
    pub(super) looked_up: Vec<Lookup>,
    /// How complete the file was at the last good reading.
    extent: Extent,
    /// The file's stamp from the start of this run, when all files were listed. `None` after the
    /// stamp was used.
    #[borsh(skip)]
    surveyed_stamp: Option<Stamp>,
    /// Whether the file was incomplete at the last reading, and the library waits until it is saved
    /// completely.
    #[borsh(skip)]
    pub(super) is_half: bool,
    /// Whether the last good reading is not saved in local state yet.
    #[borsh(skip)]
    pub(super) is_unsaved: bool,
}

/// Deserializes a good reading, with its value placed directly in an `Arc`.
fn read_valid<T: BorshDeserialize, R: Read>(reader: &mut R) -> io::Result<Option<(Arc<T>, u64)>> {
    if !bool::deserialize_reader(reader)? {
        return Ok(None);
    }
    let value = Arc::new(T::deserialize_reader(reader)?);
    Ok(Some((value, u64::deserialize_reader(reader)?)))
}

impl<T> Default for CachedReading<T> {
    fn default() -> Self {
        Self {
            last_valid: None,
            found: Vec::new(),
            stamp: None,
            hash: None,
            looked_up: Vec::new(),
            surveyed_stamp: None,
            extent: Extent::Blank,
            is_half: false,
            is_unsaved: false,
        }
    }
}

impl<T: PartialEq> CachedReading<T> {
    /// Returns whether the file must be read. This is the case before its first reading, and
    /// whenever the file, or a file that it depends on, may have changed. `path` is `None` if the
    /// file can have one of several names.
    pub(super) fn is_due(&mut self, path: Option<&SitePath>, suspect: ChangeCheck<'_>) -> bool {
        // The stamp from the start of the run is used only once, because the file may change at any
        // later time.
        let surveyed_stamp = self.surveyed_stamp.take();
        let Some(stamp) = self.stamp else { return true };
        let is_seen = surveyed_stamp.is_some_and(|surveyed_stamp| surveyed_stamp == stamp);
        path.is_some_and(|path| !is_seen && suspect(path, stamp))
            || self.looked_up.iter().any(|(path, stamp)| suspect(path, *stamp))
    }

    pub(super) fn was_read(&self) -> bool {
        self.stamp.is_some()
    }

    pub(super) fn shared(&self) -> Option<(Arc<T>, u64)> {
        let (value, fingerprint) = self.last_valid.as_ref()?;
        Some((Arc::clone(value), *fingerprint))
    }

    /// Returns the hash of the file at the last reading, and the files it depends on. Returns
    /// `None` if the file must be reread even if its bytes are the same.
    pub(super) fn previous_state(&self) -> Option<(u64, &[Lookup])> {
        let hash = self.hash.filter(|_| self.last_valid.is_some() && !self.is_half)?;
        Some((hash, &self.looked_up))
    }

    /// Records the file's stamp from the start of the run. A stamp that is too recent to be
    /// reliable is ignored.
    pub(super) fn record_survey_stamp(&mut self, stamp: Option<Stamp>) {
        self.surveyed_stamp = stamp.filter(|stamp| *stamp != Stamp::Young);
    }

    /// Clears the hash of the file's content.
    pub(super) fn forget(&mut self) {
        self.hash = None;
    }

    /// Records the new stamp of a file whose content is the same.
    pub(super) fn confirm(&mut self, stamp: Stamp) {
        self.is_unsaved |= self.stamp != Some(stamp);
        self.stamp = Some(stamp);
    }

    /// Returns the value that was read and the hash of the file, if the value is not shared yet.
    pub(super) fn exclusive_value(&mut self) -> Option<(&mut T, u64)> {
        let (value, _) = self.last_valid.as_mut()?;
        Some((Arc::get_mut(value)?, self.hash?))
    }

    /// Stores a new reading. Returns whether it differs from the previous reading. If the readings
    /// are equal, the shared value is kept, so that data derived from the value stays valid.
    ///
    /// If the file is less complete than before and `is_awaited` returns true, the previous value
    /// is kept.
    pub(super) fn take(
        &mut self,
        reading: FileReading<T>,
        is_awaited: impl FnOnce() -> bool,
    ) -> bool {
        self.is_half = self.last_valid.is_some() && reading.extent < self.extent && is_awaited();
        if self.is_half {
            self.stamp = Some(Stamp::Young);
            return false;
        }
        self.is_unsaved = true;
        // For a broken file, the last good value does not belong to the current bytes, so no hash
        // is stored.
        self.hash = reading.hash.filter(|_| reading.value.is_some());
        let mut changed = self.found != reading.found;
        self.found = reading.found;
        self.stamp = Some(reading.stamp);
        self.looked_up = reading.looked_up;
        if let Some((value, fingerprint)) = reading.value {
            let same = |(previous_state, before): &(Arc<T>, u64)| {
                *before == fingerprint && **previous_state == value
            };
            if !self.last_valid.as_ref().is_some_and(same) {
                self.last_valid = Some((Arc::new(value), fingerprint));
                changed = true;
            }
            self.extent = reading.extent;
        }
        changed
    }
}
