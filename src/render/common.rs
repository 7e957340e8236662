//! What the documents of one snapshot have in common.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde_json::Value;

use super::html::{Frame, Upcoming};
use super::routes::Routes;
use crate::model::Report;

/// What documents of one snapshot, drawn with one theme, have in common. It is empty at first: each
/// part is made when a document or a path first needs it, and then kept. It lies beside its snapshot
/// and theme, and is never used with others.
#[derive(Debug, Default)]
pub struct Common {
    /// The route table, and what is wrong with it.
    pub(super) table: OnceLock<(Routes, Report)>,
    /// Former paths, each with the path it leads to.
    pub(super) former: OnceLock<HashMap<String, String>>,
    /// What every HTML page shares.
    pub(super) frame: OnceLock<Frame>,
    /// What comes next in the calendars.
    pub(super) upcoming: OnceLock<Upcoming>,
    /// What the pages of items, and of lists of items, show of the calendars, as hashes.
    pub(super) shown_of_calendars: OnceLock<(u64, u64)>,
    /// The context of all Site Files.
    pub(super) site_files: OnceLock<Value>,
    /// The hash of what every document depends on.
    pub(super) fingerprint: OnceLock<u64>,
}
