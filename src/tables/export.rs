//! Exports live tables to files.

use rusqlite::Connection;
use warehouse::engine::LiveTables;
use warehouse::export::{ExportSummary, Options, export};
use warehouse::files::Files;
use warehouse::store::{Table, no_table};
use warehouse::{Control, Fault, TableName};

use super::SiteTables;

/// Temporary table for the rows of an export.
const ROWS: &str = "temp.live";

impl SiteTables<'_> {
    /// Writes the current rows of a table to files, in the table's order.
    ///
    /// # Errors
    ///
    /// Fails if there is no such live table, if `control` cancels the export, or if writing fails.
    pub fn export(
        &self,
        name: &TableName,
        options: &Options,
        control: &Control,
    ) -> Result<(Table, ExportSummary), Fault> {
        let table = self.find(&name.table).ok_or_else(|| no_table(name))?;
        let failed = |error: rusqlite::Error| control.explain(&error);
        // There may be too many rows to hold in memory, so they go to a temporary file, which
        // SQLite removes.
        let mut connection = Connection::open("").map_err(failed)?;
        control.watch(&mut connection).map_err(failed)?;
        let all = table.fields.iter().map(|field| field.name.clone());
        self.fill(&connection, ROWS, &name.table, &all.collect(), control)?;
        let sql = format!("SELECT * FROM {ROWS} ORDER BY _rowid_");
        let mut statement = connection.prepare(&sql).map_err(failed)?;
        let files = Files::of(self.store);
        let exported = export(&files, &table.fields, options, control, |write| {
            let mut rows = statement.query([]).map_err(failed)?;
            while let Some(row) = rows.next().map_err(failed)? {
                write(row)?;
            }
            Ok(())
        })?;
        Ok((table, exported))
    }
}
