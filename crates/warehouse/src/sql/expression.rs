//! Expressions in SQLite's SQL.

use crate::types::Type;

/// An expression in SQLite's SQL, and the type of its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// The SQL, in parentheses if necessary, so that it can be an operand of any operator.
    pub sql: String,
    /// The type of the value. `None` means an untyped NULL, which converts to every type.
    pub of: Option<Type>,
    /// The text of a string literal. The literal can be converted to other types, such as DATE.
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
    /// The name of a date or time part, such as `MONTH` in `DATE_TRUNC(day, MONTH)`.
    Part(Part),
    /// An interval such as `INTERVAL 3 DAY`. The count is an integer.
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
    /// Weeks that start on Sunday.
    Week,
    /// Weeks that start on a specific day, such as `WEEK(MONDAY)`. The number is the day, from 0
    /// (Sunday) to 6 (Saturday).
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

/// All parts with their names in SQL.
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
    /// Returns the part with this name, such as `MONTH` or `WEEK(MONDAY)`, ignoring case.
    pub fn parse(name: &str) -> Option<Self> {
        let (part, _) = PARTS.iter().find(|(_, known)| known.eq_ignore_ascii_case(name))?;
        Some(*part)
    }

    pub fn name(self) -> &'static str {
        let known = PARTS.iter().find(|(part, _)| *part == self);
        known.map_or("WEEK", |(_, name)| name)
    }
}
