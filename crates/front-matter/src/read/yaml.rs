//! Reads YAML 1.2 with the crate `saphyr`, which gives marks of lines and columns.

use std::ops::Range;

use saphyr::{LoadableYamlNode, MarkedYaml, Scalar, YamlData};

use super::marks::Marks;
use super::within_bounds;
use crate::Fault;
use crate::value::{Entry, Node, Table, Value};

/// Deepest nesting that is read; front matter needs five or so.
const MAX_DEPTH: usize = 64;

/// Reads the YAML in these bytes of a text.
pub(super) fn read(file: &str, fields: Range<usize>) -> Result<Table, Vec<Fault>> {
    let text = &file[fields.clone()];
    if let Some(at) = too_deep(text) {
        return Err(vec![nested_too_deep(fields.start + at)]);
    }
    within_bounds(&fields)?;
    let marks = Marks::new(text, fields.start);
    let documents = MarkedYaml::load_from_str(text).map_err(|error| {
        let help = match error.info() {
            info if info.starts_with("duplicated key") => "keep one of the two",
            info if info.starts_with("tabs") => "indent with spaces",
            _ => "a text with `: `, `#` or a quote at its start stands in quotes; lines of one level start at the same column",
        };
        let at = marks.offset(error.marker().line(), error.marker().col());
        vec![Fault::new(at, format!("this is not YAML: {}", error.info()), help)]
    })?;
    let Some(root) = documents.first() else {
        return Ok(Table::default());
    };
    let root = read_node(file, root, &marks, 0).map_err(|fault| vec![fault])?;
    match root.value {
        Value::Table(table) => Ok(table),
        Value::Null | Value::Plain(..) if text.trim().is_empty() => Ok(Table::default()),
        other => Err(vec![Fault::new(
            root.span.start,
            format!("front matter is keys and values, not {}", other.kind()),
            "write `key: value` lines",
        )]),
    }
}

/// Where YAML may be nested so deep that a parser that recurs would run out of stack. It counts more
/// levels than there are: brackets in texts, and the columns of lists in lists.
fn too_deep(text: &str) -> Option<usize> {
    const MOST: usize = 512;
    let (mut brackets, mut line) = (0_usize, Some(0));
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => brackets += 1,
            b']' | b'}' => brackets = brackets.saturating_sub(1),
            b'\n' => line = Some(0),
            b' ' | b'\t' | b'-' | b'?' => line = line.map(|columns| columns + 1),
            _ => line = None,
        }
        if brackets + line.unwrap_or(0) > MOST {
            return Some(at);
        }
    }
    None
}

fn nested_too_deep(at: usize) -> Fault {
    Fault::new(
        at,
        "this is nested too deep",
        "front matter may be nested 64 levels deep",
    )
}

fn read_node(
    file: &str,
    node: &MarkedYaml<'_>,
    marks: &Marks<'_>,
    depth: usize,
) -> Result<Node, Fault> {
    let start = marks.offset(node.span.start.line(), node.span.start.col());
    let end = marks
        .offset(node.span.end.line(), node.span.end.col())
        .max(start);
    if depth > MAX_DEPTH {
        return Err(nested_too_deep(start));
    }
    let plain = |value: Value| {
        let written = file[start..end].trim().to_owned();
        Value::Plain(Box::new(value), written)
    };
    let value = match &node.data {
        YamlData::Value(Scalar::Null) => Value::Null,
        YamlData::Value(Scalar::Boolean(flag)) => plain(Value::Bool(*flag)),
        YamlData::Value(Scalar::Integer(number)) => plain(Value::Integer(*number)),
        YamlData::Value(Scalar::FloatingPoint(number)) => plain(Value::Float(number.into_inner())),
        YamlData::Value(Scalar::String(text)) => Value::String(text.to_string()),
        YamlData::Sequence(list) => Value::List(
            list.iter()
                .map(|node| read_node(file, node, marks, depth + 1))
                .collect::<Result<_, _>>()?,
        ),
        YamlData::Mapping(mapping) => {
            let mut entries: Vec<Entry> = Vec::with_capacity(mapping.len());
            for (key, value) in mapping {
                let key = read_node(file, key, marks, depth + 1)?;
                let (Value::String(name) | Value::Plain(_, name)) = key.value else {
                    return Err(Fault::new(
                        start,
                        "a key has to be a text",
                        "write `key: value`",
                    ));
                };
                entries.push(Entry {
                    key: name,
                    key_span: key.span,
                    node: read_node(file, value, marks, depth + 1)?,
                });
            }
            Value::Table(Table { entries })
        }
        YamlData::Tagged(_, inner) => return read_node(file, inner, marks, depth + 1),
        YamlData::Representation(text, ..) => Value::String(text.to_string()),
        YamlData::Alias(_) | YamlData::BadValue => {
            return Err(Fault::new(
                start,
                "this YAML value cannot be read",
                "write it without a tag or alias",
            ));
        }
    };
    Ok(Node {
        value,
        span: start..end,
    })
}
