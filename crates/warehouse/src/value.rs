//! Converts a single value from JSON to its stored form.

use jiff::tz::TimeZone;
use rusqlite::Connection;
use rusqlite::types::Value;
use serde_json::json;

use super::load::{JsonRows, Scalars};
use super::types::{Field, Type};

/// Converts a JSON value to the stored form of this type, with the same rules as a load. Numbers
/// and booleans can be written as strings. For the type JSON, a string is parsed as JSON. The error
/// describes the problem.
pub fn from_json(of: &Type, json: &serde_json::Value) -> Result<Value, String> {
    if json.is_null() {
        return Ok(Value::Null);
    }
    // The loader binds values to a statement, so the value is bound to a statement that returns it.
    let failed = |error: rusqlite::Error| error.to_string();
    let connection = Connection::open_in_memory().map_err(failed)?;
    let mut statement = connection.prepare_cached("SELECT ?1").map_err(failed)?;
    let fields = [Field::new("value", of.clone())];
    JsonRows::new(&fields, Scalars::new(TimeZone::UTC), false)
        .with_json_as_text()
        .bind(json!({ "value": json }), &mut statement)
        .map_err(|bad| bad.message)?;
    let mut rows = statement.raw_query();
    let row = rows.next().map_err(failed)?;
    row.map_or(Ok(Value::Null), |row| row.get(0).map_err(failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_parsed_as_its_type() {
        let read = |of: &Type, json: serde_json::Value| from_json(of, &json);
        let text = |text: &str| Ok(Value::Text(text.into()));
        assert_eq!(read(&Type::Integer, json!("12")), Ok(Value::Integer(12)));
        assert_eq!(read(&Type::Boolean, json!("true")), Ok(Value::Integer(1)));
        assert_eq!(read(&Type::Date, json!("2026-11-21")), text("2026-11-21"));
        assert_eq!(read(&Type::Json, json!("{\"a\": 1}")), text("{\"a\":1}"));
        let list = Type::Array(Box::new(Type::Integer));
        assert_eq!(read(&list, json!(["1", "2"])), text("[1,2]"));
        assert!(read(&Type::Integer, json!("many")).is_err());
        assert_eq!(read(&Type::String, json!(null)), Ok(Value::Null));
    }
}
