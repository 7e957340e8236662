//! Runs copy jobs.

use serde_json::json;

use super::extract::query;
use super::{JobContext, record_outcome};
use crate::configuration::CopyWork;
use crate::job_resource::JobOutcome;
use warehouse::copy::{CopySummary, copy};
use warehouse::{DatasetId, Fault, TableName};

/// Copies tables. If a source is a table of the site, its rows are first stored in a hidden table.
pub fn run(work: &CopyWork, context: &JobContext<'_>) -> Result<JobOutcome, Fault> {
    let copied = sources(work, context).and_then(|sources| {
        copy(context.store, &sources, &work.target, context.control, |transaction, copied| {
            record_outcome(transaction, context, &outcome(*copied))
        })
    });
    for at in 0..work.sources.len() {
        let _ = context.store.remove_dataset(&hidden_dataset(context, at), true);
    }
    copied.map(outcome)
}

/// Returns the tables to copy. A table of the site is replaced by a hidden table with its current
/// rows.
fn sources(work: &CopyWork, context: &JobContext<'_>) -> Result<Vec<TableName>, Fault> {
    let stored = |(at, source): (usize, &TableName)| {
        if source.dataset == DatasetId::site() {
            let into = TableName::parse(hidden_dataset(context, at).as_str(), "result")?;
            query(source, into, context)
        } else {
            Ok(source.clone())
        }
    };
    work.sources.iter().enumerate().map(stored).collect()
}

/// Returns the hidden dataset for the rows of one source.
fn hidden_dataset(context: &JobContext<'_>, at: usize) -> DatasetId {
    DatasetId::of_job(&format!("{}:{at}", context.job))
}

fn outcome(copied: CopySummary) -> JobOutcome {
    JobOutcome {
        statistics: json!({ "copy": { "copiedRows": copied.rows.to_string() } }),
        ..JobOutcome::default()
    }
}
