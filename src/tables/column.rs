//! Columns of live tables, and the values of their cells, stored as `Type` specifies.

use std::fmt::Display;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use warehouse::{Field, Type};

/// A value in a row, borrowed from the row where possible.
pub(super) type Cell<'r> = ToSqlOutput<'r>;

/// A column of a table with rows of type `R`.
pub(super) struct Column<R> {
    pub field: Field,
    /// Returns the column's value in a row.
    pub value: fn(&R) -> Cell<'_>,
}

/// Creates a column that can be NULL.
pub(super) fn column<R>(name: &str, of: Type, about: &str, value: fn(&R) -> Cell<'_>) -> Column<R> {
    Column { field: Field::new(name, of).described(about), value }
}

/// Creates a column that is never NULL.
pub(super) fn required<R>(
    name: &str,
    of: Type,
    about: &str,
    value: fn(&R) -> Cell<'_>,
) -> Column<R> {
    let mut column = column(name, of, about, value);
    column.field.is_required = true;
    column
}

pub(super) fn fields<R>(columns: Vec<Column<R>>) -> Vec<Field> {
    columns.into_iter().map(|column| column.field).collect()
}

/// Returns the type of an array of strings.
pub(super) fn texts() -> Type {
    Type::Array(Box::new(Type::String))
}

pub(super) fn structs<const N: usize>(fields: [(&str, Type); N]) -> Type {
    let fields = fields.map(|(name, of)| Field::new(name, of));
    Type::Array(Box::new(Type::Struct(fields.into())))
}

pub(super) const NULL: Cell<'static> = ToSqlOutput::Owned(Value::Null);

pub(super) fn text(text: &str) -> Cell<'_> {
    ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes()))
}

pub(super) fn optional_text(text: Option<&str>) -> Cell<'_> {
    text.map_or(NULL, self::text)
}

/// Returns a STRING cell with a formatted value.
pub(super) fn formatted(text: impl Display) -> Cell<'static> {
    ToSqlOutput::Owned(Value::Text(text.to_string()))
}

/// Returns an INTEGER cell, or NULL if the number does not fit into a signed 64-bit integer.
pub(super) fn number(number: Option<impl TryInto<i64>>) -> Cell<'static> {
    let number = number.and_then(|number| number.try_into().ok());
    ToSqlOutput::Owned(number.map_or(Value::Null, Value::Integer))
}

/// Returns a FLOAT cell.
pub(super) fn float(number: Option<f64>) -> Cell<'static> {
    ToSqlOutput::Owned(number.map_or(Value::Null, Value::Real))
}

/// Returns a BOOLEAN cell.
pub(super) fn boolean(is: impl Into<Option<bool>>) -> Cell<'static> {
    let is = is.into().map(|is| Value::Integer(i64::from(is)));
    ToSqlOutput::Owned(is.unwrap_or(Value::Null))
}

pub(super) fn instant(time: Option<Timestamp>) -> Cell<'static> {
    let time = time.map(|time| Value::Integer(time.as_microsecond()));
    ToSqlOutput::Owned(time.unwrap_or(Value::Null))
}

pub(super) fn day(day: Option<Date>) -> Cell<'static> {
    day.map_or(NULL, formatted)
}

/// Returns an ARRAY cell.
pub(super) fn list<T: Into<serde_json::Value>>(
    elements: impl IntoIterator<Item = T>,
) -> Cell<'static> {
    formatted(serde_json::Value::from_iter(elements))
}

/// Returns an INTEGER cell with the number of words in a string. Whitespace separates words.
pub(super) fn word_count(text: &str) -> Cell<'static> {
    number(Some(text.split_whitespace().count()))
}
