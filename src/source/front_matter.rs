//! Front matter: TOML between `+++` lines, YAML between `---` lines, or a JSON object.

use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use saphyr::{LoadableYamlNode, MarkedYaml, Scalar, YamlData};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::value::{Entry, Node, Table, Value};
use crate::model::{Diagnostic, Source};

/// Longest front matter, and longest file that is all TOML, in bytes.
const MAX_FIELDS: usize = 4 * 1024 * 1024;

/// The three formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// TOML 1.0 between `+++` lines.
    Toml,
    /// YAML 1.2 between `---` lines.
    Yaml,
    /// A JSON object.
    Json,
}

/// A file's front matter and where its body starts.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontMatter {
    /// Its fields; empty where the file has no front matter.
    pub table: Table,
    /// Its format, where there is one.
    pub format: Option<Format>,
    /// The byte at which the body starts.
    pub body: usize,
}

/// Splits a file into front matter and body, and parses the front matter.
pub fn parse(source: Source<'_>) -> Result<FrontMatter, Vec<Diagnostic>> {
    let text = source.text;
    let start = if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    let first = text[start..].lines().next().unwrap_or_default().trim_end();
    match first {
        "+++" => {
            let (fields, body) = fenced(source, start, "+++", "TOML")?;
            within_bounds(source, &fields)?;
            Ok(FrontMatter {
                table: toml(source, fields)?,
                format: Some(Format::Toml),
                body,
            })
        }
        "---" => {
            let (fields, body) = fenced(source, start, "---", "YAML")?;
            Ok(FrontMatter {
                table: yaml(source, fields)?,
                format: Some(Format::Yaml),
                body,
            })
        }
        _ if first.starts_with('{') && !first.starts_with("{{") && !first.starts_with("{%") => {
            let (fields, body) = json_object(source, start)?;
            within_bounds(source, &fields)?;
            Ok(FrontMatter {
                table: json(source, fields)?,
                format: Some(Format::Json),
                body,
            })
        }
        _ => match too_late(source, start) {
            Some(error) => Err(vec![error]),
            None => Ok(FrontMatter {
                table: Table::default(),
                format: None,
                body: start,
            }),
        },
    }
}

/// The error of front matter that does not start with the file, and would be published as text: a draft
/// with its fields. What holds no field is text: lines between two rules.
fn too_late(source: Source<'_>, start: usize) -> Option<Diagnostic> {
    let rest = source.text[start..].trim_start();
    let at = source.text.len() - rest.len();
    // What is indented by four is code.
    let indent = source.text[start..at]
        .rsplit('\n')
        .next()
        .unwrap_or_default();
    if indent.len() > 3 || indent.contains('\t') {
        return None;
    }
    let bounded = |fields| within_bounds(source, &fields).map(|()| fields);
    let table = match rest.lines().next().unwrap_or_default().trim_end() {
        "+++" => fenced(source, at, "+++", "TOML")
            .and_then(|(fields, _)| toml(source, bounded(fields)?))
            .ok()?,
        "---" => fenced(source, at, "---", "YAML")
            .and_then(|(fields, _)| yaml(source, fields))
            .ok()?,
        first if first.starts_with("{\"") || first == "{" => json_object(source, at)
            .and_then(|(fields, _)| json(source, bounded(fields)?))
            .ok()?,
        _ => return None,
    };
    (at > start && !table.entries.is_empty()).then(|| {
        Diagnostic::error("this front matter does not start in the first line, and would be text")
            .at(source, at)
            .help("remove what stands before it: blank lines and spaces")
    })
}

/// Parses a whole file of TOML.
pub fn parse_toml(source: Source<'_>) -> Result<Table, Vec<Diagnostic>> {
    if source.text.len() > MAX_FIELDS {
        return Err(vec![
            Diagnostic::error("this file is larger than 4 MiB")
                .at(source, 0)
                .help("shorten it"),
        ]);
    }
    toml(source, 0..source.text.len())
}

/// Front matter is fields, not a store of data: a parser takes a hundred times its length.
fn within_bounds(source: Source<'_>, fields: &Range<usize>) -> Result<(), Vec<Diagnostic>> {
    if fields.len() <= MAX_FIELDS {
        return Ok(());
    }
    Err(vec![
        Diagnostic::error("this front matter is larger than 4 MiB")
            .at(source, fields.start)
            .help("shorten it: the text stands below it; chapters and transcripts may lie in files of their own"),
    ])
}

