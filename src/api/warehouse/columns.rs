//! Changes the columns of a table: appends columns, makes required columns nullable, and sets
//! descriptions.

use crate::error::api_error;
use rusqlite::Connection;
use serde_json::{Map, Value};

use api_shared::ApiError;
use warehouse::store::{Kind, Table, add_columns, quoted, rows_of};
use warehouse::{Field, Type, schema};

/// Parses the columns in a request body. Returns None if the body has no columns.
pub fn read(body: &Map<String, Value>) -> Result<Option<Vec<Field>>, ApiError> {
    match body.get("schema").and_then(|schema| schema.get("fields")) {
        None | Some(Value::Null) => Ok(None),
        Some(fields) => Ok(Some(schema::from_json(fields, "schema.fields").map_err(api_error)?)),
    }
}

/// Sets the columns of a table. `fields` must contain all existing columns, in any order, and can
/// contain new columns.
pub fn change(
    connection: &Connection,
    table: &mut Table,
    fields: Vec<Field>,
) -> Result<(), ApiError> {
    let is_left_out = |known: &&Field| !fields.iter().any(|field| field.has_name(&known.name));
    if let Some(known) = table.fields.iter().find(is_left_out) {
        let message = format!("the column {:?} is missing: columns cannot be removed", known.name);
        return Err(invalid_fields(message));
    }
    let mut more = Vec::new();
    for field in fields {
        let known = table.fields.iter().position(|known| known.has_name(&field.name));
        match known {
            Some(at) => change_one(connection, table, at, field)?,
            None => more.push(field),
        }
    }
    add(connection, table, more)
}

fn add(connection: &Connection, table: &mut Table, more: Vec<Field>) -> Result<(), ApiError> {
    if more.is_empty() {
        return Ok(());
    }
    match more.iter().find(|field| field.is_required) {
        Some(field) => Err(invalid_fields(format!(
            "the new column {:?} cannot be REQUIRED: existing rows have no value for it",
            field.name
        ))),
        None => Ok(add_columns(connection, "main", table, &more).map_err(api_error)?),
    }
}

/// Changes the description of a column, or makes it nullable. Other changes are errors.
fn change_one(
    connection: &Connection,
    table: &mut Table,
    at: usize,
    field: Field,
) -> Result<(), ApiError> {
    let kind = &table.kind;
    let known = &mut table.fields[at];
    if !is_same(&known.of, &field.of) {
        return Err(invalid_fields(format!(
            "the column {:?} has the type {}, not {}",
            known.name, known.of, field.of
        )));
    }
    match (known.is_required, field.is_required, kind) {
        (false, true, _) => {
            return Err(invalid_fields(format!(
                "the column {:?} is NULLABLE, and cannot become REQUIRED",
                known.name
            )));
        }
        (true, false, Kind::Stored { id }) => {
            let (rows, name) = (rows_of("main", *id), quoted(&known.name));
            let sql = format!("ALTER TABLE {rows} ALTER COLUMN {name} DROP NOT NULL");
            connection.execute(&sql, []).map_err(ApiError::failed)?;
        }
        _ => {}
    }
    known.is_required = field.is_required;
    known.description = field.description;
    known.of = field.of;
    Ok(())
}

/// Returns whether two types are the same. Descriptions of struct fields can differ.
fn is_same(one: &Type, other: &Type) -> bool {
    match (one, other) {
        (Type::Array(one), Type::Array(other)) => is_same(one, other),
        (Type::Struct(one), Type::Struct(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| one.name == other.name && is_same(&one.of, &other.of))
        }
        (one, other) => one == other,
    }
}

fn invalid_fields(message: String) -> ApiError {
    ApiError::invalid("schema.fields", message)
}
