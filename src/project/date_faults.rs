//! Finds published items without a date. Episodes without a date are reported by the rules for
//! podcasts (`podcast_faults`).

use std::path::Path;

use super::Site;
use super::podcast_faults::Missing;
use model::{Diagnostic, Item, Rule, Status};

/// Warns about each published item without a date, except episodes.
pub(super) fn date_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let config = &site.snapshot.config;
    let is_undated = |item: &&Item| {
        item.status == Status::Published
            && item.date_published.is_none()
            && !(config.feed.rss && item.is_episode())
    };
    let items = site.snapshot.entries.iter().map(|entry| &*entry.item);
    let lacking = items.filter(is_undated).filter_map(|item| {
        let front = Missing { root, config, file: &item.source };
        let (key, message) =
            ("date_published", "this item has no date: lists and feeds put it last");
        front.warn_missing(Rule::ItemDate, "title", key, message, |notation| {
            format!("write {}", notation.line(key, "2026-11-20T09:30:00Z"))
        })
    });
    lacking.collect()
}
