//! Loads rows from CSV and newline-delimited JSON files into a table. If a load fails, no rows are
//! written.
//!
//! Files are read line by line. Each value must match the type of its column, and is passed to
//! SQLite without intermediate storage. Memory use depends on the longest row (at most
//! [`MAX_ROW_BYTES`]), not on the file size.

mod bad_rows;
mod csv;
mod detect;
mod insert;
mod json;
pub(crate) mod json_text;
mod json_values;
mod lines;
mod rows;
mod scalar;
mod schema;
mod times;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::Transaction;

pub use csv::Encoding;
pub use insert::{InsertOptions, Inserted, RowFault, insert_rows};
pub(crate) use json::JsonRows;
pub use lines::MAX_ROW_BYTES;
pub(crate) use scalar::Scalars;

use self::bad_rows::BadRows;
use self::csv::{Cell, Dialect};
use self::rows::Loader;
use super::control::Control;
use super::error::Fault;
use super::schema as table_schema;
use super::store::{self, Disposition, Store, Table, TableWriter, Target};
use super::types::Field;

/// The target and settings of a load.
#[derive(Debug, Clone)]
pub struct Options {
    /// The table for the rows. `target.adds_columns` is ignored, because a load uses
    /// `updates.adds`.
    pub target: Target,
    /// The format of the files.
    pub format: Format,
    /// The columns of the rows. `None` means that the table's columns are used, or that columns are
    /// detected.
    pub fields: Option<Vec<Field>>,
    /// Whether to detect the columns if `fields` is `None` or empty.
    pub autodetect: bool,
    /// The column changes that are permitted if the table's existing rows are kept.
    pub updates: Updates,
    /// Whether to ignore values that have no column.
    pub ignore_unknown: bool,
    /// Maximum number of bad rows to skip before the load fails.
    pub max_bad_rows: u64,
    /// The time zone of timestamps without a time zone.
    pub zone: TimeZone,
}

impl Options {
    /// Creates options for files of this format, with defaults for all other settings.
    pub fn new(target: Target, format: Format) -> Self {
        Self {
            target,
            format,
            fields: None,
            autodetect: false,
            updates: Updates::default(),
            ignore_unknown: false,
            max_bad_rows: 0,
            zone: TimeZone::UTC,
        }
    }
}

/// The permitted changes to the columns of a table that keeps its rows: `schemaUpdateOptions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Updates {
    /// Allows new columns (`ALLOW_FIELD_ADDITION`).
    pub adds: bool,
    /// Allows required columns to become nullable (`ALLOW_FIELD_RELAXATION`).
    pub relaxes: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// CSV (RFC 4180).
    Csv(Csv),
    /// One JSON object per line.
    Json,
}

/// The format of CSV files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Csv {
    /// The delimiter between cells, an ASCII character. `None` means that the delimiter is detected
    /// if `autodetect` is set, and otherwise is a comma.
    pub delimiter: Option<u8>,
    /// The quote character, an ASCII character. `None` means that cells are never quoted.
    pub quote: Option<u8>,
    /// Whether quoted cells can contain line breaks.
    pub quoted_newlines: bool,
    /// Whether rows can have fewer cells than columns. Missing cells become NULL.
    pub jagged: bool,
    /// Strings that mean NULL in unquoted cells.
    pub null_markers: Vec<String>,
    /// Number of rows to skip in each file. `None` means that the number is detected if
    /// `autodetect` is set, and otherwise is 0.
    pub skip: Option<u64>,
    /// Whether the last skipped row is a header that specifies the column of each cell.
    pub by_name: bool,
    pub encoding: Encoding,
    /// Whether NUL characters are allowed.
    pub control_characters: bool,
}

impl Default for Csv {
    /// Returns the same defaults as BigQuery.
    fn default() -> Self {
        Self {
            delimiter: None,
            quote: Some(b'"'),
            quoted_newlines: false,
            jagged: false,
            null_markers: vec![String::new()],
            skip: None,
            by_name: false,
            encoding: Encoding::Utf8,
            control_characters: false,
        }
    }
}

impl Csv {
    fn dialect(&self, delimiter: u8) -> Dialect {
        Dialect {
            delimiter,
            quote: self.quote,
            newlines: self.quoted_newlines,
            encoding: self.encoding,
            controls: self.control_characters,
        }
    }

