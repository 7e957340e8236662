//! Inserts rows from the JSON objects of a request.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::Transaction;
use serde_json::Value;

use super::json::JsonRows;
use super::scalar::Scalars;
use crate::control::Control;
use crate::error::{Fault, Reason};
use crate::name::TableName;
use crate::store::{self, Disposition, Store, TableWriter, Target, explain};
use crate::types::Field;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InsertOptions {
    /// Whether to insert valid rows if other rows are bad. If false, one bad row causes all rows to
    /// be rejected.
    pub skip_invalid: bool,
    /// Whether to ignore values that have no column.
    pub ignore_unknown: bool,
}

/// The error in one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFault {
    /// The index of the row, counted from 0.
    pub row: usize,
    /// The error, with the column as its location. The reason is [`Reason::Stopped`] for a valid
    /// row that was rejected because of bad rows.
    pub fault: Fault,
}

/// The result of an insert.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inserted {
    pub rows: u64,
    /// The errors of the rejected rows, in row order.
    pub faults: Vec<RowFault>,
}

/// Inserts rows into an existing table. Each row is a JSON object with a member for each column. A
/// string for a JSON column is parsed as JSON.
pub fn insert_rows(
    store: &Store,
    table: &TableName,
    rows: &[Value],
    options: InsertOptions,
    control: &Control,
) -> Result<Inserted, Fault> {
    let mut faults = Vec::new();
    let done = store.write(&table.dataset, control, |transaction| {
        let inserted = fill(transaction, table, rows, options, control, &mut faults)?;
        match faults.is_empty() || options.skip_invalid {
            true => Ok(inserted),
            // Returns an error to roll back the inserted rows.
            false => Err(Fault::new(Reason::Stopped, "some rows are invalid")),
        }
    });
    match done {
        Ok(count) => Ok(Inserted { rows: count, faults }),
        Err(fault) if faults.is_empty() => Err(fault),
        Err(_) => Ok(Inserted { rows: 0, faults: add_stopped_rows(faults, rows.len()) }),
    }
}

fn fill(
    transaction: &Transaction<'_>,
    table: &TableName,
    rows: &[Value],
    options: InsertOptions,
    control: &Control,
    faults: &mut Vec<RowFault>,
) -> Result<u64, Fault> {
    let now = Timestamp::now();
    let found = store::find(transaction, "main", table, now)?;
    let fields: Vec<Field> = found.ok_or_else(|| store::no_table(table))?.fields;
    let target = Target { create: false, ..Target::new(table.clone(), Disposition::Append) };
    let filling = TableWriter::begin(transaction, "main", &target, &fields, now)?;
    let mut statement = filling.statement(transaction)?;
    let scalars = Scalars::new(TimeZone::UTC);
    let mut reader = JsonRows::new(&fields, scalars, options.ignore_unknown).with_json_as_text();
    let mut count = 0;
    for (at, row) in rows.iter().enumerate() {
        control.check()?;
        match reader.bind(row, &mut statement) {
            Ok(()) => {
                statement.raw_execute().map_err(|error| explain(&error))?;
                count += 1;
            }
            Err(bad) => {
                let column = bad.column.and_then(|at| fields.get(at));
                let fault = Fault::invalid(bad.message);
                faults.push(RowFault {
                    row: at,
                    fault: match column {
                        Some(field) => fault.at(&field.name),
                        None => fault,
                    },
                });
            }
        }
    }
    drop(statement);
    filling.finish(transaction, count, now)?;
    Ok(count)
}

/// Adds an error for each valid row, which was rejected because of the bad rows.
fn add_stopped_rows(faults: Vec<RowFault>, rows: usize) -> Vec<RowFault> {
    let mut faults = faults.into_iter().peekable();
    (0..rows)
        .map(|row| {
            let own = faults.next_if(|fault| fault.row == row);
            own.unwrap_or_else(|| RowFault {
                row,
                fault: Fault::new(
                    Reason::Stopped,
                    "not inserted because another row is invalid; set skipInvalidRows to insert the valid rows",
                ),
            })
        })
        .collect()
}
