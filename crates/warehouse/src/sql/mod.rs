//! The warehouse's SQL: read in its own dialect, bound to tables and types, and translated to SQLite's SQL.
//!
//! [`bind`] turns the text of one statement into a [`Plan`]: what is to be done, its SQL for SQLite, and the
//! columns of its rows with their types. It reads no data and runs nothing. What SQLite cannot do itself is a
//! function of `functions`, which are registered on the connections that run plans.

mod aggregates;
mod arrays;
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
mod wrong;

pub use expression::{Argument, Expression, Part};
pub use plan::{Change, ChangeKind, Existing, Plan, Query, Statement};

use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::error::Fault;
use super::name::{DatasetId, TableName};
use super::types::{Field, Type};

/// Where names of tables are looked up.
pub trait Catalog {
    /// The table or view with this name. None where there is none.
    fn find(&self, name: &TableName) -> Result<Option<CatalogEntry>, Fault>;
}

/// A table or view that a statement can read.
#[derive(Debug, Clone, PartialEq)]
pub enum CatalogEntry {
    Table {
        /// SQLite's name of it, quoted: `"d3"."t17"`.
        sql: String,
        /// Its columns, which have the same names in SQLite.
        fields: Vec<Field>,
    },
    View {
        /// Its statement, in the warehouse's SQL.
        query: String,
    },
}

/// The surroundings in which a statement is read.
#[derive(Debug, Clone)]
pub struct Session {
    /// The project. A table may be named with it or without.
    pub project: String,
    /// The dataset of tables that are named without one.
    pub dataset: Option<DatasetId>,
    /// The values of its parameters.
    pub parameters: Parameters,
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
    pub of: Type,
    /// The value, as SQLite keeps one of this type.
    pub value: Value,
}

/// Bytes of the stack that a statement is read on. The parser and the trees it makes work by recursion, and its
/// frames are large where it is not optimized (`profile.release`). Only what is used of them takes memory.
const STACK: usize = 64 * 1024 * 1024;

/// Binds a statement. Faults are those of a query, and end with their place in the text, ` at [1:8]`: the line
/// and the character in it, both from 1.
pub fn bind(text: &str, session: &Session, catalog: &dyn Catalog) -> Result<Plan, Fault> {
    let bound = stacker::grow(STACK, || {
        let parsed = parse::parse(text)?;
        let mut binder = binder::Binder::new(session, catalog, parsed.marks);
        let statement = binder.statement(&parsed.statement, text)?;
        Ok(Plan { statement, reads: binder.reads })
    });
    bound.map_err(wrong::Wrong::finish)
}

/// Makes what plans call known to a connection that runs them.
pub fn register(connection: &Connection) -> rusqlite::Result<()> {
    functions::register(connection)?;
    aggregates::register(connection)?;
    operator_functions::register(connection)
}
