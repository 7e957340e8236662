//! Writes keys and values in TOML 1.0.

use toml::de::DeValue;

use crate::value::{Entry, Node, Table, Value};

/// Returns a key, quoted if necessary.
pub(in crate::edit) fn key(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !key.is_empty() && key.chars().all(bare) { key.to_owned() } else { basic_string(key) }
}

/// Returns a value on one line.
pub(in crate::edit) fn inline(value: &Value) -> String {
    match value {
        Value::Null => "\"\"".into(),
        Value::Bool(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) if number.is_nan() => "nan".into(),
        Value::Float(number) => format!("{number:?}"),
        Value::String(text) | Value::Plain(_, text) => basic_string(text),
        Value::List(list) => {
            let items: Vec<_> = list.iter().map(|node| inline(&node.value)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Table(table) if table.entries.is_empty() => "{}".into(),
        Value::Table(table) => {
            let entries: Vec<_> = table.entries.iter().map(inline_entry).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// Returns a key and its value on one line.
pub(super) fn inline_entry(entry: &Entry) -> String {
    format!("{} = {}", key(&entry.key), inline(&entry.node.value))
}

/// Returns the value for a key that has its own line. Multi-line strings, lists of tables and long
/// lists take several lines.
pub(super) fn value(value: &Value, indent: &str) -> String {
    const MAX_LINE_LENGTH: usize = 100;
    match value {
        Value::String(text) if text.trim_end().contains('\n') => {
            multi_line_string("\"\"\"\n", text).unwrap_or_else(|| basic_string(text))
        }
        Value::String(text) if text.contains(['"', '\\']) => {
            literal_string(text).unwrap_or_else(|| basic_string(text))
        }
        Value::List(list) if has_tables(value) || inline(value).len() > MAX_LINE_LENGTH => {
            let line = |node: &Node| format!("{indent}  {},\n", inline(&node.value));
            let lines: String = list.iter().map(line).collect();
            format!("[\n{lines}{indent}]")
        }
        other => inline(other),
    }
}

/// Returns the lines of a table: first its values (with lists of tables last), then the nested
/// tables with their headers.
pub(in crate::edit) fn lines(path: &[&str], table: &Table) -> String {
    let (tables, mut values): (Vec<_>, Vec<_>) =
        table.entries.iter().partition(|entry| is_section(entry));
    values.sort_by_key(|entry| has_tables(&entry.node.value));
    let mut text: String = values
        .into_iter()
        .map(|entry| format!("{} = {}\n", key(&entry.key), value(&entry.node.value, "")))
        .collect();
    for entry in tables {
        let Value::Table(table) = &entry.node.value else {
            continue;
        };
        let path = [path, &[entry.key.as_str()]].concat();
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&section(&path, table));
    }
    text
}

/// Returns a table with its header. Omits the header if the table only contains tables that have
/// headers.
pub(super) fn section(path: &[&str], table: &Table) -> String {
    let lines = lines(path, table);
    if !table.entries.is_empty() && table.entries.iter().all(is_section) {
        return lines;
    }
    format!("[{}]\n{lines}", header(path))
}

/// Returns whether a value is written as a table with a header.
pub(super) fn is_section(entry: &Entry) -> bool {
    matches!(&entry.node.value, Value::Table(table) if !table.entries.is_empty())
}

fn has_tables(value: &Value) -> bool {
    let is_table = |node: &Node| matches!(node.value, Value::Table(_));
    matches!(value, Value::List(list) if list.iter().any(is_table))
}

/// Returns a dotted key, as used in headers.
pub(super) fn header(path: &[&str]) -> String {
    path.iter().map(|part| key(part)).collect::<Vec<_>>().join(".")
}

/// Returns a string that replaces the value `raw`, with the same style of quotes if possible.
pub(super) fn in_same_style(raw: &str, text: &str) -> String {
    let opening = |quotes: &str| {
        let body = &raw[quotes.len()..];
        let broken = body.starts_with(['\n', '\r']) || text.starts_with(['\n', '\r']);
        format!("{quotes}{}", if broken { "\n" } else { "" })
    };
    let kept = if raw.starts_with("\"\"\"") {
        multi_line_string(&opening("\"\"\""), text)
    } else if raw.starts_with("'''") {
        multi_line_literal_string(&opening("'''"), text)
    } else if raw.starts_with('\'') {
        literal_string(text)
    } else if !raw.starts_with('"') && is_datetime(text) {
        Some(text.to_owned())
    } else {
        None
    };
    kept.unwrap_or_else(|| basic_string(text))
}

fn is_datetime(text: &str) -> bool {
    DeValue::parse(text).is_ok_and(|value| matches!(value.get_ref(), DeValue::Datetime(_)))
}

fn basic_string(text: &str) -> String {
    format!("\"{}\"", escaped(text, false))
}

fn literal_string(text: &str) -> Option<String> {
    let plain = !text.contains(|c: char| c == '\'' || c.is_control() && c != '\t');
    plain.then(|| format!("'{text}'"))
}

fn multi_line_string(opening: &str, text: &str) -> Option<String> {
    // Some parsers treat a lone carriage return as a line end, so a string that contains one is
    // written with escapes instead.
    let escaped = escaped(text, true);
    (!text.contains('\r') && !has_fence(text)).then(|| format!("{opening}{escaped}\"\"\""))
}

fn multi_line_literal_string(opening: &str, text: &str) -> Option<String> {
    let control = |c: char| c.is_control() && !matches!(c, '\t' | '\n');
    let plain = !text.contains("'''")
        && !text.ends_with('\'')
        && !text.contains(control)
        && !has_fence(text);
    plain.then(|| format!("{opening}{text}'''"))
}

/// Returns whether a line of the string would end the front matter.
fn has_fence(text: &str) -> bool {
    text.lines().any(|line| line.trim_end() == "+++")
}

/// Escapes the content of a basic string or of a multi-line basic string.
fn escaped(text: &str, multi_line_string: bool) -> String {
    let mut escaped = String::with_capacity(text.len() + 2);
    let mut quotes = 0;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        quotes = if c == '"' { quotes + 1 } else { 0 };
        match c {
            '"' if multi_line_string && quotes % 3 != 0 && rest.peek().is_some() => {
                escaped.push('"')
            }
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' | '\t' if multi_line_string => escaped.push(c),
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            '\r' => escaped.push_str("\\r"),
            c if c.is_control() => escaped.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => escaped.push(c),
        }
    }
    escaped
}
