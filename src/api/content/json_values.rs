//! Converts front matter values to JSON, and values that clients send to front matter.

use serde::Serialize;
use serde_json::Value;

use api_shared::to_json_value;

/// Replaces an object that has only the key `key` with the key's value. Front matter uses this
/// short form.
pub fn unwrap_single_key(key: &str, mut value: Value) -> Value {
    match value.as_object() {
        Some(object) if object.len() == 1 && object.contains_key(key) => value[key].take(),
        _ => value,
    }
}

/// Returns a list as front matter. Elements already in the file keep their spelling, such as a name
/// without a table, or a path relative to the file.
pub fn keep_spelling<T: PartialEq>(
    held: Option<&front_matter::Node>,
    shown: &[T],
    sent: &[T],
    front_value: impl Fn(&T) -> Value,
) -> Vec<Value> {
    let held: Vec<Value> = match held.map(|node| &node.value) {
        Some(front_matter::Value::List(list)) if list.len() == shown.len() => {
            list.iter().map(to_json_value).collect()
        }
        _ => Vec::new(),
    };
    let spelled = |one: &T| {
        let at = shown.iter().position(|shown| shown == one)?;
        held.get(at).cloned()
    };
    let all = sent.iter();
    all.map(|one| spelled(one).unwrap_or_else(|| front_value(one))).collect()
}

/// Returns a value as JSON, with whole numbers as integers. This cannot fail, because JSON can
/// represent all input types.
pub fn to_plain_json(value: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(value).unwrap_or(Value::Null);
    convert_whole_numbers(&mut value);
    value
}

/// Converts whole floating-point numbers to integers, so that they compare equal to integers read
/// from JSON.
pub fn convert_whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            #[allow(clippy::cast_possible_truncation)]
            if let Some(float) = number
                .as_f64()
                .filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() < 1e15)
            {
                *value = Value::from(float as i64);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(convert_whole_numbers),
        Value::Object(object) => object.values_mut().for_each(convert_whole_numbers),
        _ => {}
    }
}
