//! The dataset `site`: the current content of the site as read-only tables.
//!
//! A statement that reads a table gets a temporary table with the current rows and only the columns
//! that the statement needs. The tables include unpublished content, with its status. Columns are
//! named as in JSON Feed 1.1, the content API and Podcasting 2.0, unless the name is an SQL
//! keyword.
//!
//! Each table has its own file: a list of columns, each with its type, description and value in a
//! row.

mod chapters;
mod column;
mod downloads;
mod events;
mod export;
mod items;
mod journal;
mod occurrences;
mod pages;
mod people;
mod requests;
mod rows;
mod site_files;

use std::collections::BTreeSet;
use std::path::Path;

use jiff::Timestamp;
use rusqlite::Connection;

use rows::Rows;
use warehouse::engine::LiveTables;
use warehouse::store::{Facts, Kind, Table, no_table};
use warehouse::{Control, DatasetId, Fault, Field, Store, TableId, TableName};

use local::local_folder;
use site::Snapshot;
use state::State;
use stats::requests_query;

/// Opens the warehouse of the site at `root`, `.feedwright/warehouse/`, and creates it if missing.
pub fn open_warehouse(root: &Path) -> Result<Store, Fault> {
    let folder = local_folder(root).map_err(Fault::internal)?;
    Store::open(&folder.join("warehouse"))
}

struct Live {
    name: &'static str,
    about: &'static str,
    fields: fn() -> Vec<Field>,
    /// Writes the rows to the table, which must exist.
    fill: fn(&SiteTables<'_>, &Rows<'_>) -> Result<(), Fault>,
}

/// All live tables, sorted by name.
const TABLES: [Live; 10] = [
    chapters::TABLE,
    downloads::TABLE,
    events::TABLE,
    items::TABLE,
    journal::TABLE,
    occurrences::TABLE,
    pages::TABLE,
    people::TABLE,
    requests::TABLE,
    site_files::TABLE,
];

#[derive(Clone, Copy)]
pub struct SiteTables<'a> {
    pub snapshot: &'a Snapshot,
    /// State database of the site, for `site.journal`.
    pub state: &'a State,
    /// Warehouse of the site, for the requests in access logs.
    pub store: &'a Store,
    /// Root folder of the site.
    pub root: &'a Path,
    pub now: Timestamp,
}

impl SiteTables<'_> {
    fn table(&self, live: &Live) -> Option<Table> {
        Some(Table {
            name: TableName::parse(DatasetId::SITE, live.name).ok()?,
            kind: Kind::Live,
            fields: (live.fields)(),
            rows: None,
            facts: Facts {
                description: Some(live.about.to_owned()),
                ..Facts::new(self.snapshot.now)
            },
            expires: None,
        })
    }
}

impl LiveTables for SiteTables<'_> {
    fn all(&self) -> Vec<Table> {
        TABLES.iter().filter_map(|live| self.table(live)).collect()
    }

    fn find(&self, table: &TableId) -> Option<Table> {
        live(table).and_then(|live| self.table(live))
    }

    fn select(
        &self,
        connection: &Connection,
        at: &str,
        table: &TableId,
    ) -> Result<Option<String>, Fault> {
        // There may be millions of requests, so they are not copied into a temporary table. The
        // query reads them from a database file that is attached to the connection.
        if table.as_str() == requests::TABLE.name {
            requests_query(connection, at).map(Some)
        } else {
            Ok(None)
        }
    }

    fn fill(
        &self,
        connection: &Connection,
        sql: &str,
        table: &TableId,
        columns: &BTreeSet<String>,
        control: &Control,
    ) -> Result<(), Fault> {
        let live = live(table).ok_or_else(|| {
            no_table(&TableName { dataset: DatasetId::site(), table: table.clone() })
        })?;
        let rows = Rows { connection, sql, columns, control };
        rows.create(&(live.fields)())?;
        (live.fill)(self, &rows)
    }
}

fn live(name: &TableId) -> Option<&'static Live> {
    TABLES.iter().find(|live| live.name == name.as_str())
}
