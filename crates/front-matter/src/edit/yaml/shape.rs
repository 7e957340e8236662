//! Finds the positions of the values in a YAML document. The parser only provides the start of
//! scalars, so this module scans the text between them.

use std::ops::Range;

use crate::edit::splice::{line_start, next_line};
use crate::value::{Entry, Node, Table, Value};

/// The form in which a value is written in YAML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A plain or quoted scalar, or an empty value.
    Scalar,
    /// A block scalar, introduced by `|` or `>`.
    Lines,
    /// A list or table in brackets.
    Flow,
    /// Keys or dashes on separate lines.
    Block,
    /// An alias: `*alias`.
    Alias,
    /// A form that cannot be edited.
    Unknown,
}

/// The form and the position of a value.
#[derive(Debug)]
pub(super) struct Shape {
    pub kind: Kind,
    /// Position after the colon or dash that comes before the value.
    pub value_start: usize,
    /// Position of the first byte of the value, including its tags and anchors.
    pub start: usize,
    /// Position of the first byte of the value after its tags and anchors.
    pub token: usize,
    /// Position after the last byte of the value. The line end is not included.
    pub end: usize,
    pub parts: Vec<Part>,
}

/// An entry of a table or an item of a list.
#[derive(Debug)]
pub(super) struct Part {
    /// Start of the key or of the dash. In brackets, start of the key or of the item.
    pub at: usize,
    pub shape: Shape,
}

impl Shape {
    /// Returns the shape of the root table.
    pub fn root(text: &str, fields: Range<usize>, table: &Table) -> Self {
        let text = &text[..fields.end];
        let start = skip_space_and_comments(text, fields.start);
        let flow = text[start..].starts_with('{');
        let parts = entries(text, table, flow);
        let end = parts.last().map_or(start + usize::from(flow), |part| part.shape.end);
        let (kind, end) = if flow {
            find_closing_bracket(text, end, '}')
                .map_or((Kind::Unknown, end), |end| (Kind::Flow, end))
        } else {
            (Kind::Block, end)
        };
        Self { kind, value_start: fields.start, start, token: start, end, parts }
    }

    /// Returns the number of columns by which nested keys are indented, or None if there are none.
    pub fn key_indent(&self, text: &str) -> Option<usize> {
        self.indent(text, &|byte| byte != b'-')
    }

    /// Returns the number of columns by which the dashes of lists are indented, or None if there
    /// are none.
    pub fn dash_indent(&self, text: &str) -> Option<usize> {
        self.indent(text, &|byte| byte == b'-')
    }

    fn indent(&self, text: &str, wanted: &dyn Fn(u8) -> bool) -> Option<usize> {
        let column = |at: usize| text[line_start(text, at)..at].chars().count();
        self.parts.iter().find_map(|part| {
            let inner = part.shape.parts.first();
            let inner = inner
                .filter(|_| part.shape.kind == Kind::Block && text.as_bytes()[part.at] != b'-');
            match inner {
                Some(inner) if wanted(text.as_bytes()[inner.at]) => {
                    column(inner.at).checked_sub(column(part.at))
                }
                _ => part.shape.indent(text, wanted),
            }
        })
    }
}

/// Returns the shape of the value after a colon or a dash. `text` must end where the front matter
/// ends.
fn shape(text: &str, node: &Node, value_start: usize, flow: bool) -> Shape {
    find_shape(text, node, value_start, flow).unwrap_or_else(|| {
        let end = text[..node.span.end.min(text.len())].trim_end().len().max(value_start);
        Shape {
            kind: Kind::Unknown,
            value_start,
            start: value_start,
            token: value_start,
            end,
            parts: Vec::new(),
        }
    })
}

fn find_shape(text: &str, node: &Node, value_start: usize, flow: bool) -> Option<Shape> {
    let written = text.get(node.span.clone())?.trim();
    let simple =
        |kind, start, token, end| Shape { kind, value_start, start, token, end, parts: Vec::new() };
    if node.value == Value::Null && written.is_empty() {
        return Some(simple(Kind::Scalar, value_start, value_start, value_start));
    }
    let start = skip_space_and_comments(text, value_start);
    if text[start..].starts_with('*') {
        let end = node.span.start + written.len();
        return (node.span.start == start).then(|| simple(Kind::Alias, start, start, end));
    }
    let token = skip_properties(text, start);
    let parts = match &node.value {
        Value::Table(table) => {
            let flow = text[token..].starts_with('{');
            (flow, entries(text, table, flow), '}')
        }
        Value::List(list) => {
            let flow = text[token..].starts_with('[');
            (flow, items(text, list, token, flow)?, ']')
        }
        _ => {
            return scalar_end(text, node, token, flow)
                .map(|(kind, end)| simple(kind, start, token, end));
        }
    };
    let (kind, end) = match parts {
        (true, ref parts, close) => {
            let last = parts.last().map_or(token + 1, |part| part.shape.end);
            (Kind::Flow, find_closing_bracket(text, last, close)?)
        }
        (false, ref parts, _) => (Kind::Block, parts.last()?.shape.end),
    };
    Some(Shape { kind, value_start, start, token, end, parts: parts.1 })
}

