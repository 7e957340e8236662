//! Plans, which are bound statements.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::Value;

use crate::name::{DatasetId, TableName};
use crate::types::Field;

#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The statement to run.
    pub statement: Statement,
    /// The tables that the statement reads, without views, and the columns that it needs from each
    /// table. Column names are spelled as in the table.
    pub reads: BTreeMap<TableName, BTreeSet<String>>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    Query(Query),
    /// Changes the rows of a table.
    Change(Change),
    CreateTable {
        table: TableName,
        /// The action if the table already exists.
        existing: Existing,
        fields: Vec<Field>,
        /// The query that fills the table. The query's columns have the same order as `fields`.
        query: Option<Query>,
    },
    CreateView {
        view: TableName,
        /// The action if the view already exists.
        existing: Existing,
        fields: Vec<Field>,
        /// The view's query, as written.
        query: String,
    },
    /// Removes a table or view.
    Drop {
        table: TableName,
        /// Whether the statement removes a view.
        is_view: bool,
        /// Whether the statement succeeds if the table or view does not exist.
        if_exists: bool,
    },
    CreateSchema {
        dataset: DatasetId,
        /// Whether the statement succeeds if the dataset already exists.
        if_not_exists: bool,
    },
    DropSchema {
        dataset: DatasetId,
        /// Whether the statement succeeds if the dataset does not exist.
        if_exists: bool,
        /// Whether to remove the dataset's tables too.
        cascade: bool,
    },
}

/// The action of a CREATE statement if the table or view already exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// The statement fails.
    Fail,
    /// The existing table or view is kept.
    Keep,
    /// The existing table or view is replaced.
    Replace,
}

/// A query in SQLite's SQL.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub sql: String,
    /// The values of the parameters `?1`, `?2`, …
    pub parameters: Vec<Value>,
    /// The columns of the query's rows.
    pub columns: Vec<Field>,
}

/// A change to the rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub kind: ChangeKind,
    pub table: TableName,
    /// The SQL statement that changes the rows.
    pub sql: String,
    /// The values of the parameters `?1`, `?2`, …
    pub parameters: Vec<Value>,
}

/// The kind of change to the rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Insert,
    Update,
    Delete,
    Truncate,
}

impl Statement {
    /// Returns the statement type for job statistics.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Query(_) => "SELECT",
            Self::Change(change) => match change.kind {
                ChangeKind::Insert => "INSERT",
                ChangeKind::Update => "UPDATE",
                ChangeKind::Delete => "DELETE",
                ChangeKind::Truncate => "TRUNCATE_TABLE",
            },
            Self::CreateTable { query: Some(_), .. } => "CREATE_TABLE_AS_SELECT",
            Self::CreateTable { query: None, .. } => "CREATE_TABLE",
            Self::CreateView { .. } => "CREATE_VIEW",
            Self::Drop { is_view: true, .. } => "DROP_VIEW",
            Self::Drop { is_view: false, .. } => "DROP_TABLE",
            Self::CreateSchema { .. } => "CREATE_SCHEMA",
            Self::DropSchema { .. } => "DROP_SCHEMA",
        }
    }
}
