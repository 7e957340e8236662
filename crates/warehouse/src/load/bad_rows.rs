//! Rows that cannot be loaded: how many there may be, and what was wrong with the first.

use crate::error::{Fault, Reason};

/// Most bad rows whose faults are listed.
const MOST_LISTED: usize = 100;

/// The bad rows of a load.
#[derive(Debug)]
pub(super) struct BadRows {
    most: u64,
    pub count: u64,
    /// What was wrong with the first of them.
    pub listed: Vec<Fault>,
}

impl BadRows {
    /// Up to `most` rows may be passed over.
    pub(super) fn new(most: u64) -> Self {
        Self { most, count: 0, listed: Vec::new() }
    }

    /// Notes one. Err where there are too many now.
    pub(super) fn note(&mut self, fault: Fault) -> Result<(), Fault> {
        self.count += 1;
        let message = fault.message.clone();
        if self.listed.len() < MOST_LISTED {
            self.listed.push(fault);
        }
        match (self.count <= self.most, self.most) {
            (true, _) => Ok(()),
            (false, 0) => Err(Fault::new(Reason::Invalid, message)),
            (false, most) => Err(Fault::new(
                Reason::Invalid,
                format!(
                    "more rows are bad than the {most} that maxBadRecords allows; the last: {message}"
                ),
            )),
        }
    }
}
