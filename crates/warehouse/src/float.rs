//! How FLOAT64 values are kept that SQLite or JSON has no number for.

use rusqlite::types::{Value, ValueRef};

/// The text that NaN is kept as: SQLite makes NULL of the number.
pub(crate) const NAN: &str = "NaN";

/// A FLOAT64 as SQLite keeps it.
pub(crate) fn keep(value: f64) -> Value {
    if value.is_nan() { Value::Text(NAN.to_owned()) } else { Value::Real(value) }
}

/// Reads a FLOAT64, on its own or from an array or struct. None for NULL.
pub(crate) fn read(value: ValueRef<'_>) -> Option<f64> {
    match value {
        ValueRef::Real(value) => Some(value),
        ValueRef::Integer(value) => Some(value as f64),
        ValueRef::Text(text) => std::str::from_utf8(text).ok().and_then(word),
        _ => None,
    }
}

/// The number that a text in an array or struct means.
pub(crate) fn word(text: &str) -> Option<f64> {
    match text {
        NAN => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// The text of a number in an array or struct. None for one that JSON has.
pub(crate) fn text(value: f64) -> Option<&'static str> {
    match value {
        f64::INFINITY => Some("Infinity"),
        f64::NEG_INFINITY => Some("-Infinity"),
        value => value.is_nan().then_some(NAN),
    }
}
