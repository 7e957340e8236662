//! Reads rows from a file one by one and inserts them with a prepared statement.

use rusqlite::CachedStatement;
use rusqlite::types::ValueRef;

use super::bad_rows::BadRows;
use super::csv::{BadRecord, Cell, Record, Records};
use super::detect;
use super::json::{BadRow, JsonRows, put, put_null};
use super::lines::{Lines, Next};
use super::scalar::Scalars;
use super::{Csv, Options, Progress, Source};
use crate::control::Control;
use crate::error::Fault;
use crate::types::{Field, Type};

/// Number of rows between two checks of the control. Loading this many rows takes less than a
/// millisecond.
const ROWS_PER_CHECK: u64 = 512;

pub(super) struct Loader<'l, 'c> {
    pub statement: CachedStatement<'c>,
    /// The columns of a row.
    pub fields: &'l [Field],
    pub options: &'l Options,
    pub control: &'l Control,
    pub progress: &'l Progress,
    pub bad: &'l mut BadRows,
    /// Number of rows written.
    pub rows: u64,
    /// Number of bytes read from completed files.
    pub bytes: u64,
}

struct RowStart {
    number: u64,
    offset: u64,
}

impl RowStart {
    fn of(lines: &Lines<'_>) -> Self {
        Self { number: lines.number, offset: lines.offset }
    }
}

impl Loader<'_, '_> {
    pub(super) fn csv(
        &mut self,
        source: &Source,
        csv: &Csv,
        delimiter: u8,
        skip: u64,
    ) -> Result<(), Fault> {
        refuse_nested(self.fields)?;
        let mut lines = Lines::open(source, self.control)?;
        let mut dialect = csv.dialect(delimiter);
        // Quoted cells can contain line breaks if columns are detected.
        dialect.newlines |= self.options.autodetect;
        let mut records = Records::new(dialect);
        let mut columns: Vec<Option<usize>> = (0..self.fields.len()).map(Some).collect();
        for row in 1..=skip {
            match records.next(&mut lines)? {
                None => break,
                Some(Ok(header)) if csv.by_name && row == skip => {
                    columns = self.columns_by_name(header, source)?;
                }
                Some(_) => self.control.check()?,
            }
        }
        let mut scalars = Scalars::new(self.options.zone.clone());
        loop {
            let place = RowStart::of(&lines);
            self.check_control(&lines)?;
            let bound = match records.next(&mut lines)? {
                None => break,
                Some(Ok(record)) if record.is_blank() && columns.len() != 1 => continue,
                Some(Ok(record)) => self.bind(record, &columns, csv, &mut scalars),
                Some(Err(bad)) => Err(bad),
            };
            match bound {
                Ok(()) => self.insert()?,
                Err(bad) => self.record_bad_row(&lines, &place, bad, &columns)?,
            }
        }
        self.bytes += lines.offset;
        Ok(())
    }

    /// Loads a newline-delimited JSON file.
    pub(super) fn json(&mut self, source: &Source) -> Result<(), Fault> {
        let mut lines = Lines::open(source, self.control)?;
        let scalars = Scalars::new(self.options.zone.clone());
        let mut rows = JsonRows::new(self.fields, scalars, self.options.ignore_unknown);
        let mut line = Vec::new();
        loop {
            let place = RowStart::of(&lines);
            self.check_control(&lines)?;
            line.clear();
            let bound = match lines.next(&mut line)? {
                Next::End => break,
                Next::Line if line.trim_ascii().is_empty() => continue,
                Next::Line => bind_line(&mut rows, &line, &mut self.statement),
                Next::TooLong => Err(BadRecord::row("the row is longer than 16 MiB")),
            };
            match bound {
                Ok(()) => self.insert()?,
                Err(bad) => self.record_bad_row(&lines, &place, bad, &[])?,
            }
        }
        self.bytes += lines.offset;
        Ok(())
    }

