//! The steps that change a file's table into the wanted table.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::change::{Change, is_same_value};
use super::splice::Splice;
use crate::value::{Entry, Node, Table, Value};

/// One element of a path into a table.
#[derive(Debug, Clone, Copy)]
pub(super) enum PathElement<'a> {
    /// An entry of a table.
    Key(&'a Table, usize),
    /// An item of a list.
    Item(&'a [Node], usize),
}

impl<'a> PathElement<'a> {
    pub fn node(self) -> &'a Node {
        match self {
            Self::Key(table, index) => &table.entries[index].node,
            Self::Item(list, index) => &list[index],
        }
    }

    /// Returns the position of the element among its siblings.
    pub fn index(self) -> usize {
        match self {
            Self::Key(_, index) | Self::Item(_, index) => index,
        }
    }

    /// Returns the byte at which the element starts, including its key.
    pub fn start(self) -> usize {
        match self {
            Self::Key(table, index) => table.entries[index].key_span.start,
            Self::Item(list, index) => list[index].span.start,
        }
    }
}

/// An action on the node at the end of a path.
#[derive(Debug, Clone)]
pub(super) enum Action<'a> {
    Replace(&'a Value),
    /// Remove the entry or item.
    Remove,
    Add(Vec<&'a Entry>),
    /// Insert nodes before the list item with this index.
    Insert(usize, &'a [Node]),
}

#[derive(Debug, Clone)]
pub(super) struct Step<'a> {
    /// The path from the root. It is empty for the root itself.
    pub path: Vec<PathElement<'a>>,
    /// The action on the node at the end of the path.
    pub action: Action<'a>,
}

impl<'a> Step<'a> {
    /// Returns the node at the end of the path, or None for the root.
    pub fn node(&self) -> Option<&'a Node> {
        self.path.last().map(|element| element.node())
    }

    /// Returns whether the step affects a field in `changes`. It could also affect a field that
    /// repeats such a field through an alias.
    pub fn concerns(&self, changes: &[Change]) -> bool {
        let changes = |key: &str| {
            changes.iter().any(|change| change.path.first().is_some_and(|first| first == key))
        };
        match (self.path.first(), &self.action) {
            (Some(PathElement::Key(table, index)), _) => changes(&table.entries[*index].key),
            (None, Action::Add(entries)) => entries.iter().all(|entry| changes(&entry.key)),
            _ => true,
        }
    }

    /// Returns the new value if the step replaces a value.
    pub fn replacement(&self) -> Option<*const Value> {
        match self.action {
            Action::Replace(new) => Some(std::ptr::from_ref(new)),
            _ => None,
        }
    }

    /// Returns the last element of the path, and the elements before it.
    pub fn split(&self) -> Option<(PathElement<'a>, &[PathElement<'a>])> {
        self.path.split_last().map(|(last, rest)| (*last, rest))
    }
}

/// A document in a format that can be edited.
pub(super) trait Syntax {
    /// Returns the splices for a step, or None if it is unknown which bytes to change.
    fn splices(&self, step: &Step<'_>) -> Option<Vec<Splice>>;
}

/// Function that returns whether a node can only be changed to the wanted value by replacing it
/// entirely.
pub(super) type Opaque = fn(&str, &Node, &Value) -> bool;

/// Returns the steps from `current`, the table of a file, to `wanted`. If `opaque` returns true for
/// a value, the value is replaced entirely.
pub(super) fn steps<'a>(
    text: &'a str,
    current: &'a Table,
    wanted: &'a Table,
    opaque: Opaque,
) -> Vec<Step<'a>> {
    let mut walk = Walk { text, opaque, path: Vec::new(), steps: Vec::new() };
    walk.table(current, wanted);
    walk.steps
}

struct Walk<'a> {
    text: &'a str,
    opaque: Opaque,
    path: Vec<PathElement<'a>>,
    steps: Vec<Step<'a>>,
}

impl<'a> Walk<'a> {
    fn push(&mut self, action: Action<'a>) {
        let path = self.path.clone();
        self.steps.push(Step { path, action });
    }

    fn at(&mut self, element: PathElement<'a>, step: impl FnOnce(&mut Self)) {
        self.path.push(element);
        step(self);
        self.path.pop();
    }

    fn table(&mut self, current: &'a Table, wanted: &'a Table) {
        for (index, entry) in current.entries.iter().enumerate() {
            let element = PathElement::Key(current, index);
            match wanted.get(&entry.key) {
                Some(wanted) => self.at(element, |walk| walk.node(&entry.node, &wanted.value)),
                // Removes the line of the field even if its value is null.
                None => self.at(element, |walk| walk.push(Action::Remove)),
            }
        }
        let new =
            |entry: &&Entry| entry.node.value != Value::Null && current.get(&entry.key).is_none();
        let added: Vec<_> = wanted.entries.iter().filter(new).collect();
        if !added.is_empty() {
            self.push(Action::Add(added));
        }
    }

    fn node(&mut self, current: &'a Node, wanted: &'a Value) {
        if is_same_value(self.text, current, wanted) {
            return;
        }
        match (&current.value, wanted) {
            _ if (self.opaque)(self.text, current, wanted) => self.push(Action::Replace(wanted)),
            (Value::Table(current), Value::Table(wanted)) if !wanted.entries.is_empty() => {
                self.table(current, wanted);
            }
            (Value::List(current), Value::List(wanted))
                if !current.is_empty() && !wanted.is_empty() =>
            {
                self.list(current, wanted);
            }
            _ => self.push(Action::Replace(wanted)),
        }
    }

    fn list(&mut self, current: &'a [Node], wanted: &'a [Node]) {
        let (old, new) = equality_classes(self.text, current, wanted);
        for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
            let (Range { start, end }, new) = match op {
                DiffOp::Equal { .. } => continue,
                other => (other.old_range(), other.new_range()),
            };
            let both = (end - start).min(new.len());
            for (index, wanted) in (start..start + both).zip(&wanted[new.start..]) {
                self.at(PathElement::Item(current, index), |walk| {
                    walk.node(&current[index], &wanted.value);
                });
            }
            for index in start + both..end {
                self.at(PathElement::Item(current, index), |walk| walk.push(Action::Remove));
            }
            let added = &wanted[new.start + both..new.end];
            if !added.is_empty() {
                self.push(Action::Insert(start + both, added));
            }
        }
    }
}

/// Returns a number for each item. Items with the same meaning get the same number.
fn equality_classes(text: &str, current: &[Node], wanted: &[Node]) -> (Vec<usize>, Vec<usize>) {
    let mut old: Vec<usize> = Vec::with_capacity(current.len());
    for (index, node) in current.iter().enumerate() {
        let twin = (0..index)
            .find(|&twin| old[twin] == twin && is_same_value(text, &current[twin], &node.value));
        old.push(twin.unwrap_or(index));
    }
    let new = wanted.iter().enumerate().map(|(index, node)| {
        let twin = (0..current.len())
            .find(|&twin| old[twin] == twin && is_same_value(text, &current[twin], &node.value));
        twin.unwrap_or(current.len() + index)
    });
    let new = new.collect();
    (old, new)
}
