//! An expression, said in SQLite's words.

use crate::warehouse::types::Type;

/// An expression in SQLite's SQL, with the type of its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// Its SQL: an operand of any operator, in parentheses where it has to be.
    pub sql: String,
    /// The type of its value. None where it is NULL without a type, which is a value of any.
    pub of: Option<Type>,
    /// The text of a string literal: it can stand for a date, a time or JSON where one is needed.
    pub literal: Option<String>,
}

impl Expression {
    /// An expression of this type.
    pub fn new(sql: impl Into<String>, of: Type) -> Self {
        Self {
            sql: sql.into(),
            of: Some(of),
            literal: None,
        }
    }
}

/// An argument of a function.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A value.
    Value(Expression),
    /// A part of dates and times, by its name: `DATE_TRUNC(day, MONTH)`.
    Part(Part),
    /// A length of time: `INTERVAL 3 DAY`. The count is an integer.
    Interval(Expression, Part),
}

/// A part of dates and times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
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
    /// Weeks that begin on a Monday: `WEEK(MONDAY)`. From 0 (Sunday) to 6.
    WeekFrom(u8),
    IsoWeek,
    Month,
    Quarter,
    Year,
    IsoYear,
    Date,
    Time,
}

impl Part {
    /// The part with this name, `WEEK(…)` not among them.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name.to_ascii_uppercase().as_str() {
            "MICROSECOND" => Self::Microsecond,
            "MILLISECOND" => Self::Millisecond,
            "SECOND" => Self::Second,
            "MINUTE" => Self::Minute,
            "HOUR" => Self::Hour,
            "DAY" => Self::Day,
            "DAYOFWEEK" => Self::DayOfWeek,
            "DAYOFYEAR" => Self::DayOfYear,
            "WEEK" => Self::Week,
            "ISOWEEK" => Self::IsoWeek,
            "MONTH" => Self::Month,
            "QUARTER" => Self::Quarter,
            "YEAR" => Self::Year,
            "ISOYEAR" => Self::IsoYear,
            "DATE" => Self::Date,
            "TIME" => Self::Time,
            _ => return None,
        })
    }
}
