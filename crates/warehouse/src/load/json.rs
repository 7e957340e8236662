//! Reads a row from a JSON object. Each member is bound to its column as soon as it is parsed,
//! without building a tree.

use std::collections::HashMap;
use std::fmt;

use rusqlite::CachedStatement;
use rusqlite::types::ValueRef;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::detect;
use super::json_values::{Nested, Scalar, unknown};
use super::scalar::Scalars;
use crate::types::{Field, Type};

/// A reader for the rows of a table.
#[derive(Debug)]
pub(crate) struct JsonRows<'f> {
    fields: &'f [Field],
    columns: HashMap<String, usize>,
    scalars: Scalars,
    ignore_unknown: bool,
    /// Whether a string for a JSON column is parsed as JSON. If false, it becomes a JSON string.
    json_is_text: bool,
    seen_columns: Vec<bool>,
    nested: Vec<u8>,
    /// The index of the column that is being read, for error messages.
    column: Option<usize>,
}

/// The reason why a row cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BadRow {
    /// The index of the bad column.
    pub column: Option<usize>,
    /// The problem and how to fix it.
    pub message: String,
}

impl<'f> JsonRows<'f> {
    /// Creates a reader of rows with these columns.
    pub(crate) fn new(fields: &'f [Field], scalars: Scalars, ignore_unknown: bool) -> Self {
        let lower = |(at, field): (usize, &Field)| (field.name.to_ascii_lowercase(), at);
        Self {
            fields,
            columns: fields.iter().enumerate().map(lower).collect(),
            scalars,
            ignore_unknown,
            json_is_text: false,
            seen_columns: Vec::new(),
            nested: Vec::new(),
            column: None,
        }
    }

    /// Makes the reader parse strings for JSON columns as JSON.
    #[must_use]
    pub(crate) fn with_json_as_text(self) -> Self {
        Self { json_is_text: true, ..self }
    }

    /// Binds the members of a JSON object to the parameters of a statement, which has a parameter
    /// for each column.
    pub(crate) fn bind<'de, D: Deserializer<'de>>(
        &mut self,
        row: D,
        statement: &mut CachedStatement<'_>,
    ) -> Result<(), BadRow>
    where
        D::Error: fmt::Display,
    {
        self.seen_columns.clear();
        self.seen_columns.resize(self.fields.len(), false);
        self.column = None;
        let read = row.deserialize_map(RowVisitor { rows: self, statement });
        let bad = |column, message| BadRow { column, message };
        read.map_err(|error| bad(self.column, without_line(&error.to_string())))?;
        for (at, field) in self.fields.iter().enumerate() {
            if !self.seen_columns[at] {
                put_null(statement, at, field).map_err(|message| bad(Some(at), message))?;
            }
        }
        Ok(())
    }

    /// Returns the column for a member. If the member's name is not a valid column name, the name
    /// is cleaned as in column detection.
    fn find(&self, name: &str, hint: usize) -> Option<usize> {
        match self.fields.get(hint) {
            Some(field) if field.name == name => Some(hint),
            _ => self
                .columns
                .get(&name.to_ascii_lowercase())
                .or_else(|| self.columns.get(&detect::clean(name).to_ascii_lowercase()))
                .copied(),
        }
    }
}

/// Removes the line number from serde's `at line 1 column 7`. Each row is parsed separately, so the
/// line number is always 1.
fn without_line(message: &str) -> String {
    message.replace(" at line 1 column ", " at character ")
}

/// Binds NULL or an empty array to a column whose value is missing.
pub(super) fn put_null(
    statement: &mut CachedStatement<'_>,
    at: usize,
    field: &Field,
) -> Result<(), String> {
    match field.of {
        _ if field.is_required => Err("missing value: the column is REQUIRED".into()),
        Type::Array(_) => put(statement, at, field, ValueRef::Text(b"[]")),
        _ => statement
            .raw_bind_parameter(at + 1, rusqlite::types::Null)
            .map_err(|error| error.to_string()),
    }
}

pub(super) fn put(
    statement: &mut CachedStatement<'_>,
    at: usize,
    field: &Field,
    value: ValueRef<'_>,
) -> Result<(), String> {
    let value = rusqlite::types::ToSqlOutput::Borrowed(value);
    match value {
        rusqlite::types::ToSqlOutput::Borrowed(ValueRef::Null) => put_null(statement, at, field),
        value => statement.raw_bind_parameter(at + 1, value).map_err(|error| error.to_string()),
    }
}

struct RowVisitor<'r, 'f, 's, 'c> {
    rows: &'r mut JsonRows<'f>,
    statement: &'s mut CachedStatement<'c>,
}

impl<'de> Visitor<'de> for RowVisitor<'_, '_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row (a JSON object)")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let rows = self.rows;
        let mut hint = 0;
        while let Some(found) = members.next_key_seed(Column { rows, hint })? {
            let Ok(at) = found else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            rows.column = Some(at);
            if std::mem::replace(&mut rows.seen_columns[at], true) {
                return Err(Error::custom("the row has this column twice"));
            }
            let field = &rows.fields[at];
            match &field.of {
                Type::Array(_) | Type::Struct(_) | Type::Json => {
                    rows.nested.clear();
                    members.next_value_seed(Nested {
                        of: &field.of,
                        scalars: &mut rows.scalars,
                        ignore_unknown: rows.ignore_unknown,
                        json_is_text: rows.json_is_text,
                        out: &mut rows.nested,
                    })?;
                    let value = match rows.nested.as_slice() {
                        b"null" => ValueRef::Null,
                        text => ValueRef::Text(text),
                    };
                    put(self.statement, at, field, value).map_err(Error::custom)?;
                }
                of => members.next_value_seed(Scalar {
                    of,
                    scalars: &mut rows.scalars,
                    then: |value: ValueRef<'_>| put(self.statement, at, field, value),
                })?,
            }
            rows.column = None;
            hint = at + 1;
        }
        Ok(())
    }
}

/// Deserializes a member's name to the index of its column, or to `Err(())` if the member is
/// ignored.
struct Column<'r, 'f> {
    rows: &'r JsonRows<'f>,
    hint: usize,
}

impl<'de> DeserializeSeed<'de> for Column<'_, '_> {
    type Value = Result<usize, ()>;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Self::Value, D::Error> {
        name.deserialize_str(self)
    }
}

impl Visitor<'_> for Column<'_, '_> {
    type Value = Result<usize, ()>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a column name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        match self.rows.find(name, self.hint) {
            Some(at) => Ok(Ok(at)),
            None if self.rows.ignore_unknown => Ok(Err(())),
            None => Err(unknown(name)),
        }
    }
}
