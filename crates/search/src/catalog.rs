//! The in-memory data of all documents: enough to filter and order results, to detect changed
//! documents, and to correct misspelled words.

use std::collections::HashMap;

use super::document::{Kind, Status};
use super::vocabulary::Vocabulary;

/// Row number of a document, the same in every table of the index.
pub(super) type Row = u32;

/// A document without its text.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub kind: Kind,
    pub id: String,
    pub title: String,
    pub status: Status,
    pub date_published_ms: Option<i64>,
    pub fingerprint: u64,
}

/// All entries, indexed by row number. While the program runs, a row number is never reused for
/// another document.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    entries: Vec<Option<Entry>>,
    next_row: Row,
    rows: [HashMap<String, Row>; 2],
    pub titles: Vocabulary,
}

impl Catalog {
    pub fn row(&self, kind: Kind, id: &str) -> Option<Row> {
        self.rows[kind as usize].get(id).copied()
    }

    pub fn entry(&self, row: Row) -> Option<&Entry> {
        self.entries.get(row as usize)?.as_ref()
    }

    /// Returns the first row that has never been used.
    pub fn next_row(&self) -> Row {
        self.next_row
    }

    pub fn entries(&self) -> impl Iterator<Item = (Row, &Entry)> {
        (0..).zip(&self.entries).filter_map(|(row, entry)| Some((row, entry.as_ref()?)))
    }

    pub fn insert(&mut self, row: Row, entry: Entry) {
        self.remove(row);
        if row >= self.next_row {
            self.next_row = row + 1;
            self.entries.resize(self.next_row as usize, None);
        }
        self.rows[entry.kind as usize].insert(entry.id.clone(), row);
        self.titles.add(&entry.title);
        self.entries[row as usize] = Some(entry);
    }

    pub fn remove(&mut self, row: Row) {
        if let Some(entry) = self.entries.get_mut(row as usize).and_then(Option::take) {
            self.rows[entry.kind as usize].remove(&entry.id);
            self.titles.remove(&entry.title);
        }
    }
}
