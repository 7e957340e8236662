//! The effects of a statement: a summary before it runs, and the outcome afterwards.

use crate::name::{DatasetId, TableName};
use crate::store::Table;
use crate::types::Field;

/// A summary of what a statement would do.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The statement type as shown in job statistics, such as `SELECT`.
    pub statement: &'static str,
    pub reads: Vec<TableName>,
    /// The columns of a query's rows. Empty for other statements.
    pub fields: Vec<Field>,
    pub writes: bool,
}

/// The result of a statement that ran.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The type of the statement and the tables that it reads.
    pub summary: Summary,
    pub done: Done,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Done {
    /// The rows of a query were written to this table.
    Rows(Table),
    /// Rows of a table were changed.
    Changed { table: TableName, rows: u64 },
    /// A table or view was created, replaced, removed, or left unchanged.
    Table {
        table: TableName,
        /// The operation: `CREATE`, `REPLACE`, `SKIP` or `DROP`.
        operation: &'static str,
    },
    /// A dataset was created, removed, or left unchanged.
    Dataset {
        dataset: DatasetId,
        /// The operation: `CREATE`, `SKIP` or `DROP`.
        operation: &'static str,
    },
}
