//! The order of the feed.

use std::cmp::Ordering;

use jiff::Timestamp;

use model::{Config, Item};

/// The order of the feed. Items without a date are the oldest; equal dates are in the order of their files' paths.
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
    let order = config.feed.order;
    order.compare((&first, a.source.as_str()), (&second, b.source.as_str()))
}
