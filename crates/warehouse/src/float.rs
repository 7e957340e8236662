//! The stored form of FLOAT64 values that SQLite or JSON cannot represent as a number.

use rusqlite::types::{Value, ValueRef};

/// The text that represents NaN. SQLite would store NaN as NULL.
pub(crate) const NAN: &str = "NaN";

/// Converts a FLOAT64 to its stored form.
pub(crate) fn to_stored(value: f64) -> Value {
    if value.is_nan() { Value::Text(NAN.to_owned()) } else { Value::Real(value) }
}

/// Reads a stored FLOAT64 from a column, array or struct. Returns `None` for NULL.
pub(crate) fn read(value: ValueRef<'_>) -> Option<f64> {
    match value {
        ValueRef::Real(value) => Some(value),
        ValueRef::Integer(value) => Some(value as f64),
        ValueRef::Text(text) => std::str::from_utf8(text).ok().and_then(word),
        _ => None,
    }
}

/// Parses the text of a special number: NaN or an infinity.
pub(crate) fn word(text: &str) -> Option<f64> {
    match text {
        NAN => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// Returns the text that represents NaN or an infinity in an array or struct. Returns `None` for
/// other numbers.
pub(crate) fn text(value: f64) -> Option<&'static str> {
    match value {
        f64::INFINITY => Some("Infinity"),
        f64::NEG_INFINITY => Some("-Infinity"),
        value => value.is_nan().then_some(NAN),
    }
}
