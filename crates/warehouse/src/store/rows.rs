//! Reads the rows of a stored table in pages.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::catalog::{Kind, Table, quoted, rows_of};
use crate::error::{Fault, Reason};
use crate::types::Type;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Skips this number of rows. The time is proportional to the number of skipped rows.
    Row(u64),
    /// Continues after the last row of the previous page. [`Page::next`] contains this value.
    After(i64),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The rows, with values only for the requested columns.
    pub rows: Vec<Vec<Value>>,
    /// The start of the next page. `None` if there are no more rows.
    pub next: Option<Start>,
}

/// Approximate maximum size of the rows in a page, in bytes. When a page reaches this size, it has
/// fewer rows than requested.
const MAX_PAGE_BYTES: usize = 8 * 1024 * 1024;
/// Maximum number of values in a page, including the values in arrays and structs. Each value
/// becomes a JSON object in the response, which needs hundreds of bytes of memory.
const MAX_PAGE_VALUES: usize = 1 << 18;

/// The space that the rows of a page use.
#[derive(Debug, Default)]
pub struct Room {
    bytes: usize,
    values: usize,
}

impl Room {
    /// Returns whether the page is full.
    pub fn is_full(&self) -> bool {
        self.bytes >= MAX_PAGE_BYTES || self.values >= MAX_PAGE_VALUES
    }

    /// Adds a row with columns of these types to the used space. Returns an error if the row alone
    /// has too many values for a page.
    pub fn add<'t>(
        &mut self,
        types: impl Iterator<Item = &'t Type>,
        row: &[Value],
    ) -> Result<(), Fault> {
        let values: usize = types.zip(row).map(|(of, value)| count(of, value)).sum();
        if values > MAX_PAGE_VALUES {
            return Err(Fault::new(
                Reason::ResourcesExceeded,
                format!("a row has more than {MAX_PAGE_VALUES} values: export the table instead"),
            ));
        }
        self.values += values;
        self.bytes += row.iter().map(size).sum::<usize>();
        Ok(())
    }
}

/// Estimates the number of values in a value, including the value itself. The estimate is never too
/// low.
fn count(of: &Type, value: &Value) -> usize {
    match (of, value) {
        (Type::Array(_) | Type::Struct(_), Value::Text(text)) => 1 + commas(text),
        _ => 1,
    }
}

/// Returns the number of commas in a JSON document, not counting commas in strings.
fn commas(json: &str) -> usize {
    let (mut count, mut is_text, mut is_escaped) = (0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_text = !is_text,
            b',' if !is_text => count += 1,
            _ => {}
        }
    }
    count
}

pub(super) fn page(
    connection: &Connection,
    table: &Table,
    columns: &[usize],
    start: Start,
    most: usize,
) -> Result<Page, Fault> {
    let Kind::Stored { id } = table.kind else {
        return Err(Fault::invalid(format!(
            "{} is a view without stored rows: run a query instead",
            table.name
        )));
    };
    let names: String = columns
        .iter()
        .filter_map(|&at| table.fields.get(at))
        .map(|field| format!(", {}", quoted(&field.name)))
        .collect();
    let (after, skipped) = match start {
        Start::Row(skipped) => (i64::MIN, i64::try_from(skipped).unwrap_or(i64::MAX)),
        Start::After(row) => (row, 0),
    };
    let sql = format!(
        "SELECT _rowid_{names} FROM {} WHERE _rowid_ > ?1 ORDER BY _rowid_ LIMIT -1 OFFSET ?2",
        rows_of("main", id)
    );
    let mut statement = connection.prepare(&sql).map_err(Fault::internal)?;
    let width = statement.column_count();
    let mut found = statement.query([after, skipped]).map_err(Fault::internal)?;
    let mut page = Page { rows: Vec::new(), next: None };
    let mut room = Room::default();
    let mut last = after;
    while let Some(row) = found.next().map_err(Fault::internal)? {
        if page.rows.len() >= most || room.is_full() {
            page.next = Some(match start {
                Start::Row(skipped) if page.rows.is_empty() => Start::Row(skipped),
                _ => Start::After(last),
            });
            break;
        }
        last = row.get(0).map_err(Fault::internal)?;
        let values: Vec<Value> = (1..width)
            .map(|at| row.get(at))
            .collect::<rusqlite::Result<_>>()
            .map_err(Fault::internal)?;
        room.add(types(table, columns), &values)?;
        page.rows.push(values);
    }
    Ok(page)
}

/// Returns the types of these columns.
pub fn types<'t>(table: &'t Table, columns: &'t [usize]) -> impl Iterator<Item = &'t Type> {
    let fields = columns.iter().filter_map(|&at| table.fields.get(at));
    fields.map(|field| &field.of)
}

/// Returns the approximate size of a value, in bytes.
fn size(value: &Value) -> usize {
    8 + match value {
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
        _ => 0,
    }
}
