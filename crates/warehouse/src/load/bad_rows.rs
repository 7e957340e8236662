//! Counts the rows that cannot be loaded, limits their number, and keeps their first errors.

use crate::error::{Fault, Reason};

/// Maximum number of bad rows whose faults are listed.
const MAX_LISTED: usize = 100;

/// The bad rows of a load.
#[derive(Debug)]
pub(super) struct BadRows {
    max_count: u64,
    pub count: u64,
    /// The faults of the first bad rows.
    pub listed: Vec<Fault>,
}

impl BadRows {
    /// Creates an empty list. `max_count` is the number of bad rows that a load is allowed to skip.
    pub(super) fn new(max_count: u64) -> Self {
        Self { max_count, count: 0, listed: Vec::new() }
    }

    /// Records a bad row. Returns an error if there are now too many bad rows.
    pub(super) fn note(&mut self, fault: Fault) -> Result<(), Fault> {
        self.count += 1;
        let message = fault.message.clone();
        if self.listed.len() < MAX_LISTED {
            self.listed.push(fault);
        }
        match (self.count <= self.max_count, self.max_count) {
            (true, _) => Ok(()),
            (false, 0) => Err(Fault::new(Reason::Invalid, message)),
            (false, max_count) => Err(Fault::new(
                Reason::Invalid,
                format!(
                    "there are more bad rows than maxBadRecords allows ({max_count}); the last one: {message}"
                ),
            )),
        }
    }
}
