//! Statements, run: bound against the tables that there are now, in one transaction.
//!
//! A connection of its own, in memory, has every dataset that a statement names attached. What the
//! statement may write is one dataset, which nobody else writes meanwhile; an authorizer refuses all else.
//! Rows that come of a query are written to a table, so that they can be read by page and outlive the
//! connection; nothing is held in memory but what SQLite caches.

mod catalog;
mod explain;
mod names;
mod run;
mod workspace;

use std::collections::BTreeSet;

use rusqlite::Connection;

pub use run::{Done, Outcome, Summary, writable};

use super::control::Control;
use super::error::Fault;
use super::name::{DatasetId, TableId, TableName};
use super::sql::Session;
use super::store::{Store, Table, Target, no_table};

/// Tables that are not kept, but made of something else whenever they are asked: those of the dataset `site`.
pub trait LiveTables {
    /// The facts of every one.
    fn all(&self) -> Vec<Table>;

    /// The facts of one. None where there is none with this name.
    fn find(&self, table: &TableId) -> Option<Table>;

    /// A query in SQLite's SQL, in parentheses, that gives the rows of a table which need not be made: they
    /// lie in the dataset `site`, which the connection calls `at`. None where a table is filled.
    fn select(
        &self,
        _connection: &Connection,
        _at: &str,
        _table: &TableId,
    ) -> Result<Option<String>, Fault> {
        Ok(None)
    }

    /// Makes the table that SQLite is to call `sql`, which it does not have yet, and fills it with the rows
    /// of now. Of the columns only those in `columns` need their values; the others may be NULL.
    fn fill(
        &self,
        connection: &Connection,
        sql: &str,
        table: &TableId,
        columns: &BTreeSet<String>,
        control: &Control,
    ) -> Result<(), Fault>;
}

/// No live tables at all.
impl LiveTables for () {
    fn all(&self) -> Vec<Table> {
        Vec::new()
    }

    fn find(&self, _table: &TableId) -> Option<Table> {
        None
    }

    fn fill(
        &self,
        _connection: &Connection,
        _sql: &str,
        table: &TableId,
        _columns: &BTreeSet<String>,
        _control: &Control,
    ) -> Result<(), Fault> {
        let (dataset, table) = (DatasetId::site(), table.clone());
        Err(no_table(&TableName { dataset, table }))
    }
}

/// What statements are run with.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    /// The tables that are kept.
    pub store: &'a Store,
    /// Those that are made when they are asked; `&()` for none.
    pub live: &'a dyn LiveTables,
}

/// A statement to run.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The statement, in the warehouse's SQL.
    pub text: &'a str,
    /// What it is read with.
    pub session: &'a Session,
    /// Where the rows of a query go. Its dataset has to be there, but for a hidden one, which is made.
    pub target: &'a Target,
    /// The job it is run for.
    pub job: &'a str,
    /// Whether it may change anything but `target`.
    pub may_write: bool,
    /// What ends it.
    pub control: &'a Control,
}
