//! Events of a running server. The terminal shows them to the author.

use std::time::Duration;

use model::{Diagnostic, SitePath};

#[derive(Debug, Clone)]
pub enum ServeEvent {
    /// Changed files were read, and the preview shows them.
    Changed {
        /// The files and folders that were touched.
        paths: Vec<SitePath>,
        /// Whether every file was checked for changes.
        everything: bool,
        took: Duration,
    },
    Faults(Vec<Diagnostic>),
    /// Another service refused a request, or work of the previous run could not be resumed.
    /// Contains the reason.
    Refused(String),
    /// All errors are fixed.
    ErrorsFixed,
    /// The system cannot report changes, for this reason. The files are checked every second
    /// instead.
    Polling(String),
}
