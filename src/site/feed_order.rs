//! The order of the feed.

use std::cmp::Ordering;

use jiff::Timestamp;

use model::{Config, Item};

/// Compares two items by their order in the feed. Items without a date count as the oldest; items
/// with equal dates are ordered by the paths of their files.
pub fn compare(config: &Config, a: &Item, b: &Item) -> Ordering {
    let date = |item: &Item| config.feed.sort.date(item);
    compare_dated(config, (date(a), a), (date(b), b))
}

/// Compares two items as [`compare`] does, with dates that the caller already has.
pub fn compare_dated(
    config: &Config,
    (first, a): (Option<Timestamp>, &Item),
    (second, b): (Option<Timestamp>, &Item),
) -> Ordering {
    let order = config.feed.order;
    order.compare((&first, a.source.as_str()), (&second, b.source.as_str()))
}
