//! Reads the rows of any kind of table in pages.

use std::collections::BTreeSet;

use rusqlite::Connection;
use rusqlite::types::Value as Kept;
use serde_json::Value;

use super::call::WarehouseCall;
use super::paging::{open_token, token};
use super::parameters::Parameters;
use super::row_format::{self, InstantFormat};
use api_shared::ApiError;
use warehouse::engine::Engine;
use warehouse::store::{self, Kind, Page, Room, Start, Table, quoted};
use warehouse::{Control, Fault, Field};

/// Maximum number of rows on a page.
const MAX_ROWS: usize = 100_000;

#[derive(Debug, Clone)]
pub struct RowsRequest {
    start: Start,
    /// Maximum number of rows to return.
    most: usize,
    /// The format of instants.
    instants: InstantFormat,
}

impl RowsRequest {
    /// Reads `pageToken`, `startIndex`, `maxResults` and `formatOptions`.
    pub fn parse(parameters: &Parameters) -> Result<Self, ApiError> {
        let start = match parameters.text("pageToken") {
            Some(token) => open_start(token)?,
            None => Start::Row(parameters.number("startIndex")?.unwrap_or(0)),
        };
        let instants = InstantFormat::of_parameters(parameters)?;
        Ok(Self::new(start, parameters.number("maxResults")?, instants))
    }

    /// Creates a request for rows from a start position.
    pub fn new(start: Start, most: Option<usize>, instants: InstantFormat) -> Self {
        Self { start, most: most.unwrap_or(MAX_ROWS).min(MAX_ROWS), instants }
    }
}

/// Rows in the format for clients.
#[derive(Debug, Clone)]
pub struct Rows {
    pub rows: Vec<Value>,
    /// Total number of rows in the table.
    pub total: u64,
    /// The token of the next page. None if there are no more rows.
    pub next: Option<String>,
}

/// Returns a page of rows. `columns` contains the index of each selected field, and the selected
/// part of the field.
pub fn page(
    call: &WarehouseCall,
    table: &Table,
    columns: &[(usize, Field)],
    ask: &RowsRequest,
) -> Result<Rows, ApiError> {
    let indexes: Vec<usize> = columns.iter().map(|(index, _)| *index).collect();
    let fields: Vec<Field> = columns.iter().map(|(_, field)| field.clone()).collect();
    let (page, total) = call.ask(|tables| match table.kind {
        Kind::Live => live_page(tables, table, &indexes, ask),
        _ => {
            let page = tables.store.rows(table, &indexes, ask.start, ask.most)?;
            Ok((page, table.rows.unwrap_or(0)))
        }
    })?;
    let shown = page.rows.iter().map(|row| row_format::row(&fields, row, ask.instants));
    Ok(Rows { rows: shown.collect(), total, next: page.next.map(start_token) })
}

/// Returns a page of a live table, whose rows are generated on demand. Generates all rows to count
/// them.
fn live_page(
    tables: Engine<'_>,
    table: &Table,
    columns: &[usize],
    ask: &RowsRequest,
) -> Result<(Page, u64), Fault> {
    const ROWS: &str = "temp.\"rows\"";
    let names: Vec<&str> =
        columns.iter().filter_map(|index| Some(table.fields.get(*index)?.name.as_str())).collect();
    let connection = Connection::open_in_memory().map_err(Fault::internal)?;
    let wanted: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let control = Control::default();
    tables.live.fill(&connection, ROWS, &table.name.table, &wanted, &control)?;
    let count = format!("SELECT count(*) FROM {ROWS}");
    let total: i64 = connection.query_row(&count, [], |row| row.get(0)).map_err(Fault::internal)?;
    let total = u64::try_from(total).unwrap_or(0);
    let skipped = match ask.start {
        Start::Row(skipped) => skipped,
        Start::After(_) => {
            return Err(Fault::invalid("pageToken: invalid page token: start again without it"));
        }
    };
    let mut room = Room::default();
    let mut rows = Vec::new();
    live_rows(&connection, ROWS, &names, skipped, ask.most, |row| {
        room.add(store::types(table, columns), &row)?;
        rows.push(row);
        Ok(!room.is_full())
    })?;
    let after = skipped.saturating_add(rows.len() as u64);
    let next = (after < total).then_some(Start::Row(after));
    Ok((Page { rows, next }, total))
}

/// Reads rows until `take` returns false.
fn live_rows(
    connection: &Connection,
    table: &str,
    names: &[&str],
    skipped: u64,
    most: usize,
    mut take: impl FnMut(Vec<Kept>) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let columns: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let columns = if columns.is_empty() { "NULL".to_owned() } else { columns.join(", ") };
    let sql = format!("SELECT {columns} FROM {table} LIMIT ?1 OFFSET ?2");
    let bounds =
        [i64::try_from(most).unwrap_or(i64::MAX), i64::try_from(skipped).unwrap_or(i64::MAX)];
    let mut statement = connection.prepare(&sql).map_err(Fault::internal)?;
    let mut rows = statement.query(bounds).map_err(Fault::internal)?;
    while let Some(row) = rows.next().map_err(Fault::internal)? {
        let values: rusqlite::Result<_> = (0..names.len()).map(|at| row.get(at)).collect();
        if !take(values.map_err(Fault::internal)?)? {
            break;
        }
    }
    Ok(())
}

fn start_token(start: Start) -> String {
    token(&match start {
        Start::Row(row) => format!("r{row}"),
        Start::After(row) => format!("a{row}"),
    })
}

fn open_start(token: &str) -> Result<Start, ApiError> {
    let text = open_token(token)?;
    let start = match text.split_at_checked(1) {
        Some(("r", row)) => row.parse().ok().map(Start::Row),
        Some(("a", row)) => row.parse().ok().map(Start::After),
        _ => None,
    };
    start
        .ok_or_else(|| ApiError::invalid("pageToken", "invalid page token: start again without it"))
}
