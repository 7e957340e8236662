//! Values from JSON, as the engine keeps them.

use rusqlite::types::Value;

use super::types::Type;

/// A value of a type from JSON, or what is wrong with it. Numbers and flags may stand as text.
pub fn from_json(of: &Type, json: &serde_json::Value) -> Result<Value, String> {
    let wrong = || format!("{json} is no {of}");
    let text = match json {
        serde_json::Value::Null => return Ok(Value::Null),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Ok(match of {
        Type::Integer => Value::Integer(text.parse().map_err(|_| wrong())?),
        Type::Float => Value::Real(text.parse().map_err(|_| wrong())?),
        Type::Boolean => Value::Integer(i64::from(text.parse::<bool>().map_err(|_| wrong())?)),
        _ => Value::Text(text),
    })
}
