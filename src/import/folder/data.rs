//! Converts values of front matter and of data files to JSON.

use front_matter::{Node, Table, Value as Written};
use serde_json::{Map, Value};

pub type Data = Map<String, Value>;

/// Parses a data file as TOML, YAML or JSON, depending on its extension. If the file contains a
/// list, returns a table with the key `list`.
pub fn of_file(path: &str, text: &str) -> Option<Data> {
    match super::tree::ending(path).1 {
        "toml" => Some(of_table(&front_matter::parse_toml(text).ok()?)),
        "json" => match serde_json::from_str(text).ok()? {
            Value::Object(map) => Some(map),
            list => Some(Map::from_iter([("list".to_owned(), list)])),
        },
        "yaml" | "yml" => {
            let text = text.trim_start().trim_start_matches("---\n");
            let text = text.split("\n...").next().unwrap_or_default();
            let first = text
                .lines()
                .find(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty());
            let list = first.is_some_and(|line| line.trim_start().starts_with("- "));
            let key = if list { "list:\n" } else { "" };
            let front = front_matter::parse(&format!("---\n{key}{text}\n---\n")).ok()?;
            Some(of_table(&front.table))
        }
        _ => None,
    }
}

pub fn of_table(table: &Table) -> Data {
    let entries = table.entries.iter().map(|entry| (entry.key.clone(), of_node(&entry.node)));
    let mut data: Data = entries.filter(|(_, value)| !value.is_null()).collect();
    // YAML's merge key `<<` adds values of other tables. Existing values and earlier tables take
    // precedence.
    for other in data.remove("<<").map(list).unwrap_or_default() {
        if let Value::Object(other) = other {
            for (key, value) in other {
                data.entry(key).or_insert(value);
            }
        }
    }
    data
}

/// Overrides values in a table with the values of another table. Keys are compared without regard
/// to case.
pub fn merge(base: &mut Data, over: Data) {
    for (key, value) in over {
        let existing_key = base.keys().find(|name| name.eq_ignore_ascii_case(&key));
        let existing_key = existing_key.cloned().unwrap_or(key);
        match (base.get_mut(&existing_key), value) {
            (Some(Value::Object(inner)), Value::Object(value)) => merge(inner, value),
            (_, value) => drop(base.insert(existing_key, value)),
        }
    }
}

/// Returns whether a value is a false flag: `false`, 0, `no` or `off`.
pub fn is_false(value: &Value) -> bool {
    let text = text(value).unwrap_or_default().to_lowercase();
    let is_flag = !matches!(value, Value::Object(_) | Value::Array(_));
    is_flag && matches!(&*text, "" | "false" | "no" | "off" | "0" | "f" | "n")
}

/// Returns whether a value is a true flag: `true`, any number except 0, `yes` or `on`.
pub fn is_true(value: &Value) -> bool {
    match value {
        Value::Number(_) => !is_false(value),
        value => {
            let text = text(value).unwrap_or_default().to_lowercase();
            matches!(&*text, "true" | "yes" | "on" | "1" | "t" | "y")
        }
    }
}

fn of_node(node: &Node) -> Value {
    match &node.value {
        Written::Null => Value::Null,
        Written::Bool(truth) => (*truth).into(),
        Written::Integer(number) => (*number).into(),
        Written::Float(number) => (*number).into(),
        Written::String(text) => text.as_str().into(),
        // Some version numbers and times can be parsed as numbers. They are kept as strings.
        Written::Plain(value, text) => match &**value {
            Written::Bool(truth) => (*truth).into(),
            Written::Integer(number) if number.to_string() == *text => (*number).into(),
            Written::Null => Value::Null,
            _ => text.as_str().into(),
        },
        Written::List(list) => list.iter().map(of_node).collect(),
        Written::Table(table) => of_table(table).into(),
    }
}

/// Returns the value of a key. Keys are compared without regard to case.
pub fn get<'d>(data: &'d Data, key: &str) -> Option<&'d Value> {
    data.get(key).or_else(|| {
        let mut entries = data.iter();
        entries.find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value)
    })
}

/// Returns the value at a path such as `a.b`.
pub fn at<'d>(data: &'d Data, path: &str) -> Option<&'d Value> {
    match path.split_once('.') {
        Some((first, rest)) => at(get(data, first)?.as_object()?, rest),
        None => get(data, path),
    }
}

/// Returns a string, a number or a boolean as a string.
pub fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
    .filter(|text| !text.is_empty())
}

pub fn text_at(data: &Data, path: &str) -> Option<String> {
    at(data, path).and_then(text)
}

/// Returns the strings in a list at a path such as `a.b`, or a single string as a list.
pub fn texts_at(data: &Data, path: &str) -> Vec<String> {
    at(data, path).cloned().map(texts).unwrap_or_default()
}

pub fn table_at<'d>(data: &'d Data, path: &str) -> Option<&'d Data> {
    at(data, path)?.as_object()
}

pub fn is_set(data: &Data, path: &str) -> bool {
    at(data, path).is_some_and(is_true)
}

/// Removes the first of these keys that exists, and returns its value.
pub fn take(data: &mut Data, keys: &[&str]) -> Option<Value> {
    let existing_key = keys
        .iter()
        .find_map(|key| data.keys().find(|name| name.eq_ignore_ascii_case(key)).cloned())?;
    data.remove(&existing_key)
}

/// Removes the first of these keys that exists, and returns its value as a string.
pub fn take_text(data: &mut Data, keys: &[&str]) -> Option<String> {
    take(data, keys).as_ref().and_then(text)
}

/// Removes a flag from the data. Returns whether the flag is true.
pub fn take_true(data: &mut Data, key: &str) -> bool {
    take(data, &[key]).as_ref().is_some_and(is_true)
}

/// Removes a flag from the data. Returns whether the flag is false.
pub fn take_false(data: &mut Data, key: &str) -> bool {
    take(data, &[key]).as_ref().is_some_and(is_false)
}

/// Returns the elements of a list. A single value becomes a list with one element.
pub fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list,
        Value::Null => Vec::new(),
        one => vec![one],
    }
}

/// Returns a value as a string. If the value is a table, uses the value of one of these keys.
pub fn text_within(value: &Value, keys: &[&str]) -> Option<String> {
    match value {
        Value::Object(table) => keys.iter().find_map(|key| text_within(get(table, key)?, keys)),
        Value::Array(list) => text_within(list.first()?, keys),
        one => text(one),
    }
}

/// Returns the values of a list as strings. A single value counts as a list.
pub fn texts(value: Value) -> Vec<String> {
    list(value).iter().filter_map(text).collect()
}