/// The bytes between two fence lines, and the byte after the second.
fn fenced(
    source: Source<'_>,
    start: usize,
    fence: &str,
    name: &str,
) -> Result<(Range<usize>, usize), Vec<Diagnostic>> {
    let text = source.text;
    let fields = text[start..]
        .find('\n')
        .map_or(text.len(), |at| start + at + 1);
    let mut at = fields;
    for line in text[fields..].split_inclusive('\n') {
        if line.trim_end() == fence {
            return Ok((fields..at, at + line.len()));
        }
        at += line.len();
    }
    Err(vec![
        Diagnostic::error(format!("this {name} front matter has no end"))
            .at(source, start)
            .help(format!("close it with a line that holds only `{fence}`")),
    ])
}

fn toml(source: Source<'_>, fields: Range<usize>) -> Result<Table, Vec<Diagnostic>> {
    let (table, errors) = DeTable::parse_recoverable(&source.text[fields.clone()]);
    if errors.is_empty() {
        return toml_table(source, table.get_ref(), fields.start).map_err(|error| vec![error]);
    }
    let diagnostic = |error: &toml::de::Error| {
        let at = error
            .span()
            .map_or(fields.start, |span| fields.start + span.start);
        Diagnostic::error(format!("this is not TOML: {}", error.message()))
            .at(source, at)
            .help(match error.message() {
                "duplicate key" => "keep one of the two",
                _ => "see https://toml.io for the syntax; texts stand in quotes",
            })
    };
    let mut errors: Vec<_> = errors.iter().collect();
    errors.sort_by_key(|error| error.span().map_or(0, |span| span.start));
    Err(errors.into_iter().take(3).map(diagnostic).collect())
}

fn toml_table(source: Source<'_>, table: &DeTable<'_>, base: usize) -> Result<Table, Diagnostic> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table.iter() {
        let key_span = shift(key.span(), base);
        entries.push(Entry {
            key: key.get_ref().to_string(),
            key_span,
            node: toml_node(source, value, base)?,
        });
    }
    entries.sort_by_key(|entry| entry.key_span.start);
    Ok(Table { entries })
}

fn toml_node(
    source: Source<'_>,
    node: &Spanned<DeValue<'_>>,
    base: usize,
) -> Result<Node, Diagnostic> {
    let span = shift(node.span(), base);
    let too_large = |what: &str| {
        Diagnostic::error(format!("this {what} is too large"))
            .at(source, span.start)
            .help("put it in quotes where it is a text; whole numbers have at most 18 digits")
    };
    let value = match node.get_ref() {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => Value::Integer(
            i64::from_str_radix(number.as_str(), number.radix())
                .map_err(|_| too_large("whole number"))?,
        ),
        DeValue::Float(number) => {
            Value::Float(number.as_str().parse().map_err(|_| too_large("number"))?)
        }
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(time) => Value::String(time.to_string()),
        DeValue::Array(list) => Value::List(
            list.iter()
                .map(|node| toml_node(source, node, base))
                .collect::<Result<_, _>>()?,
        ),
        DeValue::Table(table) => Value::Table(toml_table(source, table, base)?),
    };
    Ok(Node { value, span })
}

fn shift(span: Range<usize>, base: usize) -> Range<usize> {
    span.start + base..span.end + base
}

