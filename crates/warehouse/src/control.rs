//! Stops work from outside: on cancellation, at a time limit, or when the program ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::error::{Fault, Reason};

/// A handle for stopping running work. Clones control the same work.
#[derive(Debug, Clone)]
pub struct Control {
    /// The requested [`Stop`], or 0 if no stop was requested.
    stopped: Arc<AtomicU8>,
    end: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The user cancelled the work.
    Cancelled = 1,
    Ending = 2,
}

/// Number of instructions of SQLite's virtual machine between two checks of a control. The number
/// is small, because a single instruction can call a function that creates a value of several
/// megabytes.
const STEPS: i32 = 200;

impl Control {
    /// Creates a control with an optional time limit.
    pub fn new(limit: Option<Duration>) -> Self {
        Self {
            stopped: Arc::default(),
            end: limit.and_then(|limit| Instant::now().checked_add(limit)),
        }
    }

    /// Returns a handle to the same work with a new time limit that starts now.
    #[must_use]
    pub fn within(&self, limit: Option<Duration>) -> Self {
        Self { stopped: Arc::clone(&self.stopped), ..Self::new(limit) }
    }

    /// Requests a stop. The work ends at its next check.
    pub fn stop(&self, why: Stop) {
        self.stopped.store(why as u8, Ordering::Relaxed);
    }

    /// Returns whether a stop was requested because the program ends.
    pub fn is_ending(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) == Stop::Ending as u8
    }

    /// Returns an error if the work must end. Running work must call this every few milliseconds.
    pub fn check(&self) -> Result<(), Fault> {
        if self.is_ending() {
            let words = "the server was stopped while the job was running: start the job again";
            return Err(Fault::new(Reason::Stopped, words));
        }
        if self.stopped.load(Ordering::Relaxed) == Stop::Cancelled as u8 {
            return Err(Fault::new(Reason::Stopped, "the job was cancelled"));
        }
        if self.end.is_some_and(|end| end <= Instant::now()) {
            Err(Fault::new(Reason::Timeout, "the job exceeded its time limit"))
        } else {
            Ok(())
        }
    }

    /// Makes SQLite interrupt statements of this connection when the work must end.
    pub fn watch(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let control = self.clone();
        connection.progress_handler(STEPS, Some(move || control.check().is_err()))
    }

    /// Converts an error from a watched connection to a fault. If the control interrupted the
    /// statement, the fault gives the reason for the stop. Otherwise, the fault is internal.
    pub fn explain(&self, error: &rusqlite::Error) -> Fault {
        match self.check() {
            Err(ended)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted) =>
            {
                ended
            }
            _ => Fault::internal(error),
        }
    }
}

impl Default for Control {
    /// Returns a control without a time limit.
    fn default() -> Self {
        Self::new(None)
    }
}
