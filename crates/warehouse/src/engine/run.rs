//! Runs a statement, from its text to its outcome.

use jiff::Timestamp;
use serde_json::json;

use super::explain::explain;
use super::names::NamedTables;
use super::workspace::Workspace;
use super::{Engine, Request};
use crate::control::Control;
use crate::error::{Fault, Reason};
use crate::name::{DatasetId, TableName};
use crate::sql::{self, Change, ChangeKind, Existing, Plan, Query, Session, Statement};
use crate::store::{self, Disposition, Facts, Filling, Kind, Table, Target, note_applied, quoted};
use crate::types::Field;

/// What a statement would do.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Its kind, as statistics of jobs call it.
    pub statement: &'static str,
    /// The tables it reads.
    pub reads: Vec<TableName>,
    /// The columns of a query's rows; empty for other statements.
    pub fields: Vec<Field>,
    /// Whether it changes anything.
    pub writes: bool,
}

/// A statement that was run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What the statement is and reads.
    pub summary: Summary,
    /// What it did.
    pub done: Done,
}

/// What a statement did.
#[derive(Debug, Clone, PartialEq)]
pub enum Done {
    /// It was a query, whose rows are in this table.
    Rows(Table),
    /// Rows of a table were changed.
    Changed {
        /// The table.
        table: TableName,
        /// How many rows.
        rows: u64,
    },
    /// A table or view was made, replaced or removed, or was left as it is.
    Table {
        /// Its name.
        table: TableName,
        /// What happened to it: `CREATE`, `REPLACE`, `SKIP` or `DROP`.
        operation: &'static str,
    },
    /// A dataset was made, removed or left as it is.
    Dataset {
        /// Its name.
        dataset: DatasetId,
        /// What happened to it: `CREATE`, `SKIP` or `DROP`.
        operation: &'static str,
    },
}

impl Engine<'_> {
    /// What a statement would do, without running it.
    pub fn look(&self, text: &str, session: &Session, control: &Control) -> Result<Summary, Fault> {
        let workspace = Workspace::open(self.store, control)?;
        let names = NamedTables::new(&workspace, *self, session.now);
        Ok(summary(&sql::bind(text, session, &names)?))
    }

    /// Runs a statement. What it writes is there as a whole or not at all.
    pub fn run(&self, request: &Request<'_>) -> Result<Outcome, Fault> {
        let first = self.plan(request)?;
        let summary = summary(&first);
        if summary.writes && !request.may_write {
            return Err(Fault::new(
                Reason::AccessDenied,
                format!(
                    "this key may not run {}: it may only read",
                    summary.statement
                ),
            ));
        }
        let done = match &first.statement {
            Statement::CreateSchema {
                dataset,
                if_not_exists,
            } => self.create_schema(dataset, *if_not_exists)?,
            Statement::DropSchema {
                dataset,
                if_exists,
                cascade,
            } => self.drop_schema(dataset, *if_exists, *cascade)?,
            statement => {
                let dataset = written(statement, request.target).clone();
                let done = self.write(request, &dataset);
                if done.is_err() && dataset.is_hidden() {
                    let _ = self.store.remove_dataset(&dataset, true);
                }
                done?
            }
        };
        Ok(Outcome { summary, done })
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan, Fault> {
        let workspace = Workspace::open(self.store, request.control)?;
        let names = NamedTables::new(&workspace, *self, request.session.now);
        sql::bind(request.text, request.session, &names)
    }

    /// Runs a statement that writes one dataset, and nothing else.
    fn write(&self, request: &Request<'_>, dataset: &DatasetId) -> Result<Done, Fault> {
        let now = request.session.now;
        if dataset.is_hidden() {
            self.store.create_result(dataset)?;
        } else {
            writable(dataset)?;
        }
        let _lock = self.store.lock(dataset, request.control)?;
        let workspace = Workspace::open(self.store, request.control)?;
        let at = workspace
            .attach(dataset)?
            .ok_or_else(|| store::no_dataset(dataset))?;
        let connection = &workspace.connection;
        let failed = |error: rusqlite::Error| explain(&error, request.control);
        if dataset.is_hidden() {
            // It is thrown away where this fails, so the journal need not outlive the program.
            connection
                .pragma_update_and_check(Some(&at), "journal_mode", "memory", |_| Ok(()))
                .map_err(failed)?;
            connection
                .pragma_update(Some(&at), "synchronous", "off")
                .map_err(failed)?;
            connection
                .pragma_update_and_check(Some(&at), "max_page_count", MOST_PAGES, |_| Ok(()))
                .map_err(failed)?;
        }
        connection.execute_batch("BEGIN").map_err(failed)?;
        // A transaction that begins as a reader cannot become a writer when another process wrote since.
        let sql = format!("UPDATE {}.dataset SET facts = facts", quoted(&at));
        connection.execute(&sql, []).map_err(failed)?;
        // The tables may have changed since the statement was looked at.
        let names = NamedTables::new(&workspace, *self, now);
        let plan = sql::bind(request.text, request.session, &names)?;
        if written(&plan.statement, request.target) != dataset {
            return Err(Fault::new(
                Reason::Internal,
                "the tables of the statement changed while it began",
            ));
        }
        names.fill(&plan, request.control)?;
        let writing = Writing {
            workspace: &workspace,
            names: &names,
            at: &at,
            dataset,
            request,
        };
        let done = writing.execute(&plan)?;
        let outcome =
            json!({ "statistics": { "query": { "numDmlAffectedRows": rows(&done).to_string() } } })
                .to_string();
        note_applied(connection, &at, request.job, &outcome, Timestamp::now())?;
        connection.execute_batch("COMMIT").map_err(failed)?;
        Ok(done)
    }

    fn create_schema(&self, dataset: &DatasetId, if_not_exists: bool) -> Result<Done, Fault> {
        writable(dataset)?;
        let made = self
            .store
            .create_dataset(dataset, &Facts::new(Timestamp::now()));
        let operation = match made {
            Err(fault) if if_not_exists && fault.reason == Reason::Duplicate => "SKIP",
            Err(fault) => return Err(fault),
            Ok(()) => "CREATE",
        };
        Ok(Done::Dataset {
            dataset: dataset.clone(),
            operation,
        })
    }

    fn drop_schema(
        &self,
        dataset: &DatasetId,
        if_exists: bool,
        cascade: bool,
    ) -> Result<Done, Fault> {
        writable(dataset)?;
        let operation = match self.store.remove_dataset(dataset, cascade) {
            Err(fault) if if_exists && fault.reason == Reason::NotFound => "SKIP",
            Err(fault) => return Err(fault),
            Ok(()) => "DROP",
        };
        Ok(Done::Dataset {
            dataset: dataset.clone(),
            operation,
        })
    }
}

