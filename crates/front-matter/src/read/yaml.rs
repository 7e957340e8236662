//! Reads YAML 1.2 with the `saphyr` crate, which provides positions as lines and columns.

use std::collections::HashSet;
use std::ops::Range;

use saphyr::{AnnotatedMapping, LoadableYamlNode, MarkedYaml, Scalar, YamlData};

use super::marks::OffsetConverter;
use super::unclosed::unclosed;
use super::{Merges, within_bounds};
use crate::Fault;
use crate::value::{Entry, Node, Table, Value};

/// Maximum depth of nested values. Front matter needs about five levels.
const MAX_DEPTH: usize = 64;

/// Parses the YAML in the byte range `fields`.
pub(super) fn read(file: &str, fields: Range<usize>, merges: Merges) -> Result<Table, Vec<Fault>> {
    let text = &file[fields.clone()];
    if let Some(at) = find_deep_nesting(text) {
        return Err(vec![nested_too_deep(fields.start + at)]);
    }
    within_bounds(&fields)?;
    let marks = OffsetConverter::new(text, fields.start);
    let documents = MarkedYaml::load_from_str(text).map_err(|error| {
        if let Some(found) = unclosed(text) {
            let message = format!("this YAML has a {} that is not closed", found.bracket);
            let help = format!("close it with {}, or put the whole text in quotes", found.closing());
            return vec![Fault::new(fields.start + found.at, message, help)];
        }
        let help = match error.info() {
            info if info.starts_with("duplicated key") => "keep one of the two",
            info if info.starts_with("tabs") => "indent with spaces",
            _ => "put text in quotes if it contains `: `, or starts with `#` or a quote; indent all lines of one level equally",
        };
        let at = marks.offset(error.marker().line(), error.marker().col());
        vec![Fault::new(at, format!("invalid YAML: {}", error.info()), help)]
    })?;
    let Some(root) = documents.first() else {
        return Ok(Table::default());
    };
    let reading = YamlReader { file, marks: &marks, merges };
    let root = reading.node(root, 0).map_err(|fault| vec![fault])?;
    match root.value {
        Value::Table(table) => Ok(table),
        Value::Null | Value::Plain(..) if text.trim().is_empty() => Ok(Table::default()),
        other => Err(vec![Fault::new(
            root.span.start,
            format!("front matter must be keys and values, not {}", other.kind()),
            "write `key: value` lines",
        )]),
    }
}

/// Returns a position at which YAML might be nested so deeply that a recursive parser would
/// overflow the stack. The estimate can be too high: it also counts brackets inside strings, and
/// every column of nested lists.
fn find_deep_nesting(text: &str) -> Option<usize> {
    const MAX_OPEN_COLLECTIONS: usize = 512;
    let (mut brackets, mut line) = (0_usize, Some(0));
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => brackets += 1,
            b']' | b'}' => brackets = brackets.saturating_sub(1),
            b'\n' => line = Some(0),
            b' ' | b'\t' | b'-' | b'?' => line = line.map(|columns| columns + 1),
            _ => line = None,
        }
        if brackets + line.unwrap_or(0) > MAX_OPEN_COLLECTIONS {
            return Some(at);
        }
    }
    None
}

fn nested_too_deep(at: usize) -> Fault {
    Fault::new(at, "this value is nested too deeply", "use at most 64 levels of nesting")
}

/// A converter from the YAML parser's tree to nodes with byte ranges.
struct YamlReader<'m> {
    file: &'m str,
    marks: &'m OffsetConverter<'m>,
    merges: Merges,
}

impl YamlReader<'_> {
    fn node(&self, node: &MarkedYaml<'_>, depth: usize) -> Result<Node, Fault> {
        let start = self.marks.offset(node.span.start.line(), node.span.start.col());
        let end = self.marks.offset(node.span.end.line(), node.span.end.col());
        let end = end.max(start);
        if depth > MAX_DEPTH {
            return Err(nested_too_deep(start));
        }
        let plain = |value: Value| {
            let written = self.file[start..end].trim().to_owned();
            Value::Plain(Box::new(value), written)
        };
        let value = match &node.data {
            YamlData::Value(Scalar::Null) => Value::Null,
            YamlData::Value(Scalar::Boolean(flag)) => plain(Value::Bool(*flag)),
            YamlData::Value(Scalar::Integer(number)) => plain(Value::Integer(*number)),
            YamlData::Value(Scalar::FloatingPoint(number)) => {
                plain(Value::Float(number.into_inner()))
            }
            YamlData::Value(Scalar::String(text)) => Value::String(text.to_string()),
            YamlData::Sequence(list) => {
                let nodes = list.iter().map(|node| self.node(node, depth + 1));
                Value::List(nodes.collect::<Result<_, _>>()?)
            }
            YamlData::Mapping(mapping) => Value::Table(self.table(mapping, start, depth)?),
            YamlData::Tagged(_, inner) => return self.node(inner, depth),
            YamlData::Representation(text, ..) => Value::String(text.to_string()),
            YamlData::Alias(_) | YamlData::BadValue => {
                return Err(Fault::new(
                    start, "this YAML value cannot be read", "write it without a tag or alias",
                ));
            }
        };
        Ok(Node { value, span: start..end })
    }

    fn table(
        &self,
        mapping: &AnnotatedMapping<'_, MarkedYaml<'_>>,
        start: usize,
        depth: usize,
    ) -> Result<Table, Fault> {
        let mut entries: Vec<Entry> = Vec::with_capacity(mapping.len());
        for (key, value) in mapping {
            let key = self.node(key, depth + 1)?;
            let (Value::String(name) | Value::Plain(_, name)) = key.value else {
                return Err(Fault::new(start, "a key must be text", "write `key: value`"));
            };
            entries.push(Entry {
                key: name,
                key_span: key.span,
                node: self.node(value, depth + 1)?,
            });
        }
        if self.merges == Merges::Applied {
            entries = self.merged(entries);
        }
        Ok(Table { entries })
    }

    /// Replaces the merge key (<https://yaml.org/type/merge.html>) with the keys of the merged
    /// mappings. The mapping's own keys override merged keys, and earlier merged mappings override
    /// later mappings.
    fn merged(&self, entries: Vec<Entry>) -> Vec<Entry> {
        let is_merge = |entry: &Entry| {
            // A quoted `<<` is an ordinary key.
            let is_plain = self.file[entry.key_span.start..].starts_with(MERGE);
            entry.key == MERGE && is_plain && is_mergeable(&entry.node.value)
        };
        if !entries.iter().any(is_merge) {
            return entries;
        }
        let own: HashSet<String> = entries.iter().map(|entry| entry.key.clone()).collect();
        let mut known = own;
        let mut merged = Vec::with_capacity(entries.len());
        for entry in entries {
            if !is_merge(&entry) {
                merged.push(entry);
                continue;
            }
            let tables = match entry.node.value {
                Value::List(list) => list.into_iter().map(|node| node.value).collect(),
                value => vec![value],
            };
            for table in tables {
                if let Value::Table(table) = table {
                    let entries = table.entries.into_iter();
                    merged.extend(entries.filter(|entry| known.insert(entry.key.clone())));
                }
            }
        }
        merged
    }
}

/// YAML's merge key.
const MERGE: &str = "<<";

fn is_mergeable(value: &Value) -> bool {
    match value {
        Value::Table(_) | Value::Null => true,
        Value::List(list) => list.iter().all(|node| matches!(node.value, Value::Table(_))),
        _ => false,
    }
}
