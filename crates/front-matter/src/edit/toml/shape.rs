//! The forms in which a TOML table can be written, and the positions where its values end.

use crate::value::{Entry, Node, Table, Value};

/// The form in which a value is written in TOML.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// After `key =`, or in brackets.
    Value,
    /// A table with a header, `[a.header]`.
    Header,
    /// A list of tables, each with a header `[[a.header]]`.
    Headers,
    /// A table without a header. It is defined by dotted keys or by the longer headers of nested
    /// tables.
    Spread,
}

/// Returns the form in which a value is written in `text`.
pub(super) fn form(text: &str, node: &Node) -> Form {
    let opens = |node: &Node, bracket| text[node.span.clone()].starts_with(bracket);
    match &node.value {
        Value::Table(_) if opens(node, '{') => Form::Value,
        Value::Table(_) if opens(node, '[') => Form::Header,
        Value::Table(_) => Form::Spread,
        Value::List(list) => match list.first() {
            Some(first) if matches!(first.value, Value::Table(_)) && opens(first, '[') => {
                Form::Headers
            }
            _ => Form::Value,
        },
        _ => Form::Value,
    }
}

/// Returns the end of the last value in a table that has no header of its own. This includes the
/// values of dotted keys.
pub(super) fn end_of_keys(text: &str, table: &Table) -> Option<usize> {
    let ends = |entry: &Entry| match (form(text, &entry.node), &entry.node.value) {
        (Form::Value, _) => Some(entry.node.span.end),
        (Form::Spread, Value::Table(table)) => end_of_keys(text, table),
        _ => None,
    };
    table.entries.iter().filter_map(ends).max()
}

/// Returns the end of a table, including all nested tables.
pub(super) fn end(text: &str, table: &Table) -> Option<usize> {
    let lines_below = |node: &Node| match &node.value {
        Value::Table(table) => end(text, table).unwrap_or(0).max(node.span.end),
        _ => node.span.end,
    };
    let ends = |entry: &Entry| match (form(text, &entry.node), &entry.node.value) {
        (Form::Spread, Value::Table(table)) => end(text, table),
        (Form::Headers, Value::List(list)) => list.iter().map(lines_below).max(),
        _ => Some(lines_below(&entry.node)),
    };
    table.entries.iter().filter_map(ends).max()
}

/// Returns the start of the first header among the tables inside `table`.
pub(super) fn first_header(text: &str, table: &Table) -> Option<usize> {
    let starts = |entry: &Entry| match (form(text, &entry.node), &entry.node.value) {
        (Form::Spread, Value::Table(table)) => first_header(text, table),
        (Form::Header | Form::Headers, _) => Some(entry.node.span.start),
        _ => None,
    };
    table.entries.iter().filter_map(starts).min()
}