    /// Returns the index of each cell's column, according to the names in a header row.
    fn columns_by_name(
        &self,
        header: &Record,
        source: &Source,
    ) -> Result<Vec<Option<usize>>, Fault> {
        let column = |cell: Cell<'_>| {
            let called = |name: &str| self.fields.iter().position(|field| field.has_name(name));
            let found = called(cell.text).or_else(|| called(&detect::clean(cell.text)));
            if found.is_some() || self.options.ignore_unknown {
                Ok(found)
            } else {
                Err(Fault::invalid(format!(
                    "{}: unknown column {:?} in the header; set ignoreUnknownValues to ignore it",
                    source.name, cell.text
                ))
                .at(&source.name))
            }
        };
        let columns: Vec<Option<usize>> = header.cells().map(column).collect::<Result<_, _>>()?;
        let is_twice = |at: &usize| columns.iter().filter(|other| **other == Some(*at)).count() > 1;
        match (0..self.fields.len()).find(is_twice) {
            Some(at) => Err(Fault::invalid(format!(
                "{}: the header has the column {:?} twice",
                source.name, self.fields[at].name
            ))
            .at(&source.name)),
            None => Ok(columns),
        }
    }

    fn bind(
        &mut self,
        record: &Record,
        columns: &[Option<usize>],
        csv: &Csv,
        scalars: &mut Scalars,
    ) -> Result<(), BadRecord> {
        let (cells, width) = (record.len(), columns.len());
        if cells < width && !csv.jagged {
            return Err(BadRecord::row(format!(
                "the row has only {cells} of {width} columns; set allowJaggedRows to load missing columns as NULL"
            )));
        }
        if cells > width && !self.options.ignore_unknown {
            return Err(BadRecord::row(format!(
                "the row has {cells} columns, but the table has {width}; set ignoreUnknownValues to ignore the extra columns"
            )));
        }
        for (at, (cell, column)) in record.cells().zip(columns).enumerate() {
            let Some(column) = *column else { continue };
            let field = &self.fields[column];
            let bound = match cell_value(cell, field, csv, scalars) {
                Ok(value) => put(&mut self.statement, column, field, value),
                Err(message) => Err(message),
            };
            bound.map_err(|message| BadRecord::cell(at, message))?;
        }
        if cells >= width && width == self.fields.len() {
            return Ok(());
        }
        for (at, field) in self.fields.iter().enumerate() {
            if !columns.iter().take(cells).any(|column| *column == Some(at)) {
                put_null(&mut self.statement, at, field).map_err(|message| {
                    BadRecord::row(format!("column {:?}: {message}", field.name))
                })?;
            }
        }
        Ok(())
    }

    fn insert(&mut self) -> Result<(), Fault> {
        self.statement.raw_execute().map_err(|error| self.control.explain(&error))?;
        self.rows += 1;
        Ok(())
    }

    fn check_control(&self, lines: &Lines<'_>) -> Result<(), Fault> {
        if lines.number % ROWS_PER_CHECK == 1 {
            self.control.check()?;
            self.progress.set(self.rows, self.bytes + lines.offset);
        }
        Ok(())
    }

    /// Records a bad row with its location.
    fn record_bad_row(
        &mut self,
        lines: &Lines<'_>,
        place: &RowStart,
        bad: BadRecord,
        columns: &[Option<usize>],
    ) -> Result<(), Fault> {
        let name = bad.cell.and_then(|cell| match columns {
            [] => self.fields.get(cell),
            _ => self.fields.get((*columns.get(cell)?)?),
        });
        let column = match (name, bad.cell) {
            (Some(field), _) => format!(", column {:?}", field.name),
            (None, Some(cell)) => format!(", column {}", cell + 1),
            (None, None) => String::new(),
        };
        let message = format!(
            "{}: line {}, byte {}{column}: {}",
            lines.name, place.number, place.offset, bad.message
        );
        self.bad.note(Fault::invalid(message).at(lines.name))
    }
}

fn bind_line(
    rows: &mut JsonRows<'_>,
    line: &[u8],
    statement: &mut CachedStatement<'_>,
) -> Result<(), BadRecord> {
    let text = std::str::from_utf8(line).map_err(|error| {
        let at = error.valid_up_to() + 1;
        BadRecord::row(format!(
            "the text is not valid UTF-8 at byte {at} of the line; JSON must be UTF-8"
        ))
    })?;
    let mut json = serde_json::Deserializer::from_str(text);
    rows.bind(&mut json, statement).map_err(BadRecord::from)?;
    json.end().map_err(|_| BadRecord::row("unexpected text after the object on the line"))
}

impl From<BadRow> for BadRecord {
    fn from(bad: BadRow) -> Self {
        Self { cell: bad.column, message: bad.message }
    }
}

/// Returns the value of a cell. A quoted empty cell is an empty value of type STRING or BYTES. For
/// other types, the cell is NULL if empty cells mean NULL, and otherwise invalid.
fn cell_value<'a>(
    cell: Cell<'a>,
    field: &Field,
    csv: &Csv,
    scalars: &'a mut Scalars,
) -> Result<ValueRef<'a>, String> {
    let is_text = matches!(field.of, Type::String | Type::Bytes);
    let takes_empty = csv.null_markers.iter().any(String::is_empty);
    if csv.is_null(cell) || (cell.text.is_empty() && !is_text && takes_empty) {
        Ok(ValueRef::Null)
    } else {
        scalars.text(&field.of, cell.text)
    }
}

fn refuse_nested(fields: &[Field]) -> Result<(), Fault> {
    let is_nested = |field: &&Field| matches!(field.of, Type::Array(_) | Type::Struct(_));
    match fields.iter().find(is_nested) {
        Some(field) => Err(Fault::invalid(format!(
            "the column {:?} has the type {}, which CSV cannot represent; load NEWLINE_DELIMITED_JSON",
            field.name, field.of
        ))),
        None => Ok(()),
    }
}
