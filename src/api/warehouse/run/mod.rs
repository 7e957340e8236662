//! Runs jobs. Each kind of job has a separate file.

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

pub use query::{dry_run, job_statistics, statistics};

/// Everything that a job needs to run.
pub struct JobContext<'a> {
    pub app: &'a App,
    pub store: &'a Store,
    /// The name that identifies the job in datasets: its project, id and creation time.
    pub job: &'a str,
    /// The project that the client specified.
    pub project: &'a str,
    /// The data with which the job was started.
    pub details: &'a JobDetails,
    /// The file with the job's uploaded data.
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

/// Returns the outcome of a job that finished before a crash. `applied` is the outcome recorded in
/// the job's transaction.
pub fn recovered_outcome(applied: &str) -> JobOutcome {
    serde_json::from_str(applied).unwrap_or_default()
}

/// Records the outcome of a job in the same transaction as its changes.
fn record_outcome(
    transaction: &Transaction<'_>,
    context: &JobContext<'_>,
    outcome: &JobOutcome,
) -> Result<(), Fault> {
    let outcome = serde_json::to_string(outcome).map_err(Fault::internal)?;
    note_applied(transaction, "main", context.job, &outcome, Timestamp::now())
}

/// Returns the tables of the site at a given moment.
pub fn tables<'a>(app: &'a App, store: &'a Store, moment: &'a Moment) -> SiteTables<'a> {
    SiteTables {
        snapshot: &moment.site.snapshot,
        state: &app.state,
        store,
        root: app.live.root(),
        now: Timestamp::now(),
    }
}
