//! Resolves the dataset and table names in a statement.

use std::cell::RefCell;
use std::collections::BTreeSet;

use jiff::Timestamp;

use super::workspace::{Workspace, temporary};
use super::{Engine, LiveTables};
use crate::control::Control;
use crate::error::Fault;
use crate::name::{DatasetId, TableName};
use crate::sql::{Catalog, CatalogEntry, Plan};
use crate::store::{self, Kind, Table, rows_of};

/// The stored and live tables of the warehouse. Datasets are attached when a statement refers to
/// them.
pub(super) struct NamedTables<'a> {
    pub workspace: &'a Workspace<'a>,
    pub engine: Engine<'a>,
    pub now: Timestamp,
    /// The live tables that the statement refers to and that must be filled.
    live: RefCell<BTreeSet<TableName>>,
}

impl<'a> NamedTables<'a> {
    pub(super) fn new(workspace: &'a Workspace<'a>, engine: Engine<'a>, now: Timestamp) -> Self {
        Self { workspace, engine, now, live: RefCell::default() }
    }

    /// Fills the live tables that a plan reads.
    pub(super) fn fill(&self, plan: &Plan, control: &Control) -> Result<(), Fault> {
        for name in self.live.take() {
            let nothing = BTreeSet::new();
            let columns = plan.reads.get(&name).unwrap_or(&nothing);
            let connection = &self.workspace.connection;
            let sql = live(&name);
            self.engine.live.fill(connection, &sql, &name.table, columns, control)?;
        }
        Ok(())
    }

    /// Returns the SQL expression for a live table: a query, or the name of a temporary table.
    fn live(&self, name: &TableName) -> Result<String, Fault> {
        if let Some(at) = self.workspace.attach(&name.dataset)? {
            let connection = &self.workspace.connection;
            if let Some(sql) = self.engine.live.select(connection, &at, &name.table)? {
                return Ok(sql);
            }
        }
        self.live.borrow_mut().insert(name.clone());
        Ok(live(name))
    }

    /// Returns a stored or live table and its SQL expression, or `None` if the table does not
    /// exist.
    pub(super) fn table(&self, name: &TableName) -> Result<Option<(Table, String)>, Fault> {
        if let Some(table) = live_table(self.engine.live, name) {
            return self.live(name).map(|sql| Some((table, sql)));
        }
        let Some(at) = self.workspace.attach(&name.dataset)? else {
            return Err(store::no_dataset(&name.dataset));
        };
        let found = store::find(&self.workspace.connection, &at, name, self.now)?;
        Ok(found.map(|table| {
            let sql = match table.kind {
                Kind::Stored { id } => rows_of(&at, id),
                _ => String::new(),
            };
            (table, sql)
        }))
    }
}

/// Returns the live table with this name, or `None` if it does not exist.
pub(super) fn live_table(live: &dyn LiveTables, name: &TableName) -> Option<Table> {
    let is_site = name.dataset.as_str() == DatasetId::SITE;
    is_site.then(|| live.find(&name.table)).flatten()
}

fn live(name: &TableName) -> String {
    temporary(&name.to_string())
}

impl Catalog for NamedTables<'_> {
    fn find(&self, name: &TableName) -> Result<Option<CatalogEntry>, Fault> {
        Ok(self.table(name)?.map(|(table, sql)| match table.kind {
            Kind::View { query } => CatalogEntry::View { query },
            Kind::Stored { .. } | Kind::Live => CatalogEntry::Table { sql, fields: table.fields },
        }))
    }
}
