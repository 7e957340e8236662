//! Validates the lengths and ranges in a body against the schema of its operation. The server
//! therefore enforces exactly the limits in the API description.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;

use super::operation::inlined_schema;
use super::{Operation, operations};

/// The schema of each operation's body, by operation id.
static SCHEMAS: LazyLock<HashMap<&str, Value>> = LazyLock::new(|| {
    operations()
        .filter_map(|operation| Some((operation.id, inlined_schema(operation.body?))))
        .collect()
});

/// Returns the name of the first field that is too short, too long, too small or too large, and the
/// reason. Wrong types are reported later, when the body is parsed.
pub fn find_exceeded_bound(operation: &Operation, body: &Value) -> Option<(String, String)> {
    find_exceeded_in(SCHEMAS.get(operation.id)?, body, String::new())
}

/// Returns the field names in the schema of an operation's body.
pub fn keys(operation: &Operation) -> Vec<&'static str> {
    let schema = SCHEMAS.get(operation.id);
    let properties = schema.and_then(|schema| schema["properties"].as_object());
    properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str)).collect()
}

fn find_exceeded_in(schema: &Value, value: &Value, path: String) -> Option<(String, String)> {
    if let Some(choices) = schema["anyOf"].as_array() {
        let of_value = choices.iter().filter(|_| !value.is_null());
        return of_value.filter_map(|choice| find_exceeded_in(choice, value, path.clone())).next();
    }
    match value {
        Value::String(text) => {
            let length = text.chars().count() as u64;
            let (min, max) = (&schema["minLength"], &schema["maxLength"]);
            describe_excess(length, min, max, "characters").map(|why| (path, why))
        }
        Value::Number(number) => {
            let is_outside = |bound: &str, beyond: fn(&f64, &f64) -> bool| {
                let bound = schema[bound].as_f64();
                bound.is_some_and(|bound| number.as_f64().is_some_and(|own| beyond(&own, &bound)))
            };
            (is_outside("minimum", f64::lt) || is_outside("maximum", f64::gt))
                .then(|| (path, range(&schema["minimum"], &schema["maximum"])))
        }
        Value::Array(list) => {
            let (min, max) = (&schema["minItems"], &schema["maxItems"]);
            if let Some(why) = describe_excess(list.len() as u64, min, max, "elements") {
                return Some((path, why));
            }
            let elements = list.iter().enumerate();
            elements
                .filter_map(|(at, element)| {
                    find_exceeded_in(&schema["items"], element, format!("{path}[{at}]"))
                })
                .next()
        }
        Value::Object(object) => {
            let separator = if path.is_empty() { "" } else { "." };
            let fields = object.iter().filter_map(|(name, value)| {
                let schema = schema["properties"].get(name)?;
                find_exceeded_in(schema, value, format!("{path}{separator}{name}"))
            });
            fields.into_iter().next()
        }
        _ => None,
    }
}

fn describe_excess(count: u64, min: &Value, max: &Value, unit: &str) -> Option<String> {
    if count == 0 && min.as_u64().is_some_and(|min| min > 0) {
        return Some("must not be empty".to_owned());
    }
    if let Some(min) = min.as_u64().filter(|min| count < *min) {
        return Some(format!("has {count} {unit}; the minimum is {min}"));
    }
    let max = max.as_u64().filter(|max| count > *max)?;
    Some(format!("has {count} {unit}; the maximum is {max}"))
}

fn range(min: &Value, max: &Value) -> String {
    match (min, max) {
        (Value::Null, max) => format!("must be at most {max}"),
        (min, Value::Null) => format!("must be at least {min}"),
        (min, max) if min == max => format!("must be {min}"),
        (min, max) => format!("must be from {min} to {max}"),
    }
}
