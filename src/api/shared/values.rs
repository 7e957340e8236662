//! Converts front matter values to JSON.

use serde_json::Value;

/// Returns a front matter value as JSON.
pub fn to_json_value(node: &front_matter::Node) -> Value {
    match &node.value {
        front_matter::Value::Null => Value::Null,
        front_matter::Value::Bool(flag) => (*flag).into(),
        front_matter::Value::Integer(number) => (*number).into(),
        front_matter::Value::Float(number) => (*number).into(),
        front_matter::Value::String(text) | front_matter::Value::Plain(_, text) => {
            text.as_str().into()
        }
        front_matter::Value::List(list) => list.iter().map(to_json_value).collect(),
        front_matter::Value::Table(table) => {
            let entries = table.entries.iter();
            entries
                .map(|entry| (entry.key.clone(), to_json_value(&entry.node)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
    }
}
