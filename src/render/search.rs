//! The script of the search dialog and the search page.

/// The script. It reads the feed, finds items that hold every word, and shows them.
pub const SCRIPT: &str = include_str!("search.js");
