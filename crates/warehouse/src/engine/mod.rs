//! Runs statements. Each statement is bound to the current tables and runs in one transaction.
//!
//! Each statement runs on a new in-memory connection, to which the datasets that it refers to are
//! attached. A statement can write to one dataset, which is locked against other writers. An
//! authorizer rejects every other operation. The rows of a query are written to a table, so that
//! they outlive the connection and clients can read them in pages. Memory use is limited to
//! SQLite's caches.

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

/// Tables whose rows are produced when a statement reads them. They form the dataset `site`.
pub trait LiveTables {
    /// Returns every live table, without its rows.
    fn all(&self) -> Vec<Table>;

    /// Returns the live table with this name, without its rows. Returns `None` if the table does
    /// not exist.
    fn find(&self, table: &TableId) -> Option<Table>;

    /// Returns a query for the rows of a table that is already filled in the dataset `site`, or
    /// `None` if the table must be filled with [`fill`](Self::fill). The query is written in
    /// SQLite's SQL, in parentheses. `at` is the schema name of the attached dataset.
    fn select(
        &self,
        _connection: &Connection,
        _at: &str,
        _table: &TableId,
    ) -> Result<Option<String>, Fault> {
        Ok(None)
    }

    /// Creates a table with the SQL name `sql` and fills it with the current rows. Only the columns
    /// in `columns` need values. Other columns can be NULL.
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
    /// The live tables. Pass `&()` if there are none.
    pub live: &'a dyn LiveTables,
}

#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The statement, in the warehouse's SQL dialect.
    pub text: &'a str,
    /// The project, default dataset, parameters and time of the statement.
    pub session: &'a Session,
    /// The table for the rows of a query. The table's dataset must exist, unless it is a hidden
    /// dataset, which is created.
    pub target: &'a Target,
    /// The id of the job that runs the statement.
    pub job: &'a str,
    /// Whether the statement is allowed to change anything other than `target`.
    pub may_write: bool,
    /// Stops the statement if it is cancelled or takes too long.
    pub control: &'a Control,
}
