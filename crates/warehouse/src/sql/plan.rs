//! Plans: what statements are bound to.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::Value;

use crate::name::{DatasetId, TableName};
use crate::types::Field;

#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What is to be done.
    pub statement: Statement,
    /// The tables it reads, views not among them, each with the columns that it needs, as the table spells them.
    pub reads: BTreeMap<TableName, BTreeSet<String>>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    Query(Query),
    /// Changes the rows of a table.
    Change(Change),
    CreateTable {
        table: TableName,
        /// What to do where there is one.
        existing: Existing,
        fields: Vec<Field>,
        /// What it is filled with; its columns are in the order of `fields`.
        query: Option<Query>,
    },
    CreateView {
        view: TableName,
        /// What to do where there is one.
        existing: Existing,
        fields: Vec<Field>,
        /// Its statement, as it was written.
        query: String,
    },
    /// Removes a table or view.
    Drop {
        table: TableName,
        /// Whether it is a view.
        is_view: bool,
        /// Whether there need not be one.
        if_exists: bool,
    },
    CreateSchema {
        dataset: DatasetId,
        /// Whether there may be one.
        if_not_exists: bool,
    },
    DropSchema {
        dataset: DatasetId,
        /// Whether there need not be one.
        if_exists: bool,
        /// Whether its tables go with it.
        cascade: bool,
    },
}

/// What to do where what is to be made is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Nothing is made, and that is an error.
    Fail,
    /// It stays.
    Keep,
    /// It is replaced.
    Replace,
}

/// A query for SQLite.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub sql: String,
    /// The values of its parameters `?1`, `?2`, …
    pub parameters: Vec<Value>,
    /// The columns that it gives.
    pub columns: Vec<Field>,
}

/// A change of the rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub kind: ChangeKind,
    pub table: TableName,
    /// Its SQL, one statement that changes the rows.
    pub sql: String,
    /// The values of its parameters `?1`, `?2`, …
    pub parameters: Vec<Value>,
}

/// What a change of rows does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// `INSERT`.
    Insert,
    /// `UPDATE`.
    Update,
    /// `DELETE`.
    Delete,
    /// `TRUNCATE TABLE`.
    Truncate,
}

impl Statement {
    /// What statistics of jobs call it.
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
