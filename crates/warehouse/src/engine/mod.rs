//! Runs statements: each is bound against the tables of this moment and run in one transaction.
//!
//! A statement gets a connection of its own, in memory, to which every dataset that it names is attached. It
//! may write one dataset, which nobody else writes meanwhile; an authorizer refuses everything else. The rows
//! of a query are written to a table, so that they can be read in pages and outlive the connection. Nothing is
//! held in memory but what SQLite caches.

mod catalog;
mod explain;
mod names;
mod outcome;
mod run;
mod workspace;
mod writing;

use std::collections::BTreeSet;

use rusqlite::Connection;

pub use outcome::{Done, Outcome, Summary};
pub use run::writable;

use super::control::Control;
use super::error::Fault;
use super::name::{DatasetId, TableId, TableName};
use super::sql::Session;
use super::store::{Store, Table, Target, no_table};

/// Tables that are not stored but made whenever a statement reads them: those of the dataset `site`.
pub trait LiveTables {
    /// Every live table, without its rows.
    fn all(&self) -> Vec<Table>;

    /// The live table with this name, without its rows. None where there is none.
    fn find(&self, table: &TableId) -> Option<Table>;

    /// For a table whose rows lie in the dataset `site` already: a query in SQLite's SQL, in parentheses, that
    /// gives them. The connection calls the dataset `at`. None for a table that has to be filled.
    fn select(
        &self,
        _connection: &Connection,
        _at: &str,
        _table: &TableId,
    ) -> Result<Option<String>, Fault> {
        Ok(None)
    }

    /// Makes a table that SQLite is to call `sql`, and fills it with the rows of this moment. Only the columns
    /// in `columns` need their values; the others may be NULL.
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

/// Runs statements over stored and live tables.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    pub store: &'a Store,
    /// The live tables; `&()` for none.
    pub live: &'a dyn LiveTables,
}

#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The statement, in the warehouse's SQL.
    pub text: &'a str,
    /// The project, default dataset, parameters and time of the statement.
    pub session: &'a Session,
    /// Where the rows of a query go. Its dataset must exist, unless it is a hidden one: that is made.
    pub target: &'a Target,
    /// The job it is run for.
    pub job: &'a str,
    /// Whether it may change anything but `target`.
    pub may_write: bool,
    /// Ends the statement when it is stopped or takes too long.
    pub control: &'a Control,
}
