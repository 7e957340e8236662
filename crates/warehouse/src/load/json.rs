//! Reads a row from a JSON object. Each member goes to its column as it is read, so that no tree is built.

use std::collections::HashMap;
use std::fmt;

use rusqlite::CachedStatement;
use rusqlite::types::ValueRef;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::detect;
use super::json_values::{Nested, Scalar, unknown};
use super::scalar::Scalars;
use crate::types::{Field, Type};

/// Reads rows of a table.
#[derive(Debug)]
pub(crate) struct JsonRows<'f> {
    fields: &'f [Field],
    columns: HashMap<String, usize>,
    scalars: Scalars,
    ignore_unknown: bool,
    /// Whether a text in a JSON column holds JSON, rather than being a JSON string itself.
    json_is_text: bool,
    seen: Vec<bool>,
    nested: Vec<u8>,
    /// The column that is being read, for errors.
    column: Option<usize>,
}

/// Why a row is bad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BadRow {
    /// The column it is about.
    pub column: Option<usize>,
    /// What is wrong, and what to do.
    pub message: String,
}

impl<'f> JsonRows<'f> {
    /// Reads rows with these columns.
    pub(crate) fn new(fields: &'f [Field], scalars: Scalars, ignore_unknown: bool) -> Self {
        let lower = |(at, field): (usize, &Field)| (field.name.to_ascii_lowercase(), at);
        Self {
            fields,
            columns: fields.iter().enumerate().map(lower).collect(),
            scalars,
            ignore_unknown,
            json_is_text: false,
            seen: Vec::new(),
            nested: Vec::new(),
            column: None,
        }
    }

    /// The same reader, for rows whose JSON columns hold JSON as text.
    #[must_use]
    pub(crate) fn with_json_as_text(self) -> Self {
        Self { json_is_text: true, ..self }
    }

    /// Binds the parameters of a statement, one a column, to the members of a JSON object.
    pub(crate) fn bind<'de, D: Deserializer<'de>>(
        &mut self,
        row: D,
        statement: &mut CachedStatement<'_>,
    ) -> Result<(), BadRow>
    where
        D::Error: fmt::Display,
    {
        self.seen.clear();
        self.seen.resize(self.fields.len(), false);
        self.column = None;
        let read = row.deserialize_map(RowVisitor { rows: self, statement });
        let bad = |column, message| BadRow { column, message };
        read.map_err(|error| bad(self.column, without_line(&error.to_string())))?;
        for (at, field) in self.fields.iter().enumerate() {
            if !self.seen[at] {
                put_null(statement, at, field).map_err(|message| bad(Some(at), message))?;
            }
        }
        Ok(())
    }

    /// The column of a member. Where a name is not allowed for columns, that is the column with the cleaned
    /// name.
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

/// A row is a line of its own: of serde's `at line 1 column 7` only the column tells something.
fn without_line(message: &str) -> String {
    message.replace(" at line 1 column ", " at character ")
}

/// Binds a value that is missing.
pub(super) fn put_null(
    statement: &mut CachedStatement<'_>,
    at: usize,
    field: &Field,
) -> Result<(), String> {
    match field.of {
        _ if field.is_required => Err("a value is needed: the column is REQUIRED".into()),
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
        f.write_str("a row, which is an object")
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
            if std::mem::replace(&mut rows.seen[at], true) {
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

/// Finds the column that a member's name means. Err where the member is passed over.
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
        f.write_str("the name of a column")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        match self.rows.find(name, self.hint) {
            Some(at) => Ok(Ok(at)),
            None if self.rows.ignore_unknown => Ok(Err(())),
            None => Err(unknown(name)),
        }
    }
}
