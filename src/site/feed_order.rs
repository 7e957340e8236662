//! The order of the feed.

use std::cmp::Ordering;

use jiff::Timestamp;

use crate::model::{Config, Item};

/// The order of the feed. Items without a date are the oldest; equal dates keep the order of ids.
pub fn compare(config: &Config, a: &Item, b: &Item) -> Ordering {
    let date = |item: &Item| config.feed.sort.date(item);
    compare_dated(config, (date(a), a), (date(b), b))
}

/// The same for items whose dates are at hand.
pub fn compare_dated(
    config: &Config,
    (first, a): (Option<Timestamp>, &Item),
    (second, b): (Option<Timestamp>, &Item),
) -> Ordering {
    let in_order = config.feed.order.compare((&first, &a.id), (&second, &b.id));
    // Two files with one id are an error; their order is still fixed.
    in_order.then_with(|| a.source.cmp(&b.source))
}
