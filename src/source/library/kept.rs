//! What is remembered of a file until it is read again.

use std::io::{self, Read};
use std::sync::Arc;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::reading::{Extent, FileReading};
use crate::stamp::{Asked, Stamp};
use model::{Diagnostic, SitePath};

/// Whether a file that had this stamp may have changed.
pub(super) type Doubt<'d> = &'d (dyn Fn(&SitePath, Stamp) -> bool + Sync);

/// What is remembered of a file.
#[derive(Debug, BorshDeserialize, BorshSerialize)]
pub(super) struct Kept<T> {
    /// The last good reading, with its fingerprint.
    #[borsh(deserialize_with = "read_good", bound(deserialize = "T: BorshDeserialize"))]
    good: Option<(Arc<T>, u64)>,
    /// What is wrong with it now.
    pub(super) found: Vec<Diagnostic>,
    /// The file's stamp when it was read; None if it never was.
    stamp: Option<Stamp>,
    /// The hash of its bytes then, if it is a content file and could be read.
    hash: Option<u64>,
    /// The other files it depends on.
    pub(super) asked: Vec<Asked>,
    /// How much of the file was there at the last good reading.
    extent: Extent,
    /// The file's stamp in the survey that this run began with, until that was used.
    #[borsh(skip)]
    seen: Option<Stamp>,
    /// Whether the file was incomplete at the last reading, and the rest is awaited.
    #[borsh(skip)]
    pub(super) is_half: bool,
    /// Whether local state does not have it like this.
    #[borsh(skip)]
    pub(super) is_unsaved: bool,
}

/// Reads a value right into its place.
fn read_good<T: BorshDeserialize, R: Read>(reader: &mut R) -> io::Result<Option<(Arc<T>, u64)>> {
    if !bool::deserialize_reader(reader)? {
        return Ok(None);
    }
    let value = Arc::new(T::deserialize_reader(reader)?);
    Ok(Some((value, u64::deserialize_reader(reader)?)))
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self {
            good: None,
            found: Vec::new(),
            stamp: None,
            hash: None,
            asked: Vec::new(),
            seen: None,
            extent: Extent::Blank,
            is_half: false,
            is_unsaved: false,
        }
    }
}

impl<T: PartialEq> Kept<T> {
    /// Whether it has to be read: at first always, later if it or a file it depends on is doubtful. `path`
    /// is its file, if that has only one name.
    pub(super) fn is_due(&mut self, path: Option<&SitePath>, doubtful: Doubt<'_>) -> bool {
        // Used once, whatever becomes of it: the file may change any time after that look.
        let seen = self.seen.take();
        let Some(stamp) = self.stamp else { return true };
        let is_seen = seen.is_some_and(|seen| seen == stamp);
        path.is_some_and(|path| !is_seen && doubtful(path, stamp))
            || self.asked.iter().any(|(path, stamp)| doubtful(path, *stamp))
    }

    pub(super) fn was_read(&self) -> bool {
        self.stamp.is_some()
    }

    pub(super) fn shared(&self) -> Option<(Arc<T>, u64)> {
        let (value, fingerprint) = self.good.as_ref()?;
        Some((Arc::clone(value), *fingerprint))
    }

    /// The hash of the file when it was read, and the other files it depends on, unless it has to be read again
    /// all the same.
    pub(super) fn known(&self) -> Option<(u64, &[Asked])> {
        let hash = self.hash.filter(|_| self.good.is_some() && !self.is_half)?;
        Some((hash, &self.asked))
    }

    /// Notes the file's stamp. One that is too young tells nothing.
    pub(super) fn see(&mut self, stamp: Option<Stamp>) {
        self.seen = stamp.filter(|stamp| *stamp != Stamp::Young);
    }

    /// Forgets what the file held.
    pub(super) fn forget(&mut self) {
        self.hash = None;
    }

    /// Notes that a file with another stamp is the same.
    pub(super) fn confirm(&mut self, stamp: Stamp) {
        self.is_unsaved |= self.stamp != Some(stamp);
        self.stamp = Some(stamp);
    }

    /// What was read, and the hash of the file, where nobody else holds it yet.
    pub(super) fn own(&mut self) -> Option<(&mut T, u64)> {
        let (value, _) = self.good.as_mut()?;
        Some((Arc::get_mut(value)?, self.hash?))
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
        self.is_unsaved = true;
        // The last good value is not that of a broken file: it must not be kept as if it were.
        self.hash = reading.hash.filter(|_| reading.value.is_some());
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
