//! Edits to JSON front matter.

use std::ops::Range;

use super::bracketed::Bracketed;
use super::difference::{Action, Step, Syntax};
use super::splice::{Splice, indent};
use crate::value::{Entry, Node, Table, Value};

/// A JSON object to edit.
pub(super) struct Json<'a> {
    pub text: &'a str,
    pub fields: Range<usize>,
    pub root: &'a Table,
}

impl Syntax for Json<'_> {
    fn splices(&self, step: &Step<'_>) -> Option<Vec<Splice>> {
        match &step.action {
            Action::Replace(new) => {
                let at = step.node()?.span.clone();
                let text = self.value(new, indent(self.text, at.start));
                Some(vec![Splice::new(at, text)])
            }
            Action::Remove => {
                let (last, rest) = step.split()?;
                let holder = rest.last().map(|element| &element.node().value);
                Some(self.bracketed(holder).remove(last.index()))
            }
            Action::Add(entries) => Some(self.add(step.node(), entries)),
            Action::Insert(before, nodes) => {
                let list = self.bracketed(step.node().map(|node| &node.value));
                let space = indent(self.text, list.items.first()?.start);
                let new: Vec<_> = nodes.iter().map(|node| self.value(&node.value, space)).collect();
                Some(list.insert(*before, &new))
            }
        }
    }
}

impl Json<'_> {
    fn add(&self, node: Option<&Node>, entries: &[&Entry]) -> Vec<Splice> {
        let object = self.bracketed(node.map(|node| &node.value));
        if let Some(last) = object.items.last() {
            let space = indent(self.text, last.start);
            let new: Vec<_> = entries.iter().map(|entry| self.entry(entry, space)).collect();
            return object.insert(object.items.len(), &new);
        }
        let at = node.map_or(self.fields.clone(), |node| node.span.clone());
        let table = Table { entries: entries.iter().map(|entry| (*entry).clone()).collect() };
        let text = self.value(&Value::Table(table), indent(self.text, at.start));
        vec![Splice::new(at, text)]
    }

    /// Returns the items of a list or an object. `None` means the root object.
    fn bracketed(&self, value: Option<&Value>) -> Bracketed<'_> {
        let entries = |table: &Table| {
            let ends = |entry: &Entry| entry.key_span.start..entry.node.span.end;
            table.entries.iter().map(ends).collect()
        };
        let items = match value {
            None => entries(self.root),
            Some(Value::Table(table)) => entries(table),
            Some(Value::List(list)) => list.iter().map(|node| node.span.clone()).collect(),
            Some(_) => Vec::new(),
        };
        Bracketed {
            text: self.text,
            items,
            gap: if self.is_minified() { "" } else { " " },
            comments: false,
        }
    }

    fn is_minified(&self) -> bool {
        !self.is_pretty() && self.colon() == ":"
    }

    fn is_pretty(&self) -> bool {
        self.text[self.fields.clone()].contains('\n')
    }

    /// Returns the text between the first key and its value, or `: ` if it contains a line break or
    /// there is no key.
    fn colon(&self) -> &str {
        let first = self.root.entries.first();
        let colon = first.map(|entry| &self.text[entry.key_span.end..entry.node.span.start]);
        colon.filter(|colon| !colon.contains('\n')).unwrap_or(": ")
    }

    fn unit(&self) -> &str {
        let first = self.root.entries.first();
        let unit = first.map_or("", |entry| indent(self.text, entry.key_span.start));
        if unit.is_empty() { "  " } else { unit }
    }

    fn entry(&self, entry: &Entry, space: &str) -> String {
        let key = serde_json::Value::from(entry.key.as_str());
        format!("{key}{}{}", self.colon(), self.value(&entry.node.value, space))
    }

    /// Returns the JSON of a value that starts on a line with the indentation `space`.
    fn value(&self, value: &Value, space: &str) -> String {
        let inner = format!("{space}{}", self.unit());
        match value {
            Value::Null => "null".into(),
            Value::Bool(flag) => flag.to_string(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => serde_json::Value::from(*number).to_string(),
            Value::String(text) | Value::Plain(_, text) => {
                serde_json::Value::from(text.as_str()).to_string()
            }
            Value::List(list) => {
                let flat =
                    list.iter().all(|node| !matches!(node.value, Value::Table(_) | Value::List(_)));
                let items = list.iter().map(|node| self.value(&node.value, &inner));
                self.group(["[", "]"], items.collect(), space, flat)
            }
            Value::Table(table) => {
                let items = table.entries.iter().map(|entry| self.entry(entry, &inner));
                self.group(["{", "}"], items.collect(), space, false)
            }
        }
    }

    fn group(
        &self,
        [open, close]: [&str; 2],
        items: Vec<String>,
        space: &str,
        flat: bool,
    ) -> String {
        if items.is_empty() || flat || !self.is_pretty() {
            let gap = if self.is_minified() { "," } else { ", " };
            return format!("{open}{}{close}", items.join(gap));
        }
        let line = format!("\n{space}{}", self.unit());
        format!("{open}{line}{}\n{space}{close}", items.join(&format!(",{line}")))
    }
}
