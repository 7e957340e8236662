//! Rows of a stored table, a page at a time.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::catalog::{Kind, Table, quoted, rows_of};
use crate::warehouse::error::Fault;

/// Where a page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// After so many rows. It takes the longer the more they are.
    Row(u64),
    /// After the row that ended another page, as [`Page::next`] has it.
    After(i64),
}

/// Some rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The rows, each with the columns that were asked for.
    pub rows: Vec<Vec<Value>>,
    /// Where the next page begins. None where there are no more rows.
    pub next: Option<Start>,
}

/// Most bytes of the rows of one page, about: it ends sooner than asked rather than be larger.
const MOST_BYTES: usize = 8 * 1024 * 1024;

pub fn page(
    connection: &Connection,
    table: &Table,
    columns: &[usize],
    start: Start,
    most: usize,
) -> Result<Page, Fault> {
    let Kind::Stored { id } = table.kind else {
        return Err(Fault::invalid(format!(
            "{} has no rows of its own: ask a query",
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
    let mut page = Page {
        rows: Vec::new(),
        next: None,
    };
    let mut bytes = 0;
    let mut last = after;
    while let Some(row) = found.next().map_err(Fault::internal)? {
        if page.rows.len() >= most || bytes >= MOST_BYTES {
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
        bytes += values.iter().map(size).sum::<usize>();
        page.rows.push(values);
    }
    Ok(page)
}

/// Bytes of a value, about.
fn size(value: &Value) -> usize {
    8 + match value {
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
        _ => 0,
    }
}
