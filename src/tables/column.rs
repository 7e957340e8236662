//! The columns of live tables, and the values of their cells, stored as `Type` says.

use std::fmt::Display;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use warehouse::{Field, Type};

/// A value of a row, borrowed from it where it can be.
pub(super) type Cell<'r> = ToSqlOutput<'r>;

/// A column of a table whose rows are made of `R`.
pub(super) struct Column<R> {
    pub field: Field,
    /// Its value in a row.
    pub value: fn(&R) -> Cell<'_>,
}

/// A column that may be NULL.
pub(super) fn column<R>(name: &str, of: Type, about: &str, value: fn(&R) -> Cell<'_>) -> Column<R> {
    Column { field: Field::new(name, of).described(about), value }
}

/// A column that is never NULL.
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

/// A list of texts.
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

pub(super) fn maybe(text: Option<&str>) -> Cell<'_> {
    text.map_or(NULL, self::text)
}

/// A STRING of a value that is printed for the cell.
pub(super) fn made(text: impl Display) -> Cell<'static> {
    ToSqlOutput::Owned(Value::Text(text.to_string()))
}

/// INTEGER. One that 64 bits with a sign cannot hold is NULL.
pub(super) fn number(number: Option<impl TryInto<i64>>) -> Cell<'static> {
    let number = number.and_then(|number| number.try_into().ok());
    ToSqlOutput::Owned(number.map_or(Value::Null, Value::Integer))
}

/// FLOAT.
pub(super) fn real(number: Option<f64>) -> Cell<'static> {
    ToSqlOutput::Owned(number.map_or(Value::Null, Value::Real))
}

/// BOOLEAN.
pub(super) fn truth(is: impl Into<Option<bool>>) -> Cell<'static> {
    let is = is.into().map(|is| Value::Integer(i64::from(is)));
    ToSqlOutput::Owned(is.unwrap_or(Value::Null))
}

pub(super) fn instant(time: Option<Timestamp>) -> Cell<'static> {
    let time = time.map(|time| Value::Integer(time.as_microsecond()));
    ToSqlOutput::Owned(time.unwrap_or(Value::Null))
}

pub(super) fn day(day: Option<Date>) -> Cell<'static> {
    day.map_or(NULL, made)
}

/// ARRAY.
pub(super) fn list<T: Into<serde_json::Value>>(
    elements: impl IntoIterator<Item = T>,
) -> Cell<'static> {
    made(serde_json::Value::from_iter(elements))
}

/// How many words a text has, apart by white space.
pub(super) fn words(text: &str) -> Cell<'static> {
    number(Some(text.split_whitespace().count()))
}
