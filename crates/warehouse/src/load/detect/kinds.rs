//! Narrows down the type of a column by the text of its values.

use jiff::tz::TimeZone;

use crate::load::scalar::Scalars;
use crate::load::times::{self, Zone};
use crate::types::Type;

/// A set of possible types. Each value rules out some of the types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PossibleTypes(u8);

const BOOLEAN: u8 = 1;
const INTEGER: u8 = 2;
const FLOAT: u8 = 4;
const DATE: u8 = 8;
const TIME: u8 = 16;
const DATETIME: u8 = 32;
const TIMESTAMP: u8 = 64;

impl PossibleTypes {
    /// Every type, before any value has been examined.
    pub(super) const ANY: Self = Self(u8::MAX);

    pub(super) fn of(text: &str) -> Self {
        let text = text.trim_ascii();
        let is = |of: &Type| Scalars::new(TimeZone::UTC).text(of, text).is_ok();
        Self(match text.as_bytes().first() {
            None => 0,
            Some(first) if first.is_ascii_digit() && times::date(text).is_some() => {
                DATE | DATETIME | TIMESTAMP
            }
            Some(first) if first.is_ascii_digit() && times::time(text).is_some() => TIME,
            Some(first) if first.is_ascii_digit() && times::instant(text).is_some() => moment(text),
            _ if is(&Type::Integer) => INTEGER | FLOAT,
            _ if is(&Type::Float) => FLOAT,
            // 1 and 0 are also valid as BOOL, but are detected as numbers above.
            _ if is(&Type::Boolean) => BOOLEAN,
            _ => 0,
        })
    }

    /// Returns the possible types of a JSON string. Number types are excluded, because numbers in
    /// JSON have no quotes.
    pub(super) fn of_text(text: &str) -> Self {
        Self(Self::of(text).0 & (DATE | TIME | DATETIME | TIMESTAMP))
    }

    /// Returns the types that are in both sets.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the most specific type. A column without values becomes a STRING column.
    pub(super) fn narrowest(self) -> Type {
        let has = |kind: u8| self.0 & kind != 0;
        match self {
            Self::ANY => Type::String,
            _ if has(BOOLEAN) => Type::Boolean,
            _ if has(INTEGER) => Type::Integer,
            _ if has(FLOAT) => Type::Float,
            _ if has(DATE) => Type::Date,
            _ if has(TIME) => Type::Time,
            _ if has(DATETIME) => Type::DateTime,
            _ if has(TIMESTAMP) => Type::Timestamp,
            _ => Type::String,
        }
    }
}

/// Returns the possible types of a date with a time. As in BigQuery, text with a `T` and without a
/// time zone can be a DATETIME. All other text is a TIMESTAMP.
fn moment(text: &str) -> u8 {
    let is_zoned = !matches!(times::instant(text), Some((_, _, Zone::None)));
    if is_zoned || !text.contains(['T', 't']) { TIMESTAMP } else { DATETIME | TIMESTAMP }
}
