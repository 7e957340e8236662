//! The steps that turn the table of a file into the wanted table.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::change::{Change, same};
use super::splice::Splice;
use crate::value::{Entry, Node, Table, Value};

/// One element of a path into a table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Crumb<'a> {
    /// An entry of a table.
    Key(&'a Table, usize),
    /// An item of a list.
    Item(&'a [Node], usize),
}

impl<'a> Crumb<'a> {
    pub fn node(self) -> &'a Node {
        match self {
            Self::Key(table, index) => &table.entries[index].node,
            Self::Item(list, index) => &list[index],
        }
    }

    /// Returns the position among the siblings.
    pub fn index(self) -> usize {
        match self {
            Self::Key(_, index) | Self::Item(_, index) => index,
        }
    }

    /// Returns the byte at which the node starts, including its key.
    pub fn start(self) -> usize {
        match self {
            Self::Key(table, index) => table.entries[index].key_span.start,
            Self::Item(list, index) => list[index].span.start,
        }
    }
}

/// An action on the node at the end of a path.
#[derive(Debug, Clone)]
pub(super) enum Act<'a> {
    Replace(&'a Value),
    /// Remove the entry or item.
    Remove,
    Add(Vec<&'a Entry>),
    /// Insert nodes before one of the list's items.
    Insert(usize, &'a [Node]),
}

#[derive(Debug, Clone)]
pub(super) struct Step<'a> {
    /// The path from the root. The root itself has the empty path.
    pub path: Vec<Crumb<'a>>,
    /// The action on the node at the end of the path.
    pub act: Act<'a>,
}

impl<'a> Step<'a> {
    /// Returns the node at the end of the path, or None for the root.
    pub fn node(&self) -> Option<&'a Node> {
        self.path.last().map(|crumb| crumb.node())
    }

    /// Returns whether the step concerns fields in `changes`, and not an alias that repeats such a
    /// field.
    pub fn is_below(&self, changes: &[Change]) -> bool {
        let changes = |key: &str| {
            changes.iter().any(|change| change.path.first().is_some_and(|first| first == key))
        };
        match (self.path.first(), &self.act) {
            (Some(Crumb::Key(table, index)), _) => changes(&table.entries[*index].key),
            (None, Act::Add(entries)) => entries.iter().all(|entry| changes(&entry.key)),
            _ => true,
        }
    }

    /// Returns the wanted value that replaces another value.
    pub fn replacement(&self) -> Option<*const Value> {
        match self.act {
            Act::Replace(new) => Some(std::ptr::from_ref(new)),
            _ => None,
        }
    }

    /// Returns the last element of the path, and the path before it.
    pub fn split(&self) -> Option<(Crumb<'a>, &[Crumb<'a>])> {
        self.path.split_last().map(|(last, rest)| (*last, rest))
    }
}

/// A text in one of the formats that can be edited.
pub(super) trait Syntax {
    /// Returns the replacements for a step, or None if the affected bytes are unknown.
    fn splices(&self, step: &Step<'_>) -> Option<Vec<Splice>>;
}

/// Function that decides whether a value in a text must be replaced entirely to get another value.
pub(super) type Opaque = fn(&str, &Node, &Value) -> bool;

/// Returns the steps from `held`, the table of a file, to `wanted`. A value is replaced entirely if
/// `opaque` returns true for it.
pub(super) fn steps<'a>(
    text: &'a str,
    held: &'a Table,
    wanted: &'a Table,
    opaque: Opaque,
) -> Vec<Step<'a>> {
    let mut walk = Walk { text, opaque, path: Vec::new(), steps: Vec::new() };
    walk.table(held, wanted);
    walk.steps
}

struct Walk<'a> {
    text: &'a str,
    opaque: Opaque,
    path: Vec<Crumb<'a>>,
    steps: Vec<Step<'a>>,
}

impl<'a> Walk<'a> {
    fn push(&mut self, act: Act<'a>) {
        let path = self.path.clone();
        self.steps.push(Step { path, act });
    }

    fn at(&mut self, crumb: Crumb<'a>, step: impl FnOnce(&mut Self)) {
        self.path.push(crumb);
        step(self);
        self.path.pop();
    }

    fn table(&mut self, held: &'a Table, wanted: &'a Table) {
        for (index, entry) in held.entries.iter().enumerate() {
            let crumb = Crumb::Key(held, index);
            match wanted.get(&entry.key) {
                Some(wanted) => self.at(crumb, |walk| walk.node(&entry.node, &wanted.value)),
                // Removing a field whose value is null also removes its line.
                None => self.at(crumb, |walk| walk.push(Act::Remove)),
            }
        }
        let new =
            |entry: &&Entry| entry.node.value != Value::Null && held.get(&entry.key).is_none();
        let added: Vec<_> = wanted.entries.iter().filter(new).collect();
        if !added.is_empty() {
            self.push(Act::Add(added));
        }
    }

    fn node(&mut self, held: &'a Node, wanted: &'a Value) {
        if same(self.text, held, wanted) {
            return;
        }
        match (&held.value, wanted) {
            _ if (self.opaque)(self.text, held, wanted) => self.push(Act::Replace(wanted)),
            (Value::Table(held), Value::Table(wanted)) if !wanted.entries.is_empty() => {
                self.table(held, wanted);
            }
            (Value::List(held), Value::List(wanted)) if !held.is_empty() && !wanted.is_empty() => {
                self.list(held, wanted);
            }
            _ => self.push(Act::Replace(wanted)),
        }
    }

    fn list(&mut self, held: &'a [Node], wanted: &'a [Node]) {
        let (old, new) = classes(self.text, held, wanted);
        for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
            let (Range { start, end }, new) = match op {
                DiffOp::Equal { .. } => continue,
                other => (other.old_range(), other.new_range()),
            };
            let both = (end - start).min(new.len());
            for (index, wanted) in (start..start + both).zip(&wanted[new.start..]) {
                self.at(Crumb::Item(held, index), |walk| {
                    walk.node(&held[index], &wanted.value);
                });
            }
            for index in start + both..end {
                self.at(Crumb::Item(held, index), |walk| walk.push(Act::Remove));
            }
            let added = &wanted[new.start + both..new.end];
            if !added.is_empty() {
                self.push(Act::Insert(start + both, added));
            }
        }
    }
}

/// Returns a number for each item. Items with the same meaning have the same number.
fn classes(text: &str, held: &[Node], wanted: &[Node]) -> (Vec<usize>, Vec<usize>) {
    let mut old: Vec<usize> = Vec::with_capacity(held.len());
    for (index, node) in held.iter().enumerate() {
        let twin =
            (0..index).find(|&twin| old[twin] == twin && same(text, &held[twin], &node.value));
        old.push(twin.unwrap_or(index));
    }
    let new = wanted.iter().enumerate().map(|(index, node)| {
        let twin =
            (0..held.len()).find(|&twin| old[twin] == twin && same(text, &held[twin], &node.value));
        twin.unwrap_or(held.len() + index)
    });
    let new = new.collect();
    (old, new)
}
