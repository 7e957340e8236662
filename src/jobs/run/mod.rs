//! Jobs, run: one file a kind.

mod query;

use serde_json::Value;

use super::configuration::{Configuration, Work};
use super::job::{Details, Outcome};
use crate::server::App;
use crate::warehouse::{Control, Fault, Store};

pub use query::{look, statistics};

/// What a job is run with.
pub struct Context<'a> {
    /// The site.
    pub app: &'a App,
    /// Its warehouse.
    pub store: &'a Store,
    /// What the job is called in what it writes: its project and id.
    pub job: &'a str,
    /// The project that its client named.
    pub project: &'a str,
    /// What else it was started with.
    pub details: &'a Details,
    /// The file with its data.
    pub data: Option<&'a std::path::Path>,
    /// What ends it.
    pub control: &'a Control,
}

/// Runs a job.
pub fn run(configuration: &Configuration, context: &Context<'_>) -> Result<Outcome, Fault> {
    match &configuration.work {
        Work::Query(work) => query::run(work, context),
    }
}

/// What is told of a job that was found to have happened, after a crash: `applied` is what its transaction
/// noted.
pub fn recovered(applied: &str) -> Outcome {
    let statistics = serde_json::from_str::<Value>(applied).unwrap_or_default();
    Outcome {
        statistics: statistics["statistics"].clone(),
        ..Outcome::default()
    }
}

fn tables(_app: &App) -> crate::warehouse::engine::NoTables {
    crate::warehouse::engine::NoTables
}
