//! What statements do, and what they did.

use crate::name::{DatasetId, TableName};
use crate::store::Table;
use crate::types::Field;

/// What a statement would do.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Its kind, as statistics of jobs call it.
    pub statement: &'static str,
    pub reads: Vec<TableName>,
    /// The columns of a query's rows; empty for other statements.
    pub fields: Vec<Field>,
    pub writes: bool,
}

/// A statement that was run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What the statement is and reads.
    pub summary: Summary,
    pub done: Done,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Done {
    /// It was a query, whose rows are in this table.
    Rows(Table),
    /// Rows of a table were changed.
    Changed { table: TableName, rows: u64 },
    /// A table or view was made, replaced or removed, or was left as it is.
    Table {
        table: TableName,
        /// What happened to it: `CREATE`, `REPLACE`, `SKIP` or `DROP`.
        operation: &'static str,
    },
    /// A dataset was made, removed or left as it is.
    Dataset {
        dataset: DatasetId,
        /// What happened to it: `CREATE`, `SKIP` or `DROP`.
        operation: &'static str,
    },
}
