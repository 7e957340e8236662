//! Finds the place in a file of a fault that is only found later, in the whole site or while it runs.

use std::path::Path;

use super::text::read_text;
use crate::model::{Diagnostic, SitePath, Source};
use front_matter::Value;

/// The place of a front matter key; the file is read again for it. In a list it is the element equal to
/// `value`.
pub fn place_of(
    root: &Path,
    path: &SitePath,
    key: &str,
    value: &str,
    diagnostic: Diagnostic,
) -> Diagnostic {
    let Ok(text) = read_text(root, path) else {
        return diagnostic.file(path.as_str());
    };
    let source = Source { path, text: &text };
    let table = if path.extension() == "toml" {
        source.toml().ok()
    } else {
        source.front_matter().ok().map(|front| front.table)
    };
    let at = table.and_then(|table| {
        let node = table.get(key)?;
        let element = match &node.value {
            Value::List(list) => list.iter().find(
                |node| matches!(&node.value, Value::String(text) | Value::Plain(_, text) if text.trim_matches('/') == value),
            ),
            _ => None,
        };
        Some(element.unwrap_or(node).span.start)
    });
    diagnostic.at(source, at.unwrap_or(0))
}

/// The place of a key in a table of a TOML file.
pub fn place_in_table(
    root: &Path,
    path: &SitePath,
    [table, key]: [&str; 2],
    diagnostic: Diagnostic,
) -> Diagnostic {
    let Ok(text) = read_text(root, path) else {
        return diagnostic.file(path.as_str());
    };
    let source = Source { path, text: &text };
    let at = source.toml().ok().and_then(|all| {
        let Value::Table(inner) = &all.get(table)?.value else {
            return None;
        };
        let entry = inner.entries.iter().find(|entry| entry.key == key)?;
        Some(entry.key_span.start)
    });
    diagnostic.at(source, at.unwrap_or(0))
}
