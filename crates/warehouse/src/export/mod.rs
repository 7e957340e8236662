//! Exports rows of a table to CSV or newline-delimited JSON files.
//!
//! Rows are written one by one as they are read. Files get their final names only when all files
//! are complete, so a failed export leaves existing files unchanged.

mod print;
mod shards;

use jiff::Timestamp;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};

use self::shards::Shards;
use super::control::Control;
use super::error::Fault;
use super::files::{Address, Files};
use super::name::TableName;
use super::store::{self, Kind, Store, Table, quoted, rows_of};
use super::types::{Field, Type};

/// The destination and format of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The address of the file. If the address contains a `*`, the export writes numbered files of
    /// limited size.
    pub address: Address,
    pub format: Format,
    pub compression: Compression,
    /// Maximum size of a numbered file before compression, in bytes. A single longer row gets its
    /// own file.
    pub shard: u64,
}

impl Options {
    /// The default maximum size of a numbered file: 1 GiB.
    pub const DEFAULT_SHARD_BYTES: u64 = 1024 * 1024 * 1024;

    /// Creates options for uncompressed files of this format.
    pub fn new(address: Address, format: Format) -> Self {
        Self { address, format, compression: Compression::None, shard: Self::DEFAULT_SHARD_BYTES }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// CSV (RFC 4180), but with a single line feed at the end of each line.
    Csv {
        /// The delimiter between cells, an ASCII character.
        delimiter: u8,
        /// Whether each file starts with the column names.
        header: bool,
    },
    /// One JSON object per line. NULL values are omitted.
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// No compression.
    None,
    /// Gzip (RFC 1952).
    Gzip,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportSummary {
    /// Number of files written.
    pub files: u64,
    /// Number of rows in all files.
    pub rows: u64,
    /// Size of all rows before compression, in bytes.
    pub bytes: u64,
}

/// Number of rows between two checks of the control. Writing this many rows takes less than a
/// millisecond.
const ROWS_PER_CHECK: u64 = 512;

/// Writes the rows of a stored table to files, in insertion order.
pub fn export_table(
    store: &Store,
    name: &TableName,
    options: &Options,
    control: &Control,
) -> Result<ExportSummary, Fault> {
    let file = store.file(&name.dataset).ok_or_else(|| store::no_dataset(&name.dataset))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(file, flags).map_err(Fault::internal)?;
    control.watch(&mut connection).map_err(Fault::internal)?;
    // A transaction reads the table's columns and its rows from the same snapshot.
    let transaction = connection.transaction().map_err(Fault::internal)?;
    let table = store::find(&transaction, "main", name, Timestamp::now())?
        .ok_or_else(|| store::no_table(name))?;
    let sql = select(&table)?;
    let mut statement = transaction.prepare(&sql).map_err(Fault::internal)?;
    export(&Files::of(store), &table.fields, options, control, |write| {
        let failed = |error: rusqlite::Error| control.explain(&error);
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            write(row)?;
        }
        Ok(())
    })
}

fn select(table: &Table) -> Result<String, Fault> {
    let Kind::Stored { id } = table.kind else {
        return Err(Fault::invalid(format!(
            "{} is a view or live table without stored rows: export the result of a query",
            table.name
        )));
    };
    let columns: Vec<String> = table.fields.iter().map(|field| quoted(&field.name)).collect();
    let columns = if columns.is_empty() { "NULL".to_owned() } else { columns.join(", ") };
    let rows = rows_of("main", id);
    Ok(format!("SELECT {columns} FROM {rows} ORDER BY _rowid_"))
}

/// Writes rows with these columns to files. `rows` receives a function and must call it for each
/// row. The row's values must be in column order, stored as [`Type`] describes.
pub fn export(
    files: &Files,
    fields: &[Field],
    options: &Options,
    control: &Control,
    rows: impl FnOnce(&mut dyn FnMut(&Row<'_>) -> Result<(), Fault>) -> Result<(), Fault>,
) -> Result<ExportSummary, Fault> {
    let head = head(fields, options.format)?;
    let mut shards = Shards::new(files, &options.address, options.compression, options.shard);
    let mut line = Vec::new();
    let (mut count, mut bytes) = (0_u64, 0);
    rows(&mut |row| {
        if count.is_multiple_of(ROWS_PER_CHECK) {
            control.check()?;
        }
        line.clear();
        match options.format {
            Format::Csv { delimiter, .. } => csv_row(row, fields, delimiter, &mut line)?,
            Format::Json => json_row(row, fields, &mut line)?,
        }
        count += 1;
        bytes += line.len() as u64;
        shards.write(&head, &line)
    })?;
    control.check()?;
    Ok(ExportSummary { files: shards.rename_all(&head)?, rows: count, bytes })
}

/// Returns the header for each file.
fn head(fields: &[Field], format: Format) -> Result<Vec<u8>, Fault> {
    let Format::Csv { delimiter, header } = format else {
        return Ok(Vec::new());
    };
    let is_nested = |field: &&Field| matches!(field.of, Type::Array(_) | Type::Struct(_));
    if let Some(field) = fields.iter().find(is_nested) {
        return Err(Fault::invalid(format!(
            "the column {:?} has the type {}, which CSV cannot represent; export NEWLINE_DELIMITED_JSON",
            field.name, field.of
        )));
    }
    let mut head = Vec::new();
    if header {
        for (at, field) in fields.iter().enumerate() {
            if at > 0 {
                head.push(delimiter);
            }
            let start = head.len();
            head.extend_from_slice(field.name.as_bytes());
            quote(&mut head, start, delimiter);
        }
        head.push(b'\n');
    }
    Ok(head)
}

/// Writes a row as CSV. NULL is written as an empty cell, and an empty string as two quotes.
fn csv_row(
    row: &Row<'_>,
    fields: &[Field],
    delimiter: u8,
    line: &mut Vec<u8>,
) -> Result<(), Fault> {
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            line.push(delimiter);
        }
        let value = row.get_ref(at).map_err(Fault::internal)?;
        if value != ValueRef::Null {
            let start = line.len();
            print::text(&field.of, value, line).map_err(Fault::internal)?;
            quote(line, start, delimiter);
        }
    }
    line.push(b'\n');
    Ok(())
}

/// Quotes the cell that starts at `start`, if the cell would be ambiguous without quotes.
fn quote(line: &mut Vec<u8>, start: usize, delimiter: u8) {
    let cell = &line[start..];
    let is_special = |byte: &u8| matches!(*byte, b'"' | b'\n' | b'\r') || *byte == delimiter;
    // At the start of a file, this character would be read as a byte order mark.
    let is_mark = cell.starts_with("\u{feff}".as_bytes());
    if !cell.is_empty() && !is_mark && !cell.iter().any(is_special) {
        return;
    }
    let cell = line.split_off(start);
    line.push(b'"');
    for byte in cell {
        if byte == b'"' {
            line.push(b'"');
        }
        line.push(byte);
    }
    line.push(b'"');
}

fn json_row(row: &Row<'_>, fields: &[Field], line: &mut Vec<u8>) -> Result<(), Fault> {
    line.push(b'{');
    let start = line.len();
    for (at, field) in fields.iter().enumerate() {
        let value = match (row.get_ref(at).map_err(Fault::internal)?, &field.of) {
            (ValueRef::Null, Type::Array(_)) => ValueRef::Text(b"[]"),
            (ValueRef::Null, _) => continue,
            (value, _) => value,
        };
        if line.len() > start {
            line.push(b',');
        }
        serde_json::to_writer(&mut *line, &field.name).map_err(Fault::internal)?;
        line.push(b':');
        print::json(&field.of, value, line).map_err(Fault::internal)?;
    }
    line.extend_from_slice(b"}\n");
    Ok(())
}
