//! The warehouse's SQL, which is bound to tables and types and translated to SQLite's SQL.
//!
//! [`bind`] converts the text of one statement to a [`Plan`]: the action, the SQL for SQLite, and
//! the columns of its rows with their types. It reads no data and runs nothing. Operations that
//! SQLite lacks are functions in `functions`, which are registered on the connections that run
//! plans.

mod aggregates;
mod arrays;
mod bind_error;
mod binder;
mod call_clauses;
mod changes;
mod coercion;
mod column_names;
mod conditional;
mod create;
mod dialect;
mod expression;
mod expression_kinds;
mod from;
mod function_calls;
pub mod functions;
mod group_by;
mod insert;
mod joins;
mod literals;
mod nan;
mod operator_functions;
mod operators;
mod order;
mod parse;
mod plan;
mod query;
mod scope;
mod select;
mod select_list;
mod set_operations;
mod sqlite_literals;
mod statements;
mod table_names;
mod types;
mod windows;

pub use expression::{Argument, Expression, Part};
pub use plan::{Change, ChangeKind, Existing, Plan, Query, Statement};

use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::error::Fault;
use super::name::{DatasetId, TableName};
use super::types::{Field, Type};

/// A source of tables by name.
pub trait Catalog {
    /// Returns the table or view with this name. None if it does not exist.
    fn find(&self, name: &TableName) -> Result<Option<CatalogEntry>, Fault>;
}

/// A table or view that a statement can read.
#[derive(Debug, Clone, PartialEq)]
pub enum CatalogEntry {
    Table {
        /// The table's quoted name in SQLite: `"d3"."t17"`.
        sql: String,
        /// The table's columns, which have the same names in SQLite.
        fields: Vec<Field>,
    },
    View {
        /// The view's statement, in the warehouse's SQL.
        query: String,
    },
}

/// The context in which a statement is bound.
#[derive(Debug, Clone)]
pub struct Session {
    /// The project. A table name may include it or omit it.
    pub project: String,
    /// The dataset for tables that are named without one.
    pub dataset: Option<DatasetId>,
    /// The values of the statement's parameters.
    pub parameters: Parameters,
    pub now: Timestamp,
}

/// The values of a statement's parameters.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Parameters {
    /// No parameters.
    #[default]
    None,
    /// The parameters for each `?`, in order.
    Positional(Vec<Parameter>),
    /// The parameters for each `@name`. Case is ignored in names.
    Named(Vec<(String, Parameter)>),
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub of: Type,
    /// The value in its stored form.
    pub value: Value,
}

/// Stack size for parsing and binding a statement, in bytes. The parser and the code that walks its
/// trees are recursive, and their stack frames are large in an unoptimized build
/// (`profile.release`). Unused stack takes no memory.
const STACK: usize = 64 * 1024 * 1024;

/// Binds a statement. Faults are query faults. Their messages end with the location in the text,
/// such as ` at [1:8]`: the line and the character in the line, both from 1.
pub fn bind(text: &str, session: &Session, catalog: &dyn Catalog) -> Result<Plan, Fault> {
    let bound = stacker::grow(STACK, || {
        let parsed = parse::parse(text)?;
        let mut binder = binder::Binder::new(session, catalog, parsed.placeholder_locations);
        let statement = binder.statement(&parsed.statement, text)?;
        Ok(Plan { statement, reads: binder.reads })
    });
    bound.map_err(bind_error::BindError::finish)
}

/// Registers the functions that plans call on a connection that runs plans.
pub fn register(connection: &Connection) -> rusqlite::Result<()> {
    functions::register(connection)?;
    aggregates::register(connection)?;
    operator_functions::register(connection)
}
