//! Writes keys and values in YAML. YAML 1.1 and 1.2 parsers read the output in the same way.

use crate::value::{Entry, Node, Table, Value};

/// Returns a scalar on one line. In flow style (inside brackets), more strings need quotes.
pub(super) fn scalar(value: &Value, flow: bool) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) if number.is_nan() => ".nan".into(),
        Value::Float(number) if number.is_infinite() => {
            if *number > 0.0 { ".inf" } else { "-.inf" }.into()
        }
        Value::Float(number) => format!("{number:?}"),
        Value::Plain(_, raw) => raw.clone(),
        Value::String(text) if is_plain(text, flow) => text.clone(),
        Value::String(text) if text.contains(['"', '\\']) => {
            single_quoted(text).unwrap_or_else(|| double_quoted(text))
        }
        Value::String(text) => double_quoted(text),
        Value::List(_) | Value::Table(_) => inline(value),
    }
}

/// Returns a value in flow style.
pub(super) fn inline(value: &Value) -> String {
    match value {
        Value::List(list) => {
            let items: Vec<_> = list.iter().map(|node| inline(&node.value)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Table(table) => {
            let entries: Vec<_> = table.entries.iter().map(inline_entry).collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => scalar(other, true),
    }
}

/// Returns a key and its value in flow style.
pub(super) fn inline_entry(entry: &Entry) -> String {
    format!("{}: {}", key(&entry.key), inline(&entry.node.value))
}

pub(in crate::edit) fn key(key: &str) -> String {
    scalar(&Value::String(key.to_owned()), true)
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Indentation {
    /// Number of columns from a key to the keys of the table inside it.
    pub keys: usize,
    /// Number of columns from a key to the dashes of its list.
    pub dashes: usize,
    /// Whether multi-line strings can be written as block scalars, below `|`.
    pub blocks: bool,
}

impl Indentation {
    /// Returns the lines of an entry. `column` is the column in which its key starts.
    pub fn entry(self, entry: &Entry, column: usize) -> String {
        let value = self.after_colon(&entry.node.value, column);
        format!("{}{}:{value}\n", " ".repeat(column), key(&entry.key))
    }

    /// Returns the text to write after the colon of a key. `column` is the column in which the key
    /// starts.
    pub fn after_colon(self, value: &Value, column: usize) -> String {
        let space = " ".repeat(column + self.keys);
        match value {
            Value::String(text) if self.blocks && text.contains('\n') => {
                match block('|', text, &space) {
                    Some((head, lines)) => format!(" {head}\n{lines}"),
                    None => format!(" {}", scalar(value, false)),
                }
            }
            Value::List(list) if !list.is_empty() => {
                let column = column + self.dashes;
                let item = |node: &Node| format!("\n{}", self.item(&node.value, column));
                list.iter().map(item).collect()
            }
            Value::Table(table) if !table.entries.is_empty() => {
                format!("\n{}", self.entries(table, column + self.keys))
            }
            other => format!(" {}", scalar(other, false)),
        }
    }

    /// Returns a list item without its final line end. `column` is the column of its dash.
    pub fn item(self, value: &Value, column: usize) -> String {
        format!("{}-{}", " ".repeat(column), self.after_dash(value, column))
    }

    /// Returns the text to write after a dash. `column` is the column of the dash.
    pub fn after_dash(self, value: &Value, column: usize) -> String {
        match value {
            Value::Table(table) if !table.entries.is_empty() => {
                format!(" {}", self.entries(table, column + 2).trim_start())
            }
            other => format!(" {}", scalar(other, false)),
        }
    }

    fn entries(self, table: &Table, column: usize) -> String {
        let mut lines: String =
            table.entries.iter().map(|entry| self.entry(entry, column)).collect();
        lines.pop();
        lines
    }
}

/// Returns a scalar that replaces the value `raw`, in the same style if possible.
pub(super) fn in_same_style(raw: &str, value: &Value, flow: bool) -> String {
    let Value::String(text) = value else {
        return scalar(value, flow);
    };
    match raw.bytes().next() {
        Some(b'"') => double_quoted(text),
        Some(b'\'') => single_quoted(text).unwrap_or_else(|| double_quoted(text)),
        // All parsers read an unquoted date as a date, so it can stay unquoted.
        _ if is_date(raw) && is_date(text) => text.clone(),
        _ => scalar(value, flow),
    }
}

fn is_date(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok() || text.parse::<jiff::civil::Date>().is_ok()
}

/// Returns a string as a block scalar: its header, and its lines without the last line end. Returns
/// None if a parser would not return the same string.
pub(super) fn block(style: char, text: &str, space: &str) -> Option<(String, String)> {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || is_special(c);
    if body.is_empty()
        || body.starts_with([' ', '\t', '\n'])
        || body.ends_with(['\n', ' ', '\t'])
        || body.contains(odd)
    {
        return None;
    }
    let folded = style == '>';
    if folded
        && body.split('\n').any(|line| line.starts_with([' ', '\t']) || line.ends_with([' ', '\t']))
    {
        return None;
    }
    let line = |line: &str| {
        if line.is_empty() { String::new() } else { format!("{space}{line}") }
    };
    let lines: Vec<_> = body.split('\n').map(line).collect();
    let lines = if folded { unfold(&lines) } else { lines.join("\n") };
    let chomp = if body.len() == text.len() { "-" } else { "" };
    Some((format!("{style}{chomp}"), lines))
}

/// Joins the lines of a string to the text of a folded scalar, in which two line ends represent a
/// line break.
fn unfold(lines: &[String]) -> String {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            text.push('\n');
            if !lines[index - 1].is_empty() {
                text.push('\n');
            }
        }
        text.push_str(line);
    }
    text
}

fn single_quoted(text: &str) -> Option<String> {
    let odd = |c: char| c.is_control() || is_special(c);
    (!text.contains(odd)).then(|| format!("'{}'", text.replace('\'', "''")))
}

pub(in crate::edit) fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_control() || is_special(c) => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns whether YAML treats a character as a line break or byte-order mark, or forbids it.
fn is_special(c: char) -> bool {
    matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns whether a string can be written without quotes, so that even YAML 1.1 parsers return the
/// same string.
fn is_plain(text: &str, flow: bool) -> bool {
    const RESERVED_WORDS: [&str; 15] = [
        "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "=", "<<", ".inf",
        ".nan", "...",
    ];
    let lower = text.to_ascii_lowercase();
    let indicator = |c: char| "-?:,[]{}#&*!|>'\"%@`".contains(c);
    let odd = |c: char| c.is_control() || is_special(c);
    !text.is_empty()
        && !text.starts_with(indicator)
        && !text.starts_with(char::is_whitespace)
        && !text.ends_with(char::is_whitespace)
        && !text.ends_with(':')
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.contains(odd)
        && !(flow && text.contains([',', '[', ']', '{', '}', ':']))
        && !RESERVED_WORDS.contains(&lower.as_str())
        && !is_numeric(text)
}

/// Returns whether a parser might read the string as a number, a time or a date.
fn is_numeric(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
        && text.chars().all(|c| c.is_ascii_hexdigit() || "_xXoO.:+-TtZz infINFaA".contains(c))
}
