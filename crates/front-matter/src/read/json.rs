//! Reads JSON with the `jsonc_parser` crate, which provides the range of each value.

use std::collections::HashSet;
use std::ops::Range;

use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, ast};
use serde::de::IgnoredAny;

use super::marks::OffsetConverter;
use super::shift;
use crate::Fault;
use crate::value::{Entry, Node, Table, Value};

/// Start of the help text for an error in JSON front matter.
pub(super) const FRONT_MATTER_HELP: &str =
    "write front matter that starts with `{` as one JSON object";
/// Start of the help text for an error in a file that contains only JSON.
pub(super) const JSON_FILE_HELP: &str = "write the file as one JSON object";

/// Options for strict JSON (RFC 8259): anything that other parsers reject is rejected here too.
const STRICT_JSON: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn help(object: &str) -> String {
    format!(
        "{object}, with keys and strings in double quotes, and no comma before a closing bracket"
    )
}

/// Returns the byte range of the JSON object that starts at `start`, and the position after the
/// object and its line end.
pub(super) fn bounds(
    text: &str,
    start: usize,
    object: &str,
) -> Result<(Range<usize>, usize), Vec<Fault>> {
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => {
            let end = start + values.byte_offset();
            let rest = &text[end..];
            let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
            let body = if rest[..line].trim().is_empty() { end + line } else { end };
            Ok((start..end, body))
        }
        Some(Err(error)) => {
            let marks = OffsetConverter::new(&text[start..], start);
            let at = marks.offset(error.line(), error.column().saturating_sub(1));
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            Err(vec![Fault::new(at, format!("invalid JSON: {message}"), help(object))])
        }
        None => Ok((start..start, start)),
    }
}

/// Parses the JSON in the byte range `fields`.
pub(super) fn read(text: &str, fields: Range<usize>, object: &str) -> Result<Table, Vec<Fault>> {
    let base = fields.start;
    let parsed =
        jsonc_parser::parse_to_ast(&text[fields], &CollectOptions::default(), &STRICT_JSON);
    let parsed = parsed.map_err(|error| {
        let at = base + error.range().start;
        let message = format!("invalid JSON: {}", error.kind());
        vec![Fault::new(at, message, help(object))]
    })?;
    let Some(ast::Value::Object(root)) = parsed.value else {
        let message = "front matter must be a JSON object";
        return Err(vec![Fault::new(base, message, help(object))]);
    };
    let table = read_table(&root, base);
    match duplicate_key(&table) {
        None => Ok(table),
        Some(fault) => Err(vec![fault]),
    }
}

/// Returns an error if a key occurs twice in a table or in a nested table.
fn duplicate_key(table: &Table) -> Option<Fault> {
    let mut seen = HashSet::with_capacity(table.entries.len());
    table.entries.iter().find_map(|entry| {
        if !seen.insert(entry.key.as_str()) {
            return Some(Fault::new(
                entry.key_span.start,
                format!("duplicate key `{}`", entry.key),
                "keep one of the two",
            ));
        }
        duplicate_key_inside(&entry.node)
    })
}

fn duplicate_key_inside(node: &Node) -> Option<Fault> {
    match &node.value {
        Value::Table(table) => duplicate_key(table),
        Value::List(list) => list.iter().find_map(duplicate_key_inside),
        _ => None,
    }
}

fn read_table(object: &ast::Object<'_>, base: usize) -> Table {
    let entry = |property: &ast::ObjectProp<'_>| Entry {
        key: property.name.as_str().to_owned(),
        key_span: shift(property.name.start()..property.name.end(), base),
        node: read_node(&property.value, base),
    };
    Table { entries: object.properties.iter().map(entry).collect() }
}

fn read_node(node: &ast::Value<'_>, base: usize) -> Node {
    let value = match node {
        ast::Value::StringLit(text) => Value::String(text.value.to_string()),
        ast::Value::NumberLit(number) => match number.value.parse::<i64>() {
            Ok(whole) => Value::Integer(whole),
            Err(_) => Value::Float(number.value.parse().unwrap_or(f64::NAN)),
        },
        ast::Value::BooleanLit(flag) => Value::Bool(flag.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(list) => {
            Value::List(list.elements.iter().map(|node| read_node(node, base)).collect())
        }
        ast::Value::Object(object) => Value::Table(read_table(object, base)),
    };
    Node { value, span: shift(node.start()..node.end(), base) }
}
