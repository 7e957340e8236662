//! Edits to TOML: keys on their own lines, dotted keys, `[tables]`, `[[arrays of tables]]`, and
//! values in brackets.

mod shape;
mod write;

use std::ops::Range;

use self::shape::{Form, end, end_of_keys, first_header, form};
use self::write::{header, in_same_style, inline_entry, is_section, section, value};
pub(super) use self::write::{inline, key, lines};
use super::bracketed::Bracketed;
use super::difference::{Action, PathElement, Step, Syntax};
use super::splice::{Splice, indent, line_start, next_line, removal_splices, starts_line};
use crate::value::{Entry, Node, Table, Value};

/// A TOML document to edit.
pub(super) struct Toml<'a> {
    pub text: &'a str,
    /// Range of the TOML in `text`.
    pub fields: Range<usize>,
    pub root: &'a Table,
}

impl Syntax for Toml<'_> {
    fn splices(&self, step: &Step<'_>) -> Option<Vec<Splice>> {
        match &step.action {
            Action::Replace(new) => self.replace(step, new),
            Action::Remove => self.remove(step),
            Action::Add(entries) => self.add(step, entries),
            Action::Insert(before, nodes) => self.insert(step, *before, nodes),
        }
    }
}

impl Toml<'_> {
    /// Returns whether a value must be replaced entirely. This applies to inline tables with dotted
    /// keys, and to arrays of tables that will contain values other than tables.
    pub fn is_opaque(text: &str, node: &Node, wanted: &Value) -> bool {
        let spread = |entry: &Entry| form(text, &entry.node) == Form::Spread;
        let is_table = |node: &Node| matches!(node.value, Value::Table(_));
        match (&node.value, form(text, node), wanted) {
            (Value::Table(table), Form::Value, _) => table.entries.iter().any(spread),
            (_, Form::Headers, Value::List(wanted)) => !wanted.iter().all(is_table),
            _ => false,
        }
    }

    fn form(&self, node: &Node) -> Form {
        form(self.text, node)
    }

    fn replace(&self, step: &Step<'_>, new: &Value) -> Option<Vec<Splice>> {
        let node = step.node()?;
        if self.form(node) != Form::Value {
            // First removes the lines of the value. A later step then adds the new value.
            return self.remove(step);
        }
        let raw = &self.text[node.span.clone()];
        let (_, rest) = step.split()?;
        let text = match (&node.value, new) {
            (Value::String(_), Value::String(new)) => in_same_style(raw, new),
            _ if self.is_in_brackets(rest) => inline(new),
            _ => value(new, indent(self.text, node.span.start)),
        };
        Some(vec![Splice::new(node.span.clone(), text)])
    }

    fn is_in_brackets(&self, path: &[PathElement<'_>]) -> bool {
        path.last().is_some_and(|element| self.form(element.node()) == Form::Value)
    }

    fn remove(&self, step: &Step<'_>) -> Option<Vec<Splice>> {
        let (last, rest) = step.split()?;
        if self.is_in_brackets(rest) {
            let holder = rest.last()?.node();
            return Some(self.bracketed(holder).remove(last.index()));
        }
        let mut ranges = Vec::new();
        self.lines_of(last.start(), last.node(), &mut ranges);
        Some(removal_splices(ranges))
    }

    /// Adds the lines of a value to `ranges`, including the lines of nested tables.
    fn lines_of(&self, key: usize, node: &Node, ranges: &mut Vec<Range<usize>>) {
        let form = self.form(node);
        if form == Form::Value {
            return ranges.push(line_start(self.text, key)..next_line(self.text, node.span.end));
        }
        match &node.value {
            Value::Table(table) => {
                if form == Form::Header {
                    let end = end_of_keys(self.text, table).unwrap_or(node.span.end);
                    ranges.push(self.with_blank_lines(node.span.start, end));
                }
                for entry in &table.entries {
                    self.lines_of(entry.key_span.start, &entry.node, ranges);
                }
            }
            Value::List(list) => {
                for node in list {
                    self.lines_of(node.span.start, node, ranges);
                }
            }
            _ => {}
        }
    }

    /// Returns the lines of a section, including the blank lines above it. For the first section,
    /// includes the blank lines below it instead.
    fn with_blank_lines(&self, start: usize, end: usize) -> Range<usize> {
        let (start, end) = (line_start(self.text, start), next_line(self.text, end));
        let above = self.text[self.fields.start..start].trim_end();
        if !above.is_empty() {
            return next_line(self.text, self.fields.start + above.len())..end;
        }
        let mut lines_below = end;
        while lines_below < self.fields.end {
            let next = next_line(self.text, lines_below);
            if !self.text[lines_below..next].trim().is_empty() {
                break;
            }
            lines_below = next;
        }
        start..lines_below
    }

    fn add(&self, step: &Step<'_>, entries: &[&Entry]) -> Option<Vec<Splice>> {
        let Some(node) = step.node() else {
            return Some(vec![self.add_below(&[], None, self.root, entries)]);
        };
        let Value::Table(table) = &node.value else {
            return None;
        };
        let path: Vec<_> = step.path.iter().filter_map(name).collect();
        match self.form(node) {
            Form::Value if table.entries.is_empty() => {
                let all: Vec<_> = entries.iter().map(|entry| inline_entry(entry)).collect();
                let text = format!("{{ {} }}", all.join(", "));
                Some(vec![Splice::new(node.span.clone(), text)])
            }
            Form::Value => {
                let all: Vec<_> = entries.iter().map(|entry| inline_entry(entry)).collect();
                Some(self.bracketed(node).insert(table.entries.len(), &all))
            }
            Form::Header
                if step.path.iter().any(|element| matches!(element, PathElement::Item(..))) =>
            {
                let at = end_of_keys(self.text, table).unwrap_or(node.span.end);
                Some(vec![Splice::lines_below(self.text, at, &self.keys(table, entries))])
            }
            Form::Header => Some(vec![self.add_below(&path, Some(node), table, entries)]),
            Form::Spread => Some(vec![self.add_without_header(&path, node, table, entries)]),
            Form::Headers => None,
        }
    }

    /// Adds entries to the top level, or to a table with a header. If there are simple values, adds
    /// only these, and leaves tables to a later step.
    fn add_below(
        &self,
        path: &[&str],
        node: Option<&Node>,
        table: &Table,
        entries: &[&Entry],
    ) -> Splice {
        let values: Vec<_> = entries.iter().filter(|entry| !is_section(entry)).copied().collect();
        if values.is_empty() {
            return self.add_sections(path, node, table, entries);
        }
        let keys = self.keys(table, &values);
        if let Some(end) = end_of_keys(self.text, table).or(node.map(|node| node.span.end)) {
            return Splice::lines_below(self.text, end, &keys);
        }
        let Some(first) = first_header(self.text, table) else {
            return self.at_the_end(&keys);
        };
        let mut at = line_start(self.text, first);
        // A comment directly above a header belongs to that header.
        while at > self.fields.start {
            let above = line_start(self.text, at - 1);
            if above < self.fields.start || !self.text[above..at].trim_start().starts_with('#') {
                break;
            }
            at = above;
        }
        Splice::new(at..at, format!("{keys}\n"))
    }

    fn add_sections(
        &self,
        path: &[&str],
        node: Option<&Node>,
        table: &Table,
        entries: &[&Entry],
    ) -> Splice {
        let mut text = String::new();
        for entry in entries {
            if let Value::Table(inner) = &entry.node.value {
                let path = [path, &[entry.key.as_str()]].concat();
                text.push_str(if text.is_empty() { "" } else { "\n" });
                text.push_str(&section(&path, inner));
            }
        }
        let end = node.map(|node| end(self.text, table).unwrap_or(node.span.end));
        let at = end.map_or(self.fields.end, |end| next_line(self.text, end));
        let above = &self.text[self.fields.start..at];
        let blank = above.is_empty() || above.ends_with("\n\n") || above.ends_with("\n\r\n");
        let text = format!("{}{text}", if blank { "" } else { "\n" });
        match end {
            Some(end) => Splice::lines_below(self.text, end, &text),
            None => self.at_the_end(&text),
        }
    }

    fn at_the_end(&self, lines: &str) -> Splice {
        let at = self.fields.end;
        let before = &self.text[..at];
        if before.is_empty() || before.ends_with(['\n', '\u{feff}']) {
            return Splice::new(at..at, lines);
        }
        Splice::new(at..at, format!("\n{}", lines.trim_end_matches('\n')))
    }

    /// Adds entries to a table that has no header.
    fn add_without_header(
        &self,
        path: &[&str],
        node: &Node,
        table: &Table,
        entries: &[&Entry],
    ) -> Splice {
        let is_dotted =
            |entry: &&Entry| !unindented_line(self.text, entry.key_span.start).starts_with('[');
        if let (Some(dotted), Some(end)) =
            (table.entries.iter().find(is_dotted), end_of_keys(self.text, table))
        {
            let start = dotted.key_span.start;
            let prefix = &self.text[line_start(self.text, start)..start];
            let line = |entry: &&Entry| {
                format!("{prefix}{} = {}\n", key(&entry.key), inline(&entry.node.value))
            };
            return Splice::lines_below(
                self.text,
                end,
                &entries.iter().map(line).collect::<String>(),
            );
        }
        if entries.iter().all(|entry| is_section(entry)) {
            return self.add_sections(path, Some(node), table, entries);
        }
        let at =
            first_header(self.text, table).map_or(self.fields.end, |at| line_start(self.text, at));
        let all = Table { entries: entries.iter().map(|entry| (*entry).clone()).collect() };
        Splice::new(at..at, format!("[{}]\n{}\n", header(path), lines(path, &all)))
    }

    /// Returns the lines of the entries, with the same indentation as the existing keys.
    fn keys(&self, table: &Table, entries: &[&Entry]) -> String {
        let own = |entry: &&Entry| starts_line(self.text, entry.key_span.start);
        let last = table.entries.iter().rfind(own);
        let space = last.map_or("", |entry| indent(self.text, entry.key_span.start));
        let line = |entry: &&Entry| {
            format!("{space}{} = {}\n", key(&entry.key), value(&entry.node.value, space))
        };
        entries.iter().map(line).collect()
    }

    fn insert(&self, step: &Step<'_>, before: usize, nodes: &[Node]) -> Option<Vec<Splice>> {
        let node = step.node()?;
        let Value::List(list) = &node.value else {
            return None;
        };
        if self.form(node) == Form::Value {
            let new: Vec<_> = nodes.iter().map(|node| inline(&node.value)).collect();
            return Some(self.bracketed(node).insert(before, &new));
        }
        let head = self.text.get(list.first()?.span.clone())?;
        let space = indent(self.text, list.first()?.span.start);
        let blank_above = |node: &Node| {
            let above = &self.text[..line_start(self.text, node.span.start)];
            above.ends_with("\n\n") || above.ends_with("\n\r\n")
        };
        let apart = list.get(1).is_none_or(blank_above);
        let mut text = String::new();
        for node in nodes {
            let Value::Table(table) = &node.value else {
                return None;
            };
            let entries: Vec<_> = table.entries.iter().collect();
            let keys = self.keys(&Table::default(), &entries);
            let lines = format!("{space}{head}\n{keys}");
            let lines = match (apart, before) {
                (false, _) => lines,
                (true, 0) => format!("{lines}\n"),
                (true, _) => format!("\n{lines}"),
            };
            text.push_str(&lines);
        }
        let Some(above) = before.checked_sub(1) else {
            let at = line_start(self.text, list[0].span.start);
            return Some(vec![Splice::new(at..at, text)]);
        };
        let above = &list[above];
        let Value::Table(table) = &above.value else {
            return None;
        };
        let end = end(self.text, table).unwrap_or(above.span.end).max(above.span.end);
        Some(vec![Splice::lines_below(self.text, end, &text)])
    }

    fn bracketed(&self, node: &Node) -> Bracketed<'_> {
        let items = match &node.value {
            Value::Table(table) => {
                let ends = |entry: &Entry| entry.key_span.start..entry.node.span.end;
                table.entries.iter().map(ends).collect()
            }
            Value::List(list) => list.iter().map(|node| node.span.clone()).collect(),
            _ => Vec::new(),
        };
        Bracketed { text: self.text, items, gap: " ", comments: true }
    }
}

/// Returns the text from the start of the line that contains byte `at`, without the leading
/// whitespace.
fn unindented_line(text: &str, at: usize) -> &str {
    text[line_start(text, at)..].trim_start_matches([' ', '\t'])
}

fn name<'a>(element: &PathElement<'a>) -> Option<&'a str> {
    match element {
        PathElement::Key(table, index) => Some(&table.entries[*index].key),
        PathElement::Item(..) => None,
    }
}