/// Most pages of the result of a query: 8 GiB.
const MOST_PAGES: u32 = 2 * 1024 * 1024;

/// Err where a dataset is the program's own: a hidden one, or `site` in any case, since on some disks the case
/// of file names does not count.
pub fn writable(dataset: &DatasetId) -> Result<(), Fault> {
    if dataset.is_hidden() || dataset.as_str().eq_ignore_ascii_case(DatasetId::SITE) {
        Err(Fault::new(
            Reason::AccessDenied,
            format!("the dataset {dataset} can be read, not written: make one of your own"),
        ))
    } else {
        Ok(())
    }
}

/// The dataset that a statement writes.
fn written<'p>(statement: &'p Statement, target: &'p Target) -> &'p DatasetId {
    match statement {
        Statement::Query(_) => &target.table.dataset,
        Statement::Change(change) => &change.table.dataset,
        Statement::CreateTable { table, .. } | Statement::Drop { table, .. } => &table.dataset,
        Statement::CreateView { view, .. } => &view.dataset,
        Statement::CreateSchema { dataset, .. } | Statement::DropSchema { dataset, .. } => dataset,
    }
}

fn summary(plan: &Plan) -> Summary {
    Summary {
        statement: plan.statement.name(),
        reads: plan.reads.keys().cloned().collect(),
        fields: match &plan.statement {
            Statement::Query(query) => query.columns.clone(),
            _ => Vec::new(),
        },
        writes: !matches!(plan.statement, Statement::Query(_)),
    }
}

fn rows(done: &Done) -> u64 {
    match done {
        Done::Rows(table) => table.rows.unwrap_or(0),
        Done::Changed { rows, .. } => *rows,
        Done::Table { .. } | Done::Dataset { .. } => 0,
    }
}

/// A statement within its transaction.
struct Writing<'a> {
    workspace: &'a Workspace<'a>,
    names: &'a NamedTables<'a>,
    /// The connection's name of the dataset that it writes.
    at: &'a str,
    dataset: &'a DatasetId,
    request: &'a Request<'a>,
}

