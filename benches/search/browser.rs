//! The published site in headless Chromium (`browser.cjs`).

use super::known_items::KnownItem;
use super::site::Site;

/// Prints the table of the browser.
pub fn run(_site: &Site, _known: &[KnownItem]) {}
