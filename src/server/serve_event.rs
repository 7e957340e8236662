//! What happens while a site is served, for who watches the terminal.

use std::time::Duration;

use crate::model::{Diagnostic, SitePath};

/// Something that happened.
#[derive(Debug, Clone)]
pub enum ServeEvent {
    /// Files were read again, and what they changed is shown.
    Changed {
        /// The files and folders that were touched.
        paths: Vec<SitePath>,
        /// Whether every file was looked at.
        everything: bool,
        /// How long it took.
        took: Duration,
    },
    /// Something is wrong or doubtful that was not before.
    Faults(Vec<Diagnostic>),
    /// What another service sent was not taken, and why.
    Refused(String),
    /// The last error was mended.
    Mended,
    /// The system cannot tell of changes, for this reason; the files are looked at every second.
    Polling(String),
}
