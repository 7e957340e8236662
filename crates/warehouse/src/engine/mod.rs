//! Runs statements. Each statement is bound to the current tables and runs in one transaction.
//!
//! Each statement gets a separate in-memory connection, to which all datasets that it names are
//! attached. It may write one dataset, which is locked against other writers. An authorizer rejects
//! every other operation. The rows of a query are written to a table, so that clients can read them
//! in pages and they outlive the connection. Only SQLite's caches are held in memory.

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
pub use run::check_writable;

use super::control::Control;
use super::error::Fault;
use super::name::{DatasetId, TableId, TableName};
use super::sql::Session;
use super::store::{Store, Table, Target, no_table};

/// Tables whose rows are produced when a statement reads them: the tables of the dataset `site`.
pub trait LiveTables {
    /// Returns every live table, without its rows.
    fn all(&self) -> Vec<Table>;

    /// Returns the live table with this name, without its rows. None if the table does not exist.
    fn find(&self, table: &TableId) -> Option<Table>;

    /// Returns a query that selects the rows of a table already filled in the dataset `site`. The
    /// query is in SQLite's SQL, in parentheses. `at` is the schema name of the attached dataset.
    /// None if the table must be filled with [`fill`](Self::fill).
    fn select(
        &self,
        _connection: &Connection,
        _at: &str,
        _table: &TableId,
    ) -> Result<Option<String>, Fault> {
        Ok(None)
    }

    /// Creates a table with the SQL name `sql` and fills it with the current rows. Only the
    /// `columns` need values; other columns may be NULL.
    fn fill(
        &self,
        connection: &Connection,
        sql: &str,
        table: &TableId,
        columns: &BTreeSet<String>,
        control: &Control,
    ) -> Result<(), Fault>;
}

/// Implements an empty set of live tables.
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

/// Runs statements on stored and live tables.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    pub store: &'a Store,
    /// The live tables. Use `&()` for none.
    pub live: &'a dyn LiveTables,
}

#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The statement, in the warehouse's SQL dialect.
    pub text: &'a str,
    /// The project, default dataset, parameters and time of the statement.
    pub session: &'a Session,
    /// The table for the rows of a query. Its dataset must exist, except a hidden dataset, which is
    /// created.
    pub target: &'a Target,
    /// The id of the job that runs the statement.
    pub job: &'a str,
    /// Whether the statement may change anything other than `target`.
    pub may_write: bool,
    /// Ends the statement when it is cancelled or takes too long.
    pub control: &'a Control,
}
