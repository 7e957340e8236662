//! The table of properties that belong to an event's type, such as `workingLocationProperties` or
//! `outOfOfficeProperties`.

use front_matter::{Table, Value};
use serde_json::Value as Json;

use super::super::fields::Fields;
use model::Rule;
use model::calendar::EventType;

const KEYS: [(&str, EventType); 4] = [
    ("workingLocationProperties", EventType::WorkingLocation),
    ("outOfOfficeProperties", EventType::OutOfOffice),
    ("focusTimeProperties", EventType::FocusTime),
    ("birthdayProperties", EventType::Birthday),
];

/// Returns the table of properties of the event's type, unchanged. Warns about a table that belongs
/// to another type.
pub fn properties(
    fields: &Fields<'_, '_>,
    event_type: Option<EventType>,
    is_instance: bool,
) -> Option<(&'static str, Json)> {
    let mut found = None;
    for (key, of) in KEYS {
        let Some(node) = fields.node(key) else {
            continue;
        };
        let Value::Table(table) = &node.value else {
            fields.report_wrong_type::<()>(key, node, "a table", &node.value);
            continue;
        };
        let is_own = match event_type {
            // An instance without a type has the type of its series.
            None => is_instance,
            Some(event_type) => event_type == of,
        };
        if !is_own {
            let message = format!("`{key}` is ignored: it belongs to another `eventType`");
            let help = format!("write `eventType` as \"{}\", or remove the table", of.as_str());
            fields.reader.warning(Rule::Event, &node.span, message, help);
            continue;
        }
        found = found.or_else(|| Some((key, json_table(table))));
    }
    found
}

fn json_table(table: &Table) -> Json {
    let entries = table.entries.iter();
    entries.map(|entry| (entry.key.clone(), json(&entry.node.value))).collect()
}

fn json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::String(text) => text.clone().into(),
        Value::Plain(value, _) => json(value),
        Value::List(list) => list.iter().map(|node| json(&node.value)).collect(),
        Value::Table(table) => json_table(table),
    }
}