fn yaml(source: Source<'_>, fields: Range<usize>) -> Result<Table, Vec<Diagnostic>> {
    let text = &source.text[fields.clone()];
    if let Some(at) = too_deep(text) {
        let diagnostic = Diagnostic::error("this is nested too deep")
            .at(source, fields.start + at)
            .help("front matter may be nested 64 levels deep");
        return Err(vec![diagnostic]);
    }
    within_bounds(source, &fields)?;
    let lines = Lines::new(text, fields.start);
    let documents = MarkedYaml::load_from_str(text).map_err(|error| {
        vec![
            Diagnostic::error(format!("this is not YAML: {}", error.info()))
                .at(source, lines.offset(error.marker().line(), error.marker().col()))
                .help(match error.info() {
                    info if info.starts_with("duplicated key") => "keep one of the two",
                    info if info.starts_with("tabs") => "indent with spaces",
                    _ => "a text with `: `, `#` or a quote at its start stands in quotes; lines of one level start at the same column",
                }),
        ]
    })?;
    let root = match documents.first() {
        None => return Ok(Table::default()),
        Some(root) => yaml_node(source, root, &lines, 0).map_err(|error| vec![error])?,
    };
    match root.value {
        Value::Table(table) => Ok(table),
        Value::Null | Value::Plain(..) if text.trim().is_empty() => Ok(Table::default()),
        other => Err(vec![
            Diagnostic::error(format!(
                "front matter is keys and values, not {}",
                other.kind()
            ))
            .at(source, root.span.start)
            .help("write `key: value` lines"),
        ]),
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

/// Deepest nesting that is read; front matter needs five or so.
const MAX_DEPTH: usize = 64;

fn yaml_node(
    source: Source<'_>,
    node: &MarkedYaml<'_>,
    lines: &Lines<'_>,
    depth: usize,
) -> Result<Node, Diagnostic> {
    let start = lines.offset(node.span.start.line(), node.span.start.col());
    let end = lines
        .offset(node.span.end.line(), node.span.end.col())
        .max(start);
    let fail = |message: &str, help: &str| Diagnostic::error(message).at(source, start).help(help);
    if depth > MAX_DEPTH {
        return Err(fail(
            "this is nested too deep",
            "front matter may be nested 64 levels deep",
        ));
    }
    let raw = || source.text[start..end].trim().to_owned();
    let plain = |value: Value| Value::Plain(Box::new(value), raw());
    let value = match &node.data {
        YamlData::Value(Scalar::Null) => Value::Null,
        YamlData::Value(Scalar::Boolean(flag)) => plain(Value::Bool(*flag)),
        YamlData::Value(Scalar::Integer(number)) => plain(Value::Integer(*number)),
        YamlData::Value(Scalar::FloatingPoint(number)) => plain(Value::Float(number.into_inner())),
        YamlData::Value(Scalar::String(text)) => Value::String(text.to_string()),
        YamlData::Sequence(list) => Value::List(
            list.iter()
                .map(|node| yaml_node(source, node, lines, depth + 1))
                .collect::<Result<_, _>>()?,
        ),
        YamlData::Mapping(mapping) => {
            let mut entries: Vec<Entry> = Vec::with_capacity(mapping.len());
            for (key, value) in mapping {
                let key = yaml_node(source, key, lines, depth + 1)?;
                let name = match key.value {
                    Value::String(name) | Value::Plain(_, name) => name,
                    _ => return Err(fail("a key has to be a text", "write `key: value`")),
                };
                entries.push(Entry {
                    key: name,
                    key_span: key.span,
                    node: yaml_node(source, value, lines, depth + 1)?,
                });
            }
            Value::Table(Table { entries })
        }
        YamlData::Tagged(_, inner) => return yaml_node(source, inner, lines, depth + 1),
        YamlData::Representation(text, ..) => Value::String(text.to_string()),
        YamlData::Alias(_) | YamlData::BadValue => {
            return Err(fail(
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

/// Turns a YAML marker's line (from 1) and column (from 0, in characters) into a byte offset. A file may
/// have all its keys in one line: none is looked for from the start of that line.
struct Lines<'a> {
    text: &'a str,
    base: usize,
    /// How many characters stand before each line.
    starts: Vec<usize>,
    /// The byte of each `STEP`th character.
    marks: Vec<usize>,
}

impl<'a> Lines<'a> {
    const STEP: usize = 64;

    fn new(text: &'a str, base: usize) -> Self {
        let (mut starts, mut marks) = (vec![0], Vec::new());
        for (count, (at, c)) in text.char_indices().enumerate() {
            if count % Self::STEP == 0 {
                marks.push(at);
            }
            if c == '\n' {
                starts.push(count + 1);
            }
        }
        Self {
            text,
            base,
            starts,
            marks,
        }
    }

    fn offset(&self, line: usize, column: usize) -> usize {
        let start = self.starts.get(line.saturating_sub(1));
        let count = start.map_or(usize::MAX, |start| start.saturating_add(column));
        let Some(mark) = self.marks.get(count / Self::STEP) else {
            return self.base + self.text.len();
        };
        let rest = &self.text[*mark..];
        let within = rest.char_indices().nth(count % Self::STEP);
        self.base + mark + within.map_or(rest.len(), |(at, _)| at)
    }
}

/// The bytes of the JSON object a file starts with, and the byte after it and its line's end.
fn json_object(source: Source<'_>, start: usize) -> Result<(Range<usize>, usize), Vec<Diagnostic>> {
    let mut values = serde_json::Deserializer::from_str(&source.text[start..])
        .into_iter::<serde::de::IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => {
            let end = start + values.byte_offset();
            let rest = &source.text[end..];
            let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
            let body = if rest[..line].trim().is_empty() {
                end + line
            } else {
                end
            };
            Ok((start..end, body))
        }
        Some(Err(error)) => {
            let lines = Lines::new(&source.text[start..], start);
            let at = lines.offset(error.line(), error.column().saturating_sub(1));
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            Err(vec![
                Diagnostic::error(format!("this is not JSON: {message}"))
                    .at(source, at)
                    .help(json_help(source)),
            ])
        }
        None => Ok((start..start, start)),
    }
}

/// JSON as RFC 8259 has it: what other readers refuse is refused here.
pub(super) const STRICT_JSON: jsonc_parser::ParseOptions = jsonc_parser::ParseOptions {
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

fn json(source: Source<'_>, fields: Range<usize>) -> Result<Table, Vec<Diagnostic>> {
    let base = fields.start;
    let parsed = jsonc_parser::parse_to_ast(
        &source.text[fields],
        &jsonc_parser::CollectOptions::default(),
        &STRICT_JSON,
    );
    let fail = |at: usize, message: String| {
        vec![
            Diagnostic::error(message)
                .at(source, at)
                .help(json_help(source)),
        ]
    };
    match parsed {
        Ok(parsed) => match parsed.value {
            Some(ast::Value::Object(object)) => {
                let table = json_table(&object, base);
                written_twice(source, &table).map_or(Ok(table), |error| Err(vec![error]))
            }
            _ => Err(fail(base, "front matter has to be a JSON object".into())),
        },
        Err(error) => Err(fail(
            base + error.range().start,
            format!("this is not JSON: {}", error.kind()),
        )),
    }
}

fn json_help(source: Source<'_>) -> String {
    let what = match source.path.extension().as_str() {
        "json" => "the file is one JSON object",
        _ => "front matter that starts with `{` is one JSON object",
    };
    format!("{what}; keys and texts stand in double quotes, and no comma before a closing bracket")
}

/// The error of a key that a table, or one inside it, has twice.
fn written_twice(source: Source<'_>, table: &Table) -> Option<Diagnostic> {
    let mut seen = std::collections::HashSet::with_capacity(table.entries.len());
    table.entries.iter().find_map(|entry| {
        if !seen.insert(entry.key.as_str()) {
            return Some(
                Diagnostic::error(format!("the key `{}` stands here twice", entry.key))
                    .at(source, entry.key_span.start)
                    .help("keep one of the two"),
            );
        }
        twice_inside(source, &entry.node)
    })
}

fn twice_inside(source: Source<'_>, node: &Node) -> Option<Diagnostic> {
    match &node.value {
        Value::Table(table) => written_twice(source, table),
        Value::List(list) => list.iter().find_map(|node| twice_inside(source, node)),
        _ => None,
    }
}

fn json_table(object: &ast::Object<'_>, base: usize) -> Table {
    let entry = |property: &ast::ObjectProp<'_>| Entry {
        key: property.name.as_str().to_owned(),
        key_span: shift(property.name.start()..property.name.end(), base),
        node: json_node(&property.value, base),
    };
    Table {
        entries: object.properties.iter().map(entry).collect(),
    }
}

fn json_node(node: &ast::Value<'_>, base: usize) -> Node {
    let value = match node {
        ast::Value::StringLit(text) => Value::String(text.value.to_string()),
        ast::Value::NumberLit(number) => match number.value.parse::<i64>() {
            Ok(whole) => Value::Integer(whole),
            Err(_) => Value::Float(number.value.parse().unwrap_or(f64::NAN)),
        },
        ast::Value::BooleanLit(flag) => Value::Bool(flag.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(list) => Value::List(
            list.elements
                .iter()
                .map(|node| json_node(node, base))
                .collect(),
        ),
        ast::Value::Object(object) => Value::Table(json_table(object, base)),
    };
    Node {
        value,
        span: shift(node.start()..node.end(), base),
    }
}
