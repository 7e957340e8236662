//! The order of items in a feed.

use std::cmp::Ordering;

use jiff::Timestamp;

use super::Item;
use super::named::words;

words! {
    /// Date that a feed is sorted by.
    #[derive(Default)]
    SortKey {
        /// Date when the item was created.
        Created = "created_at",
        /// Date when the item was last changed.
        Updated = "updated_at",
        /// Date when the item was published.
        #[default]
        Published = "published_at",
    }

    /// Direction in which a feed is sorted.
    #[derive(Default)]
    SortOrder {
        /// Oldest first.
        Asc = "asc",
        /// Newest first.
        #[default]
        Desc = "desc",
    }
}

impl SortKey {
    /// Returns the date by which a build sorts an item. If that date is missing, returns the date
    /// of publication.
    pub fn date(self, item: &Item) -> Option<Timestamp> {
        match self {
            Self::Published => item.date_published,
            Self::Updated => item.updated(),
            Self::Created => item.date_created.or(item.date_published),
        }
    }
}

impl SortOrder {
    /// Compares two items by their dates and the paths of their files. A missing date is the
    /// oldest. In newest-first order, items with equal dates are in the order of their paths.
    pub fn compare<D: Ord>(self, a: (&D, &str), b: (&D, &str)) -> Ordering {
        let ascending = a.0.cmp(b.0).then_with(|| natural_order(b.1, a.1));
        match self {
            Self::Asc => ascending,
            Self::Desc => ascending.reverse(),
        }
    }
}

/// Compares two paths in natural order, with numbers by their value: `walk-2.md` comes before
/// `walk-10.md`.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut one, mut other) = (a.as_bytes(), b.as_bytes());
    while let (Some(first), Some(second)) = (one.first(), other.first()) {
        let order = if first.is_ascii_digit() && second.is_ascii_digit() {
            let (number, rest) = leading_number(one);
            let (other_number, other_rest) = leading_number(other);
            (one, other) = (rest, other_rest);
            (number.len(), number).cmp(&(other_number.len(), other_number))
        } else {
            let order = first.cmp(second);
            (one, other) = (&one[1..], &other[1..]);
            order
        };
        if order.is_ne() {
            return order;
        }
    }
    // `01` and `1` are equal numbers, but different strings.
    one.len().cmp(&other.len()).then_with(|| a.cmp(b))
}

/// Splits a string into its leading number, without leading zeros, and the rest.
fn leading_number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_digit());
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    let zeros = digits.iter().take_while(|byte| **byte == b'0').count();
    (&digits[zeros..], rest)
}
