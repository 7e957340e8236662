//! Changes to fields, and their application to a table.

use crate::value::{Entry, Node, Table, Value};

/// A change to one field of front matter.
///
/// ```
/// use front_matter::Change;
///
/// let change = Change::set(&["seo", "title"], "Hello");
/// assert_eq!(change.path, ["seo", "title"]);
/// assert_eq!(change.to, Some("Hello".into()));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Keys from the top level to the field.
    pub path: Vec<String>,
    /// New value of the field. `None` and JSON's null remove the field.
    pub to: Option<serde_json::Value>,
}

impl Change {
    /// Sets a field to a value. Missing tables on the path are created.
    pub fn set(path: &[&str], value: impl Into<serde_json::Value>) -> Self {
        Self { path: path.iter().map(|&key| key.to_owned()).collect(), to: Some(value.into()) }
    }

    /// Removes a field, and the tables on its path that become empty.
    pub fn remove(path: &[&str]) -> Self {
        Self { path: path.iter().map(|&key| key.to_owned()).collect(), to: None }
    }
}

/// Returns the table with the changes applied. If a path goes through a value that is not a table,
/// returns an error with the path to that value and its kind.
pub(super) fn apply_changes(
    table: &Table,
    changes: &[Change],
) -> Result<Table, (String, &'static str)> {
    let mut wanted = table.clone();
    for change in changes {
        match change.to.as_ref().and_then(from_json) {
            Some(to) => set(&mut wanted, &change.path, to)
                .map_err(|(depth, kind)| (change.path[..depth].join("."), kind))?,
            None => remove(&mut wanted, &change.path),
        }
    }
    Ok(wanted)
}

/// Converts a JSON value. Null values are omitted, even inside lists and objects.
pub(super) fn from_json(json: &serde_json::Value) -> Option<Value> {
    use serde_json::Value as Json;
    Some(match json {
        Json::Null => return None,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::String(text.clone()),
        Json::Array(list) => Value::List(list.iter().filter_map(from_json).map(node).collect()),
        Json::Object(object) => Value::Table(Table {
            entries: object
                .iter()
                .filter_map(|(key, json)| Some(entry(key.clone(), from_json(json)?)))
                .collect(),
        }),
    })
}

fn node(value: Value) -> Node {
    Node { value, span: 0..0 }
}

pub(super) fn entry(key: String, value: Value) -> Entry {
    Entry { key, key_span: 0..0, node: node(value) }
}

fn set(table: &mut Table, path: &[String], to: Value) -> Result<(), (usize, &'static str)> {
    let Some((key, rest)) = path.split_first() else {
        return Ok(());
    };
    let at = match table.entries.iter().position(|entry| entry.key == *key) {
        Some(at) => at,
        None => {
            table.entries.push(entry(key.clone(), Value::Null));
            table.entries.len() - 1
        }
    };
    let current = &mut table.entries[at].node.value;
    if rest.is_empty() {
        *current = to;
        return Ok(());
    }
    if *current == Value::Null {
        *current = Value::Table(Table::default());
    }
    match current {
        Value::Table(inner) => set(inner, rest, to).map_err(|(depth, kind)| (depth + 1, kind)),
        other => Err((1, other.kind())),
    }
}

fn remove(table: &mut Table, path: &[String]) {
    let Some((key, rest)) = path.split_first() else {
        return;
    };
    let Some(at) = table.entries.iter().position(|entry| entry.key == *key) else {
        return;
    };
    if let Value::Table(inner) = &mut table.entries[at].node.value
        && !rest.is_empty()
    {
        let before = is_empty(inner);
        remove(inner, rest);
        if before || !is_empty(inner) {
            return;
        }
    } else if !rest.is_empty() {
        return;
    }
    table.entries.remove(at);
}

fn is_empty(table: &Table) -> bool {
    table.entries.iter().all(|entry| entry.node.value == Value::Null)
}

/// Returns whether a value in a file has the same meaning as the wanted value. A plain YAML `2024`
/// equals both the number and the string, unquoted dates can differ in their time zone, and
/// multi-line TOML strings can differ in their line ends.
pub(super) fn is_same_value(text: &str, node: &Node, wanted: &Value) -> bool {
    match (&node.value, wanted) {
        (Value::Plain(inner, raw), wanted) => match wanted {
            Value::String(wanted) | Value::Plain(_, wanted) => raw == wanted,
            wanted => is_same_number(inner, wanted).unwrap_or(**inner == *wanted),
        },
        (Value::String(current), Value::String(wanted)) => {
            current == wanted
                || is_same_text(text.get(node.span.clone()).unwrap_or(""), current, wanted)
        }
        (Value::List(current), Value::List(wanted)) => {
            current.len() == wanted.len()
                && current.iter().zip(wanted).all(|(a, b)| is_same_value(text, a, &b.value))
        }
        (Value::Table(current), Value::Table(wanted)) => {
            let missing = |table: &Table, entry: &Entry| {
                entry.node.value != Value::Null && table.get(&entry.key).is_none()
            };
            !wanted.entries.iter().any(|entry| missing(current, entry))
                && current.entries.iter().all(|entry| {
                    let wanted = wanted.get(&entry.key).map_or(&Value::Null, |w| &w.value);
                    is_same_value(text, &entry.node, wanted)
                })
        }
        (current, wanted) => is_same_number(current, wanted).unwrap_or(current == wanted),
    }
}

fn is_same_number(current: &Value, wanted: &Value) -> Option<bool> {
    match (current, wanted) {
        (Value::Float(a), Value::Float(b)) => Some(a == b || a.is_nan() && b.is_nan()),
        (Value::Integer(whole), Value::Float(float))
        | (Value::Float(float), Value::Integer(whole)) => {
            Some(*float == *whole as f64 && *float as i64 == *whole)
        }
        _ => None,
    }
}

fn is_same_text(raw: &str, current: &str, wanted: &str) -> bool {
    if raw.starts_with("\"\"\"") || raw.starts_with("'''") {
        return current.replace("\r\n", "\n") == wanted.replace("\r\n", "\n");
    }
    let time = |text: &str| text.parse::<jiff::Timestamp>().ok();
    !raw.starts_with(['"', '\'']) && time(current).is_some() && time(current) == time(wanted)
}
