//! Runs jobs, one file for each kind.

mod copy;
mod extract;
mod load;
mod query;

use jiff::Timestamp;
use rusqlite::Transaction;

use super::configuration::{Configuration, Work};
use super::job_resource::{JobDetails, JobOutcome};
use server::{App, Moment};
use tables::SiteTables;
use warehouse::store::note_applied;
use warehouse::{Control, Fault, Store};

pub use query::{look, of_job, statistics};

/// Everything that a job needs to run.
pub struct JobContext<'a> {
    pub app: &'a App,
    pub store: &'a Store,
    /// The name of the job in its writes: its project and id.
    pub job: &'a str,
    /// The project that its client named.
    pub project: &'a str,
    /// What it was started with.
    pub details: &'a JobDetails,
    /// The file with its data.
    pub data: Option<&'a std::path::Path>,
    pub control: &'a Control,
}

pub fn run(configuration: &Configuration, context: &JobContext<'_>) -> Result<JobOutcome, Fault> {
    match &configuration.work {
        Work::Query(work) => query::run(work, context),
        Work::Load(work) => load::run(work, context),
        Work::Extract(work) => extract::run(work, context),
        Work::Copy(work) => copy::run(work, context),
    }
}

/// The outcome of a job that had finished before a crash. `applied` is the note in its transaction.
pub fn recovered(applied: &str) -> JobOutcome {
    serde_json::from_str(applied).unwrap_or_default()
}

/// Notes the outcome of a job in the transaction of its writes.
fn noted(
    transaction: &Transaction<'_>,
    context: &JobContext<'_>,
    outcome: &JobOutcome,
) -> Result<(), Fault> {
    let outcome = serde_json::to_string(outcome).map_err(Fault::internal)?;
    note_applied(transaction, "main", context.job, &outcome, Timestamp::now())
}

/// The tables of the site at a moment.
pub fn tables<'a>(app: &'a App, store: &'a Store, moment: &'a Moment) -> SiteTables<'a> {
    SiteTables {
        snapshot: &moment.site.snapshot,
        state: &app.state,
        store,
        root: app.live.root(),
        now: Timestamp::now(),
    }
}