impl Writing<'_> {
    fn execute(&self, plan: &Plan) -> Result<Done, Fault> {
        match &plan.statement {
            Statement::Query(query) => self.select(query, self.request.target).map(Done::Rows),
            Statement::Change(change) => self.change(change),
            Statement::CreateTable {
                table,
                existing,
                fields,
                query,
            } => self.create_table(table, *existing, fields, query.as_ref()),
            Statement::CreateView {
                view,
                existing,
                fields,
                query,
            } => self.create_view(view, *existing, fields, query),
            Statement::Drop {
                table,
                is_view,
                if_exists,
            } => self.drop(table, *is_view, *if_exists),
            Statement::CreateSchema { .. } | Statement::DropSchema { .. } => {
                Err(Fault::internal("datasets are made outside of them"))
            }
        }
    }

    fn select(&self, query: &Query, target: &Target) -> Result<Table, Fault> {
        let connection = &self.workspace.connection;
        let filling = Filling::begin(
            connection,
            self.at,
            target,
            &query.columns,
            self.request.session.now,
        )?;
        let sql = format!("{} {}", filling.insert_into(), query.sql);
        let added = self.confined(&sql, &query.parameters)?;
        filling.finish(connection, added, Timestamp::now())
    }

    fn change(&self, change: &Change) -> Result<Done, Fault> {
        let connection = &self.workspace.connection;
        let name = &change.table;
        let Some((
            mut table @ Table {
                kind: Kind::Stored { .. },
                ..
            },
            _,
        )) = self.names.table(name)?
        else {
            return Err(Fault::invalid(format!(
                "{name} is not a table whose rows can be changed"
            )));
        };
        let rows = self.confined(&change.sql, &change.parameters)?;
        table.rows = table.rows.map(|had| match change.kind {
            ChangeKind::Insert => had + rows,
            ChangeKind::Update => had,
            ChangeKind::Delete | ChangeKind::Truncate => had.saturating_sub(rows),
        });
        table.facts.modified = Timestamp::now().as_millisecond();
        store::save(connection, self.at, &table)?;
        Ok(Done::Changed {
            table: name.clone(),
            rows,
        })
    }

    /// Runs SQL made from the user's statement, confined to the dataset, and answers how many rows it changed.
    fn confined(&self, sql: &str, parameters: &[rusqlite::types::Value]) -> Result<u64, Fault> {
        let connection = &self.workspace.connection;
        let failed = |error: rusqlite::Error| explain(&error, self.request.control);
        self.workspace.confine(self.dataset);
        let changed = connection.prepare(sql).and_then(|mut statement| {
            // A parameter of LIMIT stands in the statement as its number, and SQLite takes no value too many.
            let taken = parameters.iter().take(statement.parameter_count());
            statement.execute(rusqlite::params_from_iter(taken))
        });
        self.workspace.release();
        changed.map(|rows| rows as u64).map_err(failed)
    }

    /// Makes room for a new table or view, and answers what its making is called. None where the old one stays.
    fn make_room(
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
                format!("there is a table {name} already; CREATE OR REPLACE replaces it"),
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
        // Rows of the table that is replaced may be what the new one is filled with.
        if let (Some(query), Existing::Replace) = (query, existing) {
            let target = Target::new(name.clone(), Disposition::Truncate);
            self.select(
                &Query {
                    columns: fields.to_vec(),
                    ..query.clone()
                },
                &target,
            )?;
            return Ok(Done::Table {
                table: name.clone(),
                operation: "REPLACE",
            });
        }
        let Some(operation) = self.make_room(name, existing)? else {
            return Ok(Done::Table {
                table: name.clone(),
                operation: "SKIP",
            });
        };
        let target = Target::new(name.clone(), Disposition::Empty);
        match query {
            Some(query) => {
                let query = Query {
                    columns: fields.to_vec(),
                    ..query.clone()
                };
                self.select(&query, &target)?;
            }
            None => {
                let table = Table::new(name.clone(), fields.to_vec(), Timestamp::now());
                store::create(
                    &self.workspace.connection,
                    self.at,
                    table,
                    self.request.session.now,
                )?;
            }
        }
        Ok(Done::Table {
            table: name.clone(),
            operation,
        })
    }

    fn create_view(
        &self,
        name: &TableName,
        existing: Existing,
        fields: &[Field],
        query: &str,
    ) -> Result<Done, Fault> {
        let Some(operation) = self.make_room(name, existing)? else {
            return Ok(Done::Table {
                table: name.clone(),
                operation: "SKIP",
            });
        };
        let mut view = Table::new(name.clone(), fields.to_vec(), Timestamp::now());
        view.kind = Kind::View {
            query: query.to_owned(),
        };
        store::create(
            &self.workspace.connection,
            self.at,
            view,
            self.request.session.now,
        )?;
        Ok(Done::Table {
            table: name.clone(),
            operation,
        })
    }

    fn drop(&self, name: &TableName, is_view: bool, if_exists: bool) -> Result<Done, Fault> {
        let connection = &self.workspace.connection;
        let found = store::find(connection, self.at, name, self.request.session.now)?;
        let operation = match found {
            None if if_exists => "SKIP",
            None => return Err(store::no_table(name)),
            Some(table) if matches!(table.kind, Kind::View { .. }) != is_view => {
                let (is, other) = if is_view {
                    ("table", "DROP TABLE")
                } else {
                    ("view", "DROP VIEW")
                };
                return Err(Fault::new(
                    Reason::InvalidQuery,
                    format!("{name} is a {is}: {other} removes it"),
                ));
            }
            Some(_) => {
                store::remove(connection, self.at, name)?;
                "DROP"
            }
        };
        Ok(Done::Table {
            table: name.clone(),
            operation,
        })
    }
}
