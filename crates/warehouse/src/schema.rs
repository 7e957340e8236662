//! Converts schemas to and from JSON, as used in the warehouse API and the catalog:
//! `{"fields": [{"name", "type", "mode"}]}`.

use serde_json::{Map, Value, json};

use super::error::Fault;
use super::types::{Field, Type};

/// Maximum number of columns in a table: SQLite's limit (`SQLITE_MAX_COLUMN`).
const MAX_COLUMNS: usize = 2000;
/// Maximum nesting depth of structs, as in BigQuery.
const MAX_DEPTH: usize = 15;

/// Returns the error message for an unknown type.
pub fn unknown_type(name: &str) -> String {
    let instead = match name.to_ascii_uppercase().as_str() {
        "NUMERIC" | "DECIMAL" | "BIGNUMERIC" | "BIGDECIMAL" => {
            "; use FLOAT, or INTEGER in the smallest unit"
        }
        _ => {
            "; use STRING, BYTES, INTEGER, FLOAT, BOOLEAN, TIMESTAMP, DATE, TIME, DATETIME, JSON or RECORD"
        }
    };
    format!("unsupported type {name:?}{instead}")
}

/// Converts columns to the `fields` list of a schema.
pub fn to_json(fields: &[Field]) -> Value {
    fields.iter().map(field_json).collect()
}

fn field_json(field: &Field) -> Value {
    let mode = match (&field.of, field.is_required) {
        (Type::Array(_), _) => "REPEATED",
        (_, true) => "REQUIRED",
        (_, false) => "NULLABLE",
    };
    let mut json = json!({ "name": field.name, "type": field.of.schema_name(), "mode": mode });
    if let Some(description) = &field.description {
        json["description"] = description.as_str().into();
    }
    let inner = match &field.of {
        Type::Array(element) => element.as_ref(),
        other => other,
    };
    if let Type::Struct(fields) = inner {
        json["fields"] = to_json(fields);
    }
    json
}

/// Parses the `fields` list of a schema. `place` is the list's location for error messages, such as
/// `configuration.load.schema.fields`.
pub fn from_json(fields: &Value, place: &str) -> Result<Vec<Field>, Fault> {
    read_fields(fields, place, MAX_DEPTH)
}

fn read_fields(fields: &Value, place: &str, depth: usize) -> Result<Vec<Field>, Fault> {
    let wrong = |message: String| Fault::invalid(format!("{place}: {message}")).at(place);
    let list = fields.as_array().ok_or_else(|| wrong("must be a list of fields".into()))?;
    if depth == 0 || list.len() > MAX_COLUMNS {
        return Err(wrong(format!(
            "a schema can have at most {MAX_COLUMNS} fields and {MAX_DEPTH} levels of nested records"
        )));
    }
    let mut read: Vec<Field> = Vec::with_capacity(list.len());
    for (at, json) in list.iter().enumerate() {
        let place = format!("{place}[{at}]");
        let field = read_field(json, &place, depth)?;
        if read.iter().any(|known| known.has_name(&field.name)) {
            return Err(wrong(format!("duplicate field {:?}", field.name)));
        }
        read.push(field);
    }
    Ok(read)
}

fn read_field(json: &Value, place: &str, depth: usize) -> Result<Field, Fault> {
    let wrong = |message: String| Fault::invalid(format!("{place}: {message}")).at(place);
    let members =
        json.as_object().ok_or_else(|| wrong("must be an object with `name` and `type`".into()))?;
    let name = check_name(text(members, "name").unwrap_or_default()).map_err(wrong)?;
    let type_name = text(members, "type").unwrap_or_default();
    let of = match type_name.to_ascii_uppercase().as_str() {
        "RECORD" | "STRUCT" => {
            let inner = members.get("fields").unwrap_or(&Value::Null);
            Type::Struct(read_fields(inner, &format!("{place}.fields"), depth - 1)?)
        }
        _ => Type::parse(type_name).ok_or_else(|| wrong(unknown_type(type_name)))?,
    };
    let mode = text(members, "mode").unwrap_or("NULLABLE").to_ascii_uppercase();
    let (of, is_required) = match mode.as_str() {
        "NULLABLE" | "" => (of, false),
        "REQUIRED" => (of, true),
        "REPEATED" => (Type::Array(Box::new(of)), false),
        _ => {
            return Err(wrong(format!(
                "invalid mode {mode:?}; use NULLABLE, REQUIRED or REPEATED"
            )));
        }
    };
    Ok(Field {
        name: name.to_owned(),
        of,
        is_required,
        description: text(members, "description").map(str::to_owned),
    })
}

fn text<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    members.get(name)?.as_str()
}

/// Checks that a column name is valid, and returns it. A column name can have up to 300 characters:
/// letters and digits of any script, spaces, underscores, dashes and some other punctuation. It
/// cannot start with an ASCII digit or a space.
pub fn check_name(name: &str) -> Result<&str, String> {
    let is_part = |c: char| {
        c.is_alphanumeric()
            || matches!(
                c,
                '_' | '-' | ' ' | '&' | '%' | '=' | '+' | ':' | '\'' | '<' | '>' | '#' | '|'
            )
    };
    let starts = name.chars().next().is_some_and(|c| !c.is_ascii_digit() && is_part(c) && c != ' ');
    // SQLite uses this name for the row number.
    let is_taken = name.eq_ignore_ascii_case("_rowid_");
    if starts && !is_taken && name.chars().count() <= 300 && name.chars().all(is_part) {
        Ok(name)
    } else {
        Err(format!(
            "invalid column name {name:?}: use at most 300 letters, digits and underscores, beginning with a letter or underscore"
        ))
    }
}
