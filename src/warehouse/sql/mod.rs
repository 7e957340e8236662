//! The warehouse's SQL: read in its own dialect, bound to tables and types, and said in SQLite's words.
//!
//! [`bind`] takes the text of one statement and makes a [`Plan`]: what is to be done, its SQL for SQLite,
//! the columns that come of it with their types. It reads no data and runs nothing. What SQLite has no
//! word for is a function of `functions`, which are registered on the connections that run plans.

pub mod aggregates;
mod expression;
pub mod functions;
mod plan;

pub use expression::{Argument, Expression, Part};
pub use plan::{Change, ChangeKind, Existing, Plan, Query, Statement};

use jiff::Timestamp;
use rusqlite::types::Value;

use super::error::Fault;
use super::name::{DatasetId, TableName};
use super::types::{Field, Type};

/// Where names of tables are looked up.
pub trait Catalog {
    /// The table or view with this name. None where there is none.
    fn find(&self, name: &TableName) -> Result<Option<Source>, Fault>;
}

/// What a statement can read.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A table.
    Table {
        /// How SQLite calls it, quoted: `"d3"."t17"`.
        sql: String,
        /// Its columns. SQLite calls them the same.
        fields: Vec<Field>,
    },
    /// What a statement of the warehouse's own SQL gives.
    View {
        /// The statement.
        query: String,
    },
}

/// What a statement is read with.
#[derive(Debug, Clone)]
pub struct Session {
    /// The project. A table may be named with it or without.
    pub project: String,
    /// The dataset of tables that are named without one.
    pub dataset: Option<DatasetId>,
    /// The values of its parameters.
    pub parameters: Parameters,
    /// The present.
    pub now: Timestamp,
}

/// The values of the parameters of a statement.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Parameters {
    /// It has none.
    #[default]
    None,
    /// Those of `?`, in their order.
    Positional(Vec<Parameter>),
    /// Those of `@name`. Names are compared without regard to case.
    Named(Vec<(String, Parameter)>),
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its type.
    pub of: Type,
    /// The value, as SQLite keeps one of this type.
    pub value: Value,
}

/// Binds a statement.
pub fn bind(_text: &str, _session: &Session, _catalog: &dyn Catalog) -> Result<Plan, Fault> {
    Err(Fault::internal("not there yet"))
}

/// Registers functions.
pub fn register(connection: &rusqlite::Connection) -> rusqlite::Result<()> {
    functions::register(connection)
}