    /// Returns whether a cell is NULL. A quoted cell is never NULL.
    fn is_null(&self, cell: Cell<'_>) -> bool {
        !cell.is_quoted && self.null_markers.iter().any(|marker| marker == cell.text)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub name: String,
    pub path: PathBuf,
}

/// The progress of a load, which other threads can read.
#[derive(Debug, Default)]
pub struct Progress {
    rows: AtomicU64,
    bytes: AtomicU64,
}

impl Progress {
    /// Returns the number of rows written.
    pub fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    /// Returns the number of bytes read, after decompression.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn set(&self, rows: u64, bytes: u64) {
        self.rows.store(rows, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// Whether the load created the table.
    pub is_new: bool,
    /// Number of files read.
    pub files: u64,
    /// Size of the files on disk, in bytes.
    pub file_bytes: u64,
    /// Number of rows written.
    pub rows: u64,
    /// Number of bytes read, after decompression.
    pub bytes: u64,
    /// Number of skipped rows.
    pub bad: u64,
    /// The faults of the first hundred skipped rows.
    pub bad_rows: Vec<Fault>,
}

/// The error of a load that wrote nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct Failed {
    #[source]
    pub fault: Fault,
    /// The faults of the first hundred bad rows, found before the load failed.
    pub bad_rows: Vec<Fault>,
}

/// Loads files into a table in one transaction. `done` is called before the transaction is
/// committed, and can write to the same transaction.
pub fn load(
    store: &Store,
    options: &Options,
    sources: &[Source],
    control: &Control,
    progress: &Progress,
    done: impl FnOnce(&Transaction<'_>, &Loaded) -> Result<(), Fault>,
) -> Result<Loaded, Failed> {
    let mut bad = BadRows::new(options.max_bad_rows);
    let loaded = store.write(&options.target.table.dataset, control, |transaction| {
        let mut loaded = fill(transaction, options, sources, control, progress, &mut bad)?;
        loaded.bad = bad.count;
        loaded.bad_rows.clone_from(&bad.listed);
        done(transaction, &loaded)?;
        Ok(loaded)
    });
    loaded.map_err(|fault| Failed { fault, bad_rows: bad.listed })
}

fn fill(
    transaction: &Transaction<'_>,
    options: &Options,
    sources: &[Source],
    control: &Control,
    progress: &Progress,
    bad: &mut BadRows,
) -> Result<Loaded, Fault> {
    let now = Timestamp::now();
    let found = store::find(transaction, "main", &options.target.table, now)?;
    let is_new = found.is_none();
    let shape = shape(options, found.as_ref(), sources, control)?;
    let fields = match found {
        Some(table) if keeps_columns(options, &table) => {
            let merged = schema::merge(&shape.fields, shape.is_detected, &table, options)?;
            merged.apply(transaction, table)?;
            merged.fields
        }
        _ => shape.fields,
    };
    let target = Target { adds_columns: options.updates.adds, ..options.target.clone() };
    let filling = TableWriter::begin(transaction, "main", &target, &fields, now)?;
    let mut loader = Loader {
        statement: filling.statement(transaction)?,
        fields: &fields,
        options,
        control,
        progress,
        bad,
        rows: 0,
        bytes: 0,
    };
    for source in sources {
        match &options.format {
            Format::Csv(csv) => loader.csv(source, csv, shape.delimiter, shape.skip)?,
            Format::Json => loader.json(source)?,
        }
    }
    let (rows, bytes) = (loader.rows, loader.bytes);
    drop(loader);
    progress.set(rows, bytes);
    filling.finish(transaction, rows, Timestamp::now())?;
    Ok(Loaded {
        is_new,
        files: sources.len() as u64,
        file_bytes: sources.iter().map(size).sum(),
        rows,
        bytes,
        bad: 0,
        bad_rows: Vec::new(),
    })
}

fn size(source: &Source) -> u64 {
    source.path.metadata().map_or(0, |facts| facts.len())
}

/// Returns whether the load keeps the table's existing columns.
fn keeps_columns(options: &Options, table: &Table) -> bool {
    options.target.disposition != Disposition::Truncate && !table.fields.is_empty()
}

/// The columns of the rows to load, and how to read them.
struct Shape {
    fields: Vec<Field>,
    is_detected: bool,
    delimiter: u8,
    skip: u64,
}

fn shape(
    options: &Options,
    table: Option<&Table>,
    sources: &[Source],
    control: &Control,
) -> Result<Shape, Fault> {
    let mut shape = Shape { fields: Vec::new(), is_detected: false, delimiter: b',', skip: 0 };
    if let Format::Csv(csv) = &options.format {
        shape.delimiter = csv.delimiter.unwrap_or(b',');
        shape.skip = csv.skip.unwrap_or(0);
    }
    let known = table.map(|table| &table.fields).filter(|known| !known.is_empty());
    match (&options.fields, options.autodetect, known) {
        (Some(given), _, _) if !given.is_empty() => shape.fields.clone_from(given),
        (_, true, _) => {
            shape.is_detected = true;
            match &options.format {
                Format::Json => shape.fields = detect::json(sources, control)?,
                Format::Csv(csv) => {
                    let guess = detect::csv(sources, csv, control)?;
                    shape.fields = guess.fields;
                    shape.delimiter = guess.delimiter;
                    shape.skip = guess.skip;
                }
            }
        }
        (_, false, Some(known)) => shape.fields.clone_from(known),
        (_, false, None) => {
            return Err(Fault::invalid(format!(
                "{} has no schema; set schema.fields or autodetect",
                options.target.table
            )));
        }
    }
    // Validates the columns, because detected columns could be too many or have invalid names.
    table_schema::from_json(&table_schema::to_json(&shape.fields), "schema.fields")?;
    Ok(shape)
}
