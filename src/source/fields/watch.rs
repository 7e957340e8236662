//! What a reader asks of one table, noted while it reads: [`schema`](crate::source::schema) is made of it.

use std::collections::{BTreeMap, BTreeSet};

use front_matter::Node;

use super::Fields;

/// The key that marks the table to be watched. Tables that take any key take this one: it could be a Site File's.
pub(crate) const MARK: &str = "watched.txt";

/// What was asked of the table that holds [`MARK`].
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// The keys that are known. None if any key is.
    pub known: Option<BTreeSet<&'static str>>,
    /// Those that have to be there and are not.
    pub missing: BTreeSet<String>,
    /// Those that are told to go, whatever they hold.
    pub unwelcome: BTreeSet<&'static str>,
    /// What is asked of values of the right type.
    pub bounds: BTreeMap<String, Bounds>,
    /// Where values of a wrong type start.
    pub wrong: BTreeSet<usize>,
}

/// What a value has to be.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Bounds {
    pub most_characters: Option<usize>,
    pub range: Option<(i64, i64)>,
    /// The texts that it can be.
    pub names: Vec<String>,
    pub is_http_url: bool,
}

impl Bounds {
    /// Adds what was asked of another value under the same key.
    pub(crate) fn add(&mut self, other: &Self) {
        self.most_characters = self.most_characters.or(other.most_characters);
        self.range = self.range.or(other.range);
        self.is_http_url |= other.is_http_url;
        if self.names.is_empty() {
            self.names.clone_from(&other.names);
        }
    }
}

impl<'r> Fields<'r, '_> {
    /// The value of a key that has no place here, which the caller tells: no schema has it.
    pub(crate) fn unwelcome(&self, key: &'static str) -> Option<&'r Node> {
        self.watch(|watch| {
            watch.unwelcome.insert(key);
        });
        self.node(key)
    }

    /// Notes what is asked of this table, if it is the one that is watched.
    pub(super) fn watch(&self, note: impl FnOnce(&mut Watch)) {
        if self.reader.watch.is_some() && self.table.get(MARK).is_some() {
            self.reader.note(note);
        }
    }

    /// Notes what a value has to be.
    pub(super) fn bound(&self, key: &str, bound: impl FnOnce(&mut Bounds)) {
        self.watch(|watch| bound(watch.bounds.entry(key.to_owned()).or_default()));
    }

    /// Notes the texts that a value can be, where [`choice`](Self::choice) does not.
    pub(crate) fn can_be<'n>(&self, key: &str, names: impl IntoIterator<Item = &'n str>) {
        self.bound(key, |bounds| {
            bounds.names = names.into_iter().map(str::to_owned).collect();
        });
    }

    /// Notes a key that has to be there and is not, which the caller tells.
    pub(crate) fn lacks(&self, key: &str) {
        self.watch(|watch| {
            watch.missing.insert(key.to_owned());
        });
    }

    /// Notes a value of a wrong type, which the caller tells.
    pub(crate) fn is_of_wrong_type(&self, node: &Node) {
        self.reader.note(|watch| {
            watch.wrong.insert(node.span.start);
        });
    }
}
