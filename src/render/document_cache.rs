//! What the documents of one snapshot share, made once and kept.

use std::collections::HashMap;
use std::sync::OnceLock;

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
    /// Hashes of what the pages of items, and of lists of items, show of the calendars.
    pub(super) shown_of_calendars: OnceLock<(u64, u64)>,
    /// The context of all Site Files.
    pub(super) site_files: OnceLock<Value>,
    /// The hash of what every document depends on.
    pub(super) fingerprint: OnceLock<u64>,
}
