//! Writes the rows of a live table.

use std::collections::BTreeSet;

use rusqlite::{Connection, params_from_iter};
use warehouse::store::quoted;
use warehouse::{Control, Fault, Field};

use super::column::Column;

/// Destination for the rows of one live table.
pub(super) struct Rows<'c> {
    /// Connection to the database that contains the table.
    pub connection: &'c Connection,
    /// Quoted SQL name of the table.
    pub sql: &'c str,
    /// Columns to fill; all other columns are NULL.
    pub columns: &'c BTreeSet<String>,
    pub control: &'c Control,
}

/// Number of rows written between two checks of `control`.
const ROWS_PER_CHECK: usize = 256;

impl Rows<'_> {
    /// Creates the table without rows.
    pub(super) fn create(&self, fields: &[Field]) -> Result<(), Fault> {
        let columns: Vec<String> = fields
            .iter()
            .map(|field| format!("{} {}", quoted(&field.name), field.of.affinity()))
            .collect();
        let sql = format!("CREATE TABLE {} ({}) STRICT", self.sql, columns.join(", "));
        self.connection.execute_batch(&sql).map_err(|error| self.control.explain(&error))
    }

    /// Writes `rows` to the table, with the requested columns only.
    pub(super) fn write<R>(
        &self,
        columns: Vec<Column<R>>,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), Fault> {
        self.write_each(columns, |write| rows.into_iter().try_for_each(write))
    }

    /// Writes each row that `rows` passes to its callback, as [`write`](Self::write) does.
    pub(super) fn write_each<R>(
        &self,
        columns: Vec<Column<R>>,
        rows: impl FnOnce(&mut dyn FnMut(R) -> Result<(), Fault>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.connection
            .execute_batch("SAVEPOINT live_rows")
            .map_err(|error| self.control.explain(&error))?;
        let written = self.insert(columns, rows);
        let end = match written {
            Ok(()) => "RELEASE live_rows",
            Err(_) => "ROLLBACK TO live_rows; RELEASE live_rows",
        };
        // If the statement was cancelled, the rollback may be interrupted too. The reason for the
        // cancellation is the error to return.
        let ended = self.connection.execute_batch(end);
        written.and_then(|()| ended.map_err(|error| self.control.explain(&error)))
    }

    fn insert<R>(
        &self,
        mut columns: Vec<Column<R>>,
        rows: impl FnOnce(&mut dyn FnMut(R) -> Result<(), Fault>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        columns.retain(|column| self.columns.contains(&column.field.name));
        let names: Vec<String> = columns.iter().map(|one| quoted(&one.field.name)).collect();
        let values = vec!["?"; columns.len()].join(", ");
        let sql = match names.as_slice() {
            [] => format!("INSERT INTO {} DEFAULT VALUES", self.sql),
            names => format!("INSERT INTO {} ({}) VALUES ({values})", self.sql, names.join(", ")),
        };
        let explain = |error| self.control.explain(&error);
        let mut insert = self.connection.prepare(&sql).map_err(explain)?;
        let mut count = 0_usize;
        rows(&mut |row| {
            if count.is_multiple_of(ROWS_PER_CHECK) {
                self.control.check()?;
            }
            count += 1;
            let cells = columns.iter().map(|column| (column.value)(&row));
            insert.execute(params_from_iter(cells)).map_err(explain)?;
            Ok(())
        })
    }
}
