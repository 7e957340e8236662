//! An expression in SQLite's SQL.

use crate::types::Type;

/// An expression in SQLite's SQL, with the type of its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// The SQL, which can be an operand of any operator. It is in parentheses if necessary.
    pub sql: String,
    /// The type of the value. None for an untyped NULL, which fits every type.
    pub of: Option<Type>,
    /// The text of a string literal. It can be used where a date, a time or JSON is required.
    pub literal: Option<String>,
}

impl Expression {
    /// Creates an expression of this type.
    pub fn new(sql: impl Into<String>, of: Type) -> Self {
        Self { sql: sql.into(), of: Some(of), literal: None }
    }
}

/// An argument of a function.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    Value(Expression),
    /// A date or time part, by its name: `DATE_TRUNC(day, MONTH)`.
    Part(Part),
    /// An interval: `INTERVAL 3 DAY`. The count is an integer.
    Interval(Expression, Part),
}

/// A part of a date or time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Microsecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
    DayOfWeek,
    DayOfYear,
    /// Weeks that begin on a Sunday.
    Week,
    /// Weeks that begin on a given day, from 0 (Sunday) to 6, such as `WEEK(MONDAY)`.
    WeekFrom(u8),
    IsoWeek,
    Month,
    Quarter,
    Year,
    IsoYear,
    Date,
    Time,
    DateTime,
}

/// Every part with its name in SQL.
const PARTS: [(Part, &str); 24] = [
    (Part::Microsecond, "MICROSECOND"),
    (Part::Millisecond, "MILLISECOND"),
    (Part::Second, "SECOND"),
    (Part::Minute, "MINUTE"),
    (Part::Hour, "HOUR"),
    (Part::Day, "DAY"),
    (Part::DayOfWeek, "DAYOFWEEK"),
    (Part::DayOfYear, "DAYOFYEAR"),
    (Part::Week, "WEEK"),
    (Part::WeekFrom(0), "WEEK(SUNDAY)"),
    (Part::WeekFrom(1), "WEEK(MONDAY)"),
    (Part::WeekFrom(2), "WEEK(TUESDAY)"),
    (Part::WeekFrom(3), "WEEK(WEDNESDAY)"),
    (Part::WeekFrom(4), "WEEK(THURSDAY)"),
    (Part::WeekFrom(5), "WEEK(FRIDAY)"),
    (Part::WeekFrom(6), "WEEK(SATURDAY)"),
    (Part::IsoWeek, "ISOWEEK"),
    (Part::Month, "MONTH"),
    (Part::Quarter, "QUARTER"),
    (Part::Year, "YEAR"),
    (Part::IsoYear, "ISOYEAR"),
    (Part::Date, "DATE"),
    (Part::Time, "TIME"),
    (Part::DateTime, "DATETIME"),
];

impl Part {
    /// Returns the part with this name, such as `MONTH` or `WEEK(MONDAY)`. Case is ignored.
    pub fn parse(name: &str) -> Option<Self> {
        let (part, _) = PARTS.iter().find(|(_, known)| known.eq_ignore_ascii_case(name))?;
        Some(*part)
    }

    pub fn name(self) -> &'static str {
        let known = PARTS.iter().find(|(part, _)| *part == self);
        known.map_or("WEEK", |(_, name)| name)
    }
}
