//! Runs a statement, from its text to its outcome.

use jiff::Timestamp;
use serde_json::json;

use super::explain::explain;
use super::names::NamedTables;
use super::outcome::{Done, Outcome, Summary};
use super::workspace::Workspace;
use super::writing::StatementWriter;
use super::{Engine, Request};
use crate::control::Control;
use crate::error::{Fault, Reason};
use crate::name::DatasetId;
use crate::sql::{self, Plan, Session, Statement};
use crate::store::{self, Facts, Target, note_applied, quoted};

impl Engine<'_> {
    /// Summarizes what a statement would do, without running it.
    pub fn dry_run(
        &self,
        text: &str,
        session: &Session,
        control: &Control,
    ) -> Result<Summary, Fault> {
        let workspace = Workspace::open(self.store, control)?;
        let names = NamedTables::new(&workspace, *self, session.now);
        Ok(summary(&sql::bind(text, session, &names)?))
    }

    /// Runs a statement. Either all its changes are written, or none.
    pub fn run(&self, request: &Request<'_>) -> Result<Outcome, Fault> {
        let first = self.plan(request)?;
        let summary = summary(&first);
        if summary.writes && !request.may_write {
            return Err(Fault::new(
                Reason::AccessDenied,
                format!("permission denied: this key can only read, not run {}", summary.statement),
            ));
        }
        let done = match &first.statement {
            Statement::CreateSchema { dataset, if_not_exists } => {
                self.create_schema(dataset, *if_not_exists)?
            }
            Statement::DropSchema { dataset, if_exists, cascade } => {
                self.drop_schema(dataset, *if_exists, *cascade)?
            }
            statement => {
                let dataset = written_dataset(statement, request.target).clone();
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

    /// Runs a statement that writes to a single dataset.
    fn write(&self, request: &Request<'_>, dataset: &DatasetId) -> Result<Done, Fault> {
        let now = request.session.now;
        if dataset.is_hidden() {
            self.store.create_result(dataset)?;
        } else {
            check_writable(dataset)?;
        }
        let _lock = self.store.lock(dataset, request.control)?;
        let workspace = Workspace::open(self.store, request.control)?;
        let at = workspace.attach(dataset)?.ok_or_else(|| store::no_dataset(dataset))?;
        let connection = &workspace.connection;
        let failed = |error: rusqlite::Error| explain(&error, request.control);
        if dataset.is_hidden() {
            // The dataset is deleted if the statement fails, so the journal does not need to
            // survive a crash.
            connection
                .pragma_update_and_check(Some(&at), "journal_mode", "memory", |_| Ok(()))
                .map_err(failed)?;
            connection.pragma_update(Some(&at), "synchronous", "off").map_err(failed)?;
            connection
                .pragma_update_and_check(Some(&at), "max_page_count", MAX_PAGES, |_| Ok(()))
                .map_err(failed)?;
        }
        connection.execute_batch("BEGIN").map_err(failed)?;
        // Starts the transaction with a write. A transaction that starts with a read cannot write
        // later if another process has written in the meantime.
        let sql = format!("UPDATE {}.dataset SET facts = facts", quoted(&at));
        connection.execute(&sql, []).map_err(failed)?;
        // Binds the statement again, because the tables can have changed since the first plan.
        let names = NamedTables::new(&workspace, *self, now);
        let plan = sql::bind(request.text, request.session, &names)?;
        if written_dataset(&plan.statement, request.target) != dataset {
            return Err(Fault::new(
                Reason::Internal,
                "the tables of the statement changed while it was starting: run it again",
            ));
        }
        names.fill(&plan, request.control)?;
        let writing =
            StatementWriter { workspace: &workspace, names: &names, at: &at, dataset, request };
        let done = writing.execute(&plan)?;
        let outcome =
            json!({ "statistics": { "query": { "numDmlAffectedRows": rows(&done).to_string() } } })
                .to_string();
        note_applied(connection, &at, request.job, &outcome, Timestamp::now())?;
        connection.execute_batch("COMMIT").map_err(failed)?;
        Ok(done)
    }

    fn create_schema(&self, dataset: &DatasetId, if_not_exists: bool) -> Result<Done, Fault> {
        check_writable(dataset)?;
        let made = self.store.create_dataset(dataset, &Facts::new(Timestamp::now()));
        let operation = match made {
            Err(fault) if if_not_exists && fault.reason == Reason::Duplicate => "SKIP",
            Err(fault) => return Err(fault),
            Ok(()) => "CREATE",
        };
        Ok(Done::Dataset { dataset: dataset.clone(), operation })
    }

    fn drop_schema(
        &self,
        dataset: &DatasetId,
        if_exists: bool,
        cascade: bool,
    ) -> Result<Done, Fault> {
        check_writable(dataset)?;
        let operation = match self.store.remove_dataset(dataset, cascade) {
            Err(fault) if if_exists && fault.reason == Reason::NotFound => "SKIP",
            Err(fault) => return Err(fault),
            Ok(()) => "DROP",
        };
        Ok(Done::Dataset { dataset: dataset.clone(), operation })
    }
}

/// Maximum size of a query result, in SQLite pages of 4 KiB: 8 GiB.
const MAX_PAGES: u32 = 2 * 1024 * 1024;

/// Returns an error for a dataset that users cannot write to: a hidden dataset or `site`. Ignores
/// the case of `site`, because some file systems ignore the case of file names.
pub fn check_writable(dataset: &DatasetId) -> Result<(), Fault> {
    if dataset.is_hidden() || dataset.as_str().eq_ignore_ascii_case(DatasetId::SITE) {
        Err(Fault::new(
            Reason::AccessDenied,
            format!("the dataset {dataset} is read-only: write to another dataset"),
        ))
    } else {
        Ok(())
    }
}

/// Returns the dataset that a statement writes to.
fn written_dataset<'p>(statement: &'p Statement, target: &'p Target) -> &'p DatasetId {
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
