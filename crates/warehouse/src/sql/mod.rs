//! Binds statements in the warehouse's SQL dialect to tables and types, and translates them to
//! SQLite's SQL.
//!
//! [`bind`] converts the text of a statement to a [`Plan`], which contains the kind of statement,
//! the SQL for SQLite, and the names and types of the result's columns. Binding reads no rows and
//! runs no statement. Operations that SQLite lacks are implemented in `functions`, and registered
//! on the connections that run plans.

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

/// Looks up tables by name.
pub trait Catalog {
    /// Returns the table or view with this name, or `None` if it does not exist.
    fn find(&self, name: &TableName) -> Result<Option<CatalogEntry>, Fault>;
}

/// A table or view that a statement can read.
#[derive(Debug, Clone, PartialEq)]
pub enum CatalogEntry {
    Table {
        /// The table's quoted name in SQLite, such as `"d3"."t17"`.
        sql: String,
        /// The table's columns, which have the same names in SQLite.
        fields: Vec<Field>,
    },
    View {
        /// The view's query, in the warehouse's SQL dialect.
        query: String,
    },
}

/// The context in which a statement is bound.
#[derive(Debug, Clone)]
pub struct Session {
    /// The name of the project. Table names can include or omit the project.
    pub project: String,
    /// The dataset of tables whose names do not include a dataset.
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
    /// A parameter for each `?`, in text order.
    Positional(Vec<Parameter>),
    /// A parameter for each `@name`. Names are compared without regard to case.
    Named(Vec<(String, Parameter)>),
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub of: Type,
    /// The value in its stored form.
    pub value: Value,
}

/// Stack size for parsing and binding a statement, in bytes. The parser and the binder are
/// recursive, and the parser's stack frames are large because the parser is compiled without
/// optimization (see `Cargo.toml`). Unused stack takes no memory.
const STACK: usize = 64 * 1024 * 1024;

/// Binds a statement. The message of an error ends with its location in the text, such as
/// ` at [1:8]`: the line and the character in the line, both counted from 1.
pub fn bind(text: &str, session: &Session, catalog: &dyn Catalog) -> Result<Plan, Fault> {
    let bound = stacker::grow(STACK, || {
        let parsed = parse::parse(text)?;
        let mut binder = binder::Binder::new(session, catalog, parsed.placeholder_locations);
        let statement = binder.statement(&parsed.statement, text)?;
        Ok(Plan { statement, reads: binder.reads })
    });
    bound.map_err(bind_error::BindError::finish)
}

/// Registers the functions that plans use, on a connection that runs plans.
pub fn register(connection: &Connection) -> rusqlite::Result<()> {
    functions::register(connection)?;
    aggregates::register(connection)?;
    operator_functions::register(connection)
}