fn entries(text: &str, table: &Table, flow: bool) -> Vec<Part> {
    let entry = |entry: &Entry| {
        let at = entry.key_span.start;
        let colon = end_of_key(text, &entry.key_span).and_then(|end| {
            let rest = &text[end..];
            let colon = end + rest.len() - rest.trim_start_matches([' ', '\t']).len();
            text[colon..].starts_with(':').then_some(colon + 1)
        });
        let shape = match colon {
            Some(value_start) => shape(text, &entry.node, value_start, flow),
            // The key is written as `? key`, or in brackets without a colon.
            None => Shape {
                kind: Kind::Unknown,
                value_start: entry.key_span.end,
                start: entry.key_span.end,
                token: entry.key_span.end,
                end: text[..entry.node.span.end.max(entry.key_span.end).min(text.len())]
                    .trim_end()
                    .len(),
                parts: Vec::new(),
            },
        };
        Part { at, shape }
    };
    table.entries.iter().map(entry).collect()
}

fn end_of_key(text: &str, span: &Range<usize>) -> Option<usize> {
    match text.as_bytes().get(span.start)? {
        b'"' | b'\'' => end_of_quotes(text, span.start),
        b'?' | b'&' | b'!' | b'*' => None,
        _ => Some(span.start + text.get(span.clone())?.trim_end().len()),
    }
}

fn items(text: &str, list: &[Node], token: usize, flow: bool) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::with_capacity(list.len());
    let mut at = token;
    for node in list {
        if flow {
            let at = node.span.start;
            let value_start = at;
            parts.push(Part { at, shape: shape(text, node, value_start, true) });
            continue;
        }
        let dash = skip_space_and_comments(text, at);
        if !text[dash..].starts_with('-') {
            return None;
        }
        let shape = shape(text, node, dash + 1, false);
        at = shape.end;
        parts.push(Part { at: dash, shape });
    }
    Some(parts)
}

fn scalar_end(text: &str, node: &Node, token: usize, flow: bool) -> Option<(Kind, usize)> {
    let span = &node.span;
    match text.as_bytes().get(token)? {
        b'"' | b'\'' => Some((Kind::Scalar, end_of_quotes(text, token)?)),
        b'|' | b'>' if !flow => {
            let head = &text[token..next_line(text, token)];
            let marks = head.trim_start_matches(|c: char| "|>+-".contains(c) || c.is_ascii_digit());
            let head = &head[..head.len() - marks.len()];
            let content = text.get(token..span.end.max(token))?;
            let content = if head.contains('+') {
                content.strip_suffix('\n').unwrap_or(content).trim_end_matches('\r').len()
            } else {
                content.trim_end().len()
            };
            let is_empty = span.end <= next_line(text, token);
            Some((Kind::Lines, token + if is_empty { head.len() } else { content }))
        }
        _ => {
            let end = text.get(..span.end)?.trim_end().len();
            (span.start <= token && token <= end).then_some((Kind::Scalar, end))
        }
    }
}

/// Returns the position after the quoted string that starts at byte `open`.
fn end_of_quotes(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let quote = *bytes.get(open)?;
    let mut at = open + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' if quote == b'"' => at += 2,
            byte if byte != quote => at += 1,
            _ if quote == b'\'' && bytes.get(at + 1) == Some(&quote) => at += 2,
            _ => return Some(at + 1),
        }
    }
}

/// Returns the position after the closing bracket of a list or table. `end` is the end of the last
/// item.
fn find_closing_bracket(text: &str, end: usize, close: char) -> Option<usize> {
    let mut at = skip_space_and_comments(text, end);
    if text[at..].starts_with(',') {
        at = skip_space_and_comments(text, at + 1);
    }
    text[at..].starts_with(close).then_some(at + 1)
}

/// Returns the position of the next byte that is neither whitespace nor part of a comment.
fn skip_space_and_comments(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        if !text[at..].starts_with('#') {
            return at;
        }
        at = next_line(text, at);
    }
}

/// Skips tags and anchors, and returns the position after them.
fn skip_properties(text: &str, mut at: usize) -> usize {
    while text[at..].starts_with(['&', '!']) {
        let rest = &text[at..];
        at += rest.find([' ', '\t', '\r', '\n', ',', ']', '}']).unwrap_or(rest.len());
        let next = skip_space_and_comments(text, at);
        if next == at {
            return at;
        }
        at = next;
    }
    at
}
