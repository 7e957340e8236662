//! The order of a feed.

use std::cmp::Ordering;

use jiff::Timestamp;

use super::Item;

/// What a feed is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SortKey {
    Created,
    /// When items were last changed.
    Updated,
    #[default]
    Published,
}

impl SortKey {
    pub const NAMES: [&str; 3] = ["created_at", "updated_at", "published_at"];

    pub fn parse(text: &str) -> Option<Self> {
        [Self::Created, Self::Updated, Self::Published]
            .into_iter()
            .find(|key| key.as_str() == text)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created_at",
            Self::Updated => "updated_at",
            Self::Published => "published_at",
        }
    }

    /// The date by which a build sorts an item; the date of publication if it has no other.
    pub fn date(self, item: &Item) -> Option<Timestamp> {
        match self {
            Self::Published => item.date_published,
            Self::Updated => item.updated(),
            Self::Created => item.date_created.or(item.date_published),
        }
    }
}

/// Which way a feed is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SortOrder {
    /// Oldest first.
    Asc,
    /// Newest first.
    #[default]
    Desc,
}

impl SortOrder {
    pub const NAMES: [&str; 2] = ["asc", "desc"];

    pub fn parse(text: &str) -> Option<Self> {
        [Self::Asc, Self::Desc]
            .into_iter()
            .find(|order| order.as_str() == text)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asc => "asc",
            Self::Desc => "desc",
        }
    }

    /// Compares two items by their dates and the paths of their files: no date is the oldest, and equal dates are in
    /// the order of paths, newest first.
    pub fn compare<D: Ord>(self, a: (&D, &str), b: (&D, &str)) -> Ordering {
        let ascending = a.0.cmp(b.0).then_with(|| natural_order(b.1, a.1));
        match self {
            Self::Asc => ascending,
            Self::Desc => ascending.reverse(),
        }
    }
}

/// Compares two paths as people sort them, numbers by their value: `walk-2.md` comes before `walk-10.md`.
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
    // `01` and `1` are equal numbers in two texts.
    one.len().cmp(&other.len()).then_with(|| a.cmp(b))
}

/// The digits that a text starts with, without leading zeros, and the rest.
fn leading_number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_digit());
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    let zeros = digits.iter().take_while(|byte| **byte == b'0').count();
    (&digits[zeros..], rest)
}
