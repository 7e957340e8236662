//! The steps that turn the table of a file into the wanted one.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::change::{Change, same};
use super::splice::Splice;
use crate::value::{Entry, Node, Table, Value};

/// One step on the way into a table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Crumb<'a> {
    /// To an entry of a table.
    Key(&'a Table, usize),
    /// To an item of a list.
    Item(&'a [Node], usize),
}

impl<'a> Crumb<'a> {
    pub fn node(self) -> &'a Node {
        match self {
            Self::Key(table, index) => &table.entries[index].node,
            Self::Item(list, index) => &list[index],
        }
    }

    /// Its place among its siblings.
    pub fn index(self) -> usize {
        match self {
            Self::Key(_, index) | Self::Item(_, index) => index,
        }
    }

    /// The byte where its node starts, the key included.
    pub fn start(self) -> usize {
        match self {
            Self::Key(table, index) => table.entries[index].key_span.start,
            Self::Item(list, index) => list[index].span.start,
        }
    }
}

/// What is to be done to the node at the end of a path.
#[derive(Debug, Clone)]
pub(super) enum Act<'a> {
    Replace(&'a Value),
    /// The entry or item is removed.
    Remove,
    Add(Vec<&'a Entry>),
    /// The list gets these before one of its items.
    Insert(usize, &'a [Node]),
}

#[derive(Debug, Clone)]
pub(super) struct Step<'a> {
    /// The way from the root, which is the empty path.
    pub path: Vec<Crumb<'a>>,
    /// What is to be done there.
    pub act: Act<'a>,
}

impl<'a> Step<'a> {
    /// The node at the end of the path; none for the root.
    pub fn node(&self) -> Option<&'a Node> {
        self.path.last().map(|crumb| crumb.node())
    }

    /// Whether it is about fields that are to change, not about an alias that repeats one.
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

    /// The wanted value that replaces another.
    pub fn replacement(&self) -> Option<*const Value> {
        match self.act {
            Act::Replace(new) => Some(std::ptr::from_ref(new)),
            _ => None,
        }
    }

    /// The path without its end, and the end.
    pub fn split(&self) -> Option<(Crumb<'a>, &[Crumb<'a>])> {
        self.path.split_last().map(|(last, rest)| (*last, rest))
    }
}

/// A text of one format that is edited.
pub(super) trait Syntax {
    /// The bytes that change for a step; none where they cannot be told.
    fn splices(&self, step: &Step<'_>) -> Option<Vec<Splice>>;
}

/// Whether a value of a text is replaced as a whole by another.
pub(super) type Opaque = fn(&str, &Node, &Value) -> bool;

/// The steps from `held`, the table of a file, to `wanted`. A value that is `opaque` is replaced as a whole.
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
                // A null that stays a null may have been removed, too: then its line goes.
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

/// A number for each item. Items that mean the same have the same number.
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
