//! How work is stopped from outside: by whoever cancels it, and by the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::error::{Fault, Reason};

/// Tells a piece of work whether it may go on. A clone is another handle to the same work.
#[derive(Debug, Clone)]
pub struct Control {
    /// Who stopped it: nobody, or a [`Stop`].
    stopped: Arc<AtomicU8>,
    end: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Somebody does not want it any more.
    Cancelled = 1,
    Ending = 2,
}

/// Steps of SQLite's virtual machine between two looks at a control. Few, since one can be the call of a
/// function that makes a value of megabytes.
const STEPS: i32 = 200;

impl Control {
    /// Work that may go on for this long, or for ever.
    pub fn new(limit: Option<Duration>) -> Self {
        Self {
            stopped: Arc::default(),
            end: limit.and_then(|limit| Instant::now().checked_add(limit)),
        }
    }

    /// The same work, which may go on for this long from now.
    #[must_use]
    pub fn within(&self, limit: Option<Duration>) -> Self {
        Self { stopped: Arc::clone(&self.stopped), ..Self::new(limit) }
    }

    /// Stops the work at its next look.
    pub fn stop(&self, why: Stop) {
        self.stopped.store(why as u8, Ordering::Relaxed);
    }

    /// Whether the work was stopped because the program ends.
    pub fn is_ending(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) == Stop::Ending as u8
    }

    /// Err where the work is to end. Work calls this often, after every few milliseconds.
    pub fn check(&self) -> Result<(), Fault> {
        if self.is_ending() {
            let words = "the server was stopped while this job ran: start it again";
            return Err(Fault::new(Reason::Stopped, words));
        }
        if self.stopped.load(Ordering::Relaxed) == Stop::Cancelled as u8 {
            return Err(Fault::new(Reason::Stopped, "the job was cancelled"));
        }
        if self.end.is_some_and(|end| end <= Instant::now()) {
            Err(Fault::new(Reason::Timeout, "the job took longer than it may"))
        } else {
            Ok(())
        }
    }

    /// Interrupts what this connection does as soon as the work is to end.
    pub fn watch(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let control = self.clone();
        connection.progress_handler(STEPS, Some(move || control.check().is_err()))
    }

    /// What an error of a watched connection means: that the work was ended, or its own fault.
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
    /// Work that may go on for ever.
    fn default() -> Self {
        Self::new(None)
    }
}
