//! Readers of value shapes that many tags share: one or several values, a string or a table, an
//! address, seconds.

use std::ops::Range;

use front_matter::{Node, Value};

use crate::chapters::parse_seconds;
use crate::fields::{Fields, nearest};
use crate::reference::Reference;
use model::{Rule, url};

/// Reads each value under the spellings of a key.
pub fn each<'r, T>(
    fields: &Fields<'r, '_>,
    keys: &[&'static str],
    mut read: impl FnMut(&'static str, &'r Node) -> Option<T>,
) -> Vec<T> {
    let mut found = Vec::new();
    for key in keys {
        for node in fields.list(key) {
            if node.value != Value::Null {
                found.extend(read(key, node));
            }
        }
    }
    found
}

/// Reads a string, or a table of fields.
pub fn text_or_table<'r, 'a, T>(
    fields: &Fields<'r, 'a>,
    key: &'static str,
    node: &'r Node,
    text: impl FnOnce(String) -> Option<T>,
    table: impl FnOnce(&Fields<'r, 'a>) -> Option<T>,
) -> Option<T> {
    match &node.value {
        Value::Table(fields_of) => fields.read_table(key, fields_of, table),
        Value::String(found) | Value::Plain(_, found) => text(found.clone()),
        other => fields.report_wrong_type(key, node, "text or a table", other),
    }
}

/// Reads a table of fields. Any other value is an error.
pub fn table<'r, 'a, T>(
    fields: &Fields<'r, 'a>,
    key: &'static str,
    node: &'r Node,
    read: impl FnOnce(&Fields<'r, 'a>) -> Option<T>,
) -> Option<T> {
    match &node.value {
        Value::Table(table) => fields.read_table(key, table, read),
        other => fields.report_wrong_type(key, node, "a table", other),
    }
}

/// Reads true, false, or the specification's `yes` and `no`.
pub fn yes_or_no(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Plain(value, _) => yes_or_no(value),
        Value::String(text) if text == "yes" => Some(true),
        Value::String(text) if text == "no" => Some(false),
        _ => None,
    }
}

/// Reports that a key is missing from the table at the range `place`.
pub fn missing(fields: &Fields<'_, '_>, key: &'static str, place: &Range<usize>) {
    fields.missing(key, place, format!("add `{key}`"));
}

/// Resolves the path or URL in a node. Returns `None` if the value is empty.
pub fn resolve(fields: &Fields<'_, '_>, key: &str, node: &Node) -> Option<Reference> {
    let text = fields.as_string(key, node)?;
    if text.trim().is_empty() {
        return None;
    }
    fields.reader.reference(text.trim(), &node.span)
}

/// Reads an optional path or URL.
pub fn address(fields: &Fields<'_, '_>, key: &'static str) -> Option<Reference> {
    resolve(fields, key, fields.node(key)?)
}

/// Reads a required path or URL.
pub fn required_address(
    fields: &Fields<'_, '_>,
    key: &'static str,
    place: &Range<usize>,
) -> Option<Reference> {
    let node = fields.node(key);
    match node {
        Some(node) if node.value != Value::String(String::new()) => resolve(fields, key, node),
        _ => {
            missing(fields, key, place);
            None
        }
    }
}

/// Reads a required `http:` or `https:` URL.
pub fn required_url(
    fields: &Fields<'_, '_>,
    key: &'static str,
    place: &Range<usize>,
) -> Option<String> {
    match fields.node(key) {
        Some(node) if node.value != Value::String(String::new()) => fields.http_url(key),
        _ => {
            missing(fields, key, place);
            None
        }
    }
}

/// Reads a string that must be an `http:` or `https:` URL.
pub fn http(fields: &Fields<'_, '_>, key: &str, node: &Node, text: String) -> Option<String> {
    if url::is_http(&text) {
        return Some(text);
    }
    fields.reader.error(
        &node.span,
        format!("`{}` is not a URL: {text:?}", fields.name(key)),
        "write the full URL, starting with https:// or http://",
    );
    None
}

/// Returns an address of any protocol unchanged. If the scheme of the address could harm a reader,
/// reports an error and returns `None`.
pub fn check_harmless(
    fields: &Fields<'_, '_>,
    key: &'static str,
    address: String,
) -> Option<String> {
    let span = fields.node(key).map_or(0..0, |node| node.span.clone());
    fields.reader.check_harmless(address, &span)
}

/// Reads a time in seconds, written as a number or as a string such as `90` or `1:02:30`. A
/// negative number is an error.
pub fn seconds(fields: &Fields<'_, '_>, key: &'static str) -> Option<f64> {
    let node = fields.node(key)?;
    let seconds = match node.value.bare() {
        Value::String(text) => match parse_seconds(text) {
            Ok(seconds) => seconds,
            Err(_) => {
                fields.reader.error(
                    &node.span,
                    format!("`{}` is not a time: {text:?}", fields.name(key)),
                    "write seconds, as in 90.5, or a time, as in \"1:30\" or \"1:02:30\"",
                );
                return None;
            }
        },
        _ => fields.number(key)?,
    };
    if seconds < 0.0 {
        fields.reader.error(
            &node.span,
            format!("`{}` is {seconds}, but must be at least 0", fields.name(key)),
            "write the number of seconds from the start of the recording",
        );
        return None;
    }
    Some(seconds)
}

/// Reads a required number of seconds, in the same forms as [`seconds`].
pub fn required_seconds(
    fields: &Fields<'_, '_>,
    key: &'static str,
    place: &Range<usize>,
) -> Option<f64> {
    if fields.node(key).is_none() {
        missing(fields, key, place);
    }
    seconds(fields, key)
}

/// Reads a whole number of 0 or more.
pub fn count(fields: &Fields<'_, '_>, key: &'static str) -> Option<u64> {
    let number = fields.integer_in(key, i64::MIN..=i64::MAX)?;
    let count = u64::try_from(number).ok();
    if let Some(node) = fields.node(key).filter(|_| count.is_none()) {
        fields.reader.error(
            &node.span,
            format!("`{}` is {number}, but must be at least 0", fields.name(key)),
            "change the number",
        );
    }
    count
}

/// Reads a string. Warns if it has more than `max` characters.
pub fn advise_length(fields: &Fields<'_, '_>, key: &'static str, max: usize) -> Option<String> {
    let text = fields.text(key)?;
    let length = text.chars().count();
    if let Some(node) = fields.node(key).filter(|_| length > max) {
        fields.reader.warning(
            Rule::LongText,
            &node.span,
            format!(
                "`{}` has {length} characters, and apps may cut it after {max}",
                fields.name(key)
            ),
            "shorten it",
        );
    }
    Some(text)
}

/// Warns about a name that is not in a list that the community maintains.
pub fn advise_known(
    fields: &Fields<'_, '_>,
    key: &str,
    node: &Node,
    text: &str,
    list: &str,
    names: &[&str],
) {
    if names.iter().any(|name| name.eq_ignore_ascii_case(text)) {
        return;
    }
    let help = match nearest(text, names) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => "check the spelling: apps may not understand other values".into(),
    };
    fields.reader.warning(
        Rule::Vocabulary,
        &node.span,
        format!("`{}` is not in {list}: {text:?}", fields.name(key)),
        help,
    );
}
