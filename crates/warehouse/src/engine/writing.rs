//! Runs statements that write: queries with their results, changes to rows, and changes to tables
//! and views.

use jiff::Timestamp;

use super::Request;
use super::explain::explain;
use super::names::NamedTables;
use super::outcome::Done;
use super::workspace::Workspace;
use crate::error::{Fault, Reason};
use crate::name::{DatasetId, TableName};
use crate::sql::{Change, ChangeKind, Existing, Plan, Query, Statement};
use crate::store::{self, Disposition, Kind, Table, TableWriter, Target};
use crate::types::Field;

/// Runs a statement within its transaction.
pub(super) struct StatementWriter<'a> {
    pub workspace: &'a Workspace<'a>,
    pub names: &'a NamedTables<'a>,
    /// The schema name of the dataset that the statement writes to.
    pub at: &'a str,
    pub dataset: &'a DatasetId,
    pub request: &'a Request<'a>,
}

impl StatementWriter<'_> {
    pub(super) fn execute(&self, plan: &Plan) -> Result<Done, Fault> {
        match &plan.statement {
            Statement::Query(query) => self.select(query, self.request.target).map(Done::Rows),
            Statement::Change(change) => self.change(change),
            Statement::CreateTable { table, existing, fields, query } => {
                self.create_table(table, *existing, fields, query.as_ref())
            }
            Statement::CreateView { view, existing, fields, query } => {
                self.create_view(view, *existing, fields, query)
            }
            Statement::Drop { table, is_view, if_exists } => self.drop(table, *is_view, *if_exists),
            Statement::CreateSchema { .. } | Statement::DropSchema { .. } => {
                Err(Fault::internal("datasets cannot be created or removed in a transaction"))
            }
        }
    }

    fn select(&self, query: &Query, target: &Target) -> Result<Table, Fault> {
        let connection = &self.workspace.connection;
        let filling = TableWriter::begin(
            connection, self.at, target, &query.columns, self.request.session.now,
        )?;
        let sql = format!("{} {}", filling.insert_into(), query.sql);
        let added = self.run_confined(&sql, &query.parameters)?;
        filling.finish(connection, added, Timestamp::now())
    }

    fn change(&self, change: &Change) -> Result<Done, Fault> {
        let connection = &self.workspace.connection;
        let name = &change.table;
        let Some((mut table @ Table { kind: Kind::Stored { .. }, .. }, _)) =
            self.names.table(name)?
        else {
            return Err(Fault::invalid(format!(
                "the rows of {name} cannot be changed: it is a view or a read-only table"
            )));
        };
        let rows = self.run_confined(&change.sql, &change.parameters)?;
        table.rows = table.rows.map(|had| match change.kind {
            ChangeKind::Insert => had + rows,
            ChangeKind::Update => had,
            ChangeKind::Delete | ChangeKind::Truncate => had.saturating_sub(rows),
        });
        table.facts.modified = Timestamp::now().as_millisecond();
        store::save(connection, self.at, &table)?;
        Ok(Done::Changed { table: name.clone(), rows })
    }

    /// Runs SQL that was generated from the user's statement, restricted to writing to the
    /// statement's dataset. Returns the number of changed rows.
    fn run_confined(&self, sql: &str, parameters: &[rusqlite::types::Value]) -> Result<u64, Fault> {
        let connection = &self.workspace.connection;
        let failed = |error: rusqlite::Error| explain(&error, self.request.control);
        self.workspace.confine(self.dataset);
        let changed = connection.prepare(sql).and_then(|mut statement| {
            // The value of a LIMIT parameter is already part of the SQL. SQLite would reject a
            // surplus value.
            let taken = parameters.iter().take(statement.parameter_count());
            statement.execute(rusqlite::params_from_iter(taken))
        });
        self.workspace.release();
        changed.map(|rows| rows as u64).map_err(failed)
    }

    /// Removes an existing table or view if the statement replaces it. Returns the operation's
    /// name, or `None` if the existing table or view is kept.
    fn remove_replaced(
        &self,
        name: &TableName,
        existing: Existing,
    ) -> Result<Option<&'static str>, Fault> {
        let connection = &self.workspace.connection;
        let is_there = store::find(connection, self.at, name, self.request.session.now)?.is_some();
        match (is_there, existing) {
            (false, _) => Ok(Some("CREATE")),
            (true, Existing::Keep) => Ok(None),
            (true, Existing::Replace) => {
                store::remove(connection, self.at, name)?;
                Ok(Some("REPLACE"))
            }
            (true, Existing::Fail) => Err(Fault::new(
                Reason::Duplicate,
                format!("{name} already exists: write CREATE OR REPLACE to replace it"),
            )),
        }
    }

    fn create_table(
        &self,
        name: &TableName,
        existing: Existing,
        fields: &[Field],
        query: Option<&Query>,
    ) -> Result<Done, Fault> {
        // The query can read the table that it replaces, so the table is not removed first.
        if let (Some(query), Existing::Replace) = (query, existing) {
            let target = Target::new(name.clone(), Disposition::Truncate);
            self.select(&Query { columns: fields.to_vec(), ..query.clone() }, &target)?;
            return Ok(Done::Table { table: name.clone(), operation: "REPLACE" });
        }
        let Some(operation) = self.remove_replaced(name, existing)? else {
            return Ok(Done::Table { table: name.clone(), operation: "SKIP" });
        };
        let target = Target::new(name.clone(), Disposition::Empty);
        match query {
            Some(query) => {
                let query = Query { columns: fields.to_vec(), ..query.clone() };
                self.select(&query, &target)?;
            }
            None => {
                let table = Table::new(name.clone(), fields.to_vec(), Timestamp::now());
                store::create(
                    &self.workspace.connection, self.at, table, self.request.session.now,
                )?;
            }
        }
        Ok(Done::Table { table: name.clone(), operation })
    }

    fn create_view(
        &self,
        name: &TableName,
        existing: Existing,
        fields: &[Field],
        query: &str,
    ) -> Result<Done, Fault> {
        let Some(operation) = self.remove_replaced(name, existing)? else {
            return Ok(Done::Table { table: name.clone(), operation: "SKIP" });
        };
        let mut view = Table::new(name.clone(), fields.to_vec(), Timestamp::now());
        view.kind = Kind::View { query: query.to_owned() };
        store::create(&self.workspace.connection, self.at, view, self.request.session.now)?;
        Ok(Done::Table { table: name.clone(), operation })
    }

    fn drop(&self, name: &TableName, is_view: bool, if_exists: bool) -> Result<Done, Fault> {
        let connection = &self.workspace.connection;
        let found = store::find(connection, self.at, name, self.request.session.now)?;
        let operation = match found {
            None if if_exists => "SKIP",
            None => return Err(store::no_table(name)),
            Some(table) if matches!(table.kind, Kind::View { .. }) != is_view => {
                let (is, other) =
                    if is_view { ("table", "DROP TABLE") } else { ("view", "DROP VIEW") };
                return Err(Fault::new(
                    Reason::InvalidQuery,
                    format!("{name} is a {is}: use {other} to remove it"),
                ));
            }
            Some(_) => {
                store::remove(connection, self.at, name)?;
                "DROP"
            }
        };
        Ok(Done::Table { table: name.clone(), operation })
    }
}
