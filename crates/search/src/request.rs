//! Validates a query's parameters, and computes the identity that binds cursors to a query.

use xxhash_rust::xxh3::Xxh3;

use super::document::{Kind, Status};
use super::query::{Field, MAX_CURSOR_LENGTH, MAX_LIMIT, MAX_TEXT_LENGTH, Query, QueryError};

/// Version of the order of results. Increase it when the order changes, so that old cursors are
/// rejected.
const ORDER_VERSION: u64 = 3;

impl Query<'_> {
    /// Returns an error if a parameter exceeds its limits.
    pub(super) fn check(&self) -> Result<(), QueryError> {
        let wrong = |field, message: String| Err(QueryError { field, message });
        let length = self.text.chars().count();
        if !(1..=MAX_TEXT_LENGTH).contains(&length) {
            return wrong(
                "q",
                format!("must have 1 to {MAX_TEXT_LENGTH} characters, not {length}"),
            );
        }
        if !(1..=MAX_LIMIT).contains(&self.limit) {
            return wrong("limit", format!("must be from 1 to {MAX_LIMIT}, not {}", self.limit));
        }
        match self.cursor.map(str::len) {
            Some(length) if !(1..=MAX_CURSOR_LENGTH).contains(&length) => wrong(
                "next_cursor",
                format!("must have 1 to {MAX_CURSOR_LENGTH} characters, not {length}"),
            ),
            _ => Ok(()),
        }
    }

    /// Returns a hash that binds a cursor to its query. It covers the version of the order, and all
    /// parameters except the limit and the cursor.
    pub(super) fn identity(&self) -> u64 {
        let mut hash = Xxh3::with_seed(ORDER_VERSION);
        hash.update(self.text.as_bytes());
        hash.update(&[
            0xFF,
            u8::from(self.types.contains(&Kind::Item)),
            u8::from(self.types.contains(&Kind::Page)),
            u8::from(self.searches(Field::Title)),
            u8::from(self.searches(Field::Content)),
        ]);
        for status in [Status::Published, Status::Unlisted, Status::Unpublished] {
            hash.update(&[u8::from(self.statuses.contains(&status))]);
        }
        for bound in [self.published_after_ms, self.published_before_ms] {
            hash.update(&[u8::from(bound.is_some())]);
            hash.update(&bound.unwrap_or_default().to_le_bytes());
        }
        hash.update(self.filter.map_or("", |filter| filter.name).as_bytes());
        hash.digest()
    }

    pub(super) fn searches(&self, field: Field) -> bool {
        self.fields.contains(&field)
    }
}
