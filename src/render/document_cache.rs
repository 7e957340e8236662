//! A cache of what the documents of one snapshot share.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;

use serde_json::Value;

use super::html::{Frame, Upcoming};
use super::routes::Routes;
use crate::model::Report;

/// The parts that documents of one snapshot and one theme share. It starts empty: each part is made when a
/// document or a path first needs it, and then kept. Never use it with another snapshot or theme.
#[derive(Debug, Default)]
pub struct DocumentCache {
    /// The route table, and the errors found in making it.
    pub(super) table: OnceLock<(Routes, Report)>,
    /// Former paths, each with the path it leads to.
    pub(super) former: OnceLock<HashMap<String, String>>,
    pub(super) frame: OnceLock<Frame>,
    pub(super) upcoming: OnceLock<Upcoming>,
    /// Hashes of the calendar data that pages of items, and pages of lists, show.
    pub(super) shown_of_calendars: OnceLock<(u64, u64)>,
    /// The template context that all Site Files share.
    pub(super) site_files: OnceLock<Value>,
    /// The hash of everything that all documents depend on.
    pub(super) fingerprint: OnceLock<u64>,
    /// How many documents were rendered, one that was rendered twice counted twice.
    pub(super) rendered: AtomicUsize,
}
