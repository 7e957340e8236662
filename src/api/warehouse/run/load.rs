//! Runs load jobs.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::Transaction;
use serde_json::{Value, json};

use super::{JobContext, record_outcome};
use crate::configuration::LoadWork;
use crate::job_resource::{JobOutcome, error_json};
use warehouse::files::Files;
use warehouse::load::{Failed, Loaded, Progress, Source, load};
use warehouse::store;
use warehouse::{Fault, TableName};

/// Loads files. Bad rows are reported even if the load succeeds.
pub fn run(work: &LoadWork, context: &JobContext<'_>) -> Result<JobOutcome, Fault> {
    let sources = sources(work, context)?;
    let done = load(
        context.store,
        &work.options,
        &sources,
        context.control,
        &Progress::default(),
        |transaction, loaded| {
            if loaded.is_new {
                describe(transaction, &work.options.target.table, work)?;
            }
            record_outcome(transaction, context, &outcome(loaded))
        },
    );
    match done {
        Ok(loaded) => Ok(outcome(&loaded)),
        Err(Failed { fault, bad_rows }) if bad_rows.is_empty() => Err(fault),
        Err(Failed { fault, bad_rows }) => Ok(JobOutcome {
            error_result: Some(error_json(&fault)),
            errors: bad_rows.iter().map(error_json).collect(),
            ..JobOutcome::default()
        }),
    }
}

fn sources(work: &LoadWork, context: &JobContext<'_>) -> Result<Vec<Source>, Fault> {
    if let Some(data) = context.data {
        return Ok(vec![uploaded_source(data)]);
    }
    let files = Files::of(context.store);
    let mut sources = Vec::new();
    for address in &work.addresses {
        let found = files.find(address)?.into_iter();
        sources.extend(found.map(|(address, path)| Source { name: address.to_string(), path }));
    }
    Ok(sources)
}

/// Returns a source for data that was sent with the job. Such data has no file name.
fn uploaded_source(data: &Path) -> Source {
    Source { name: "uploaded data".to_owned(), path: data.to_owned() }
}

/// Sets the description, labels and layout of a new table.
fn describe(transaction: &Transaction<'_>, name: &TableName, work: &LoadWork) -> Result<(), Fault> {
    let found = store::find(transaction, "main", name, Timestamp::now())?;
    let mut table = found.ok_or_else(|| store::no_table(name))?;
    table.facts.description.clone_from(&work.facts.description);
    table.facts.friendly_name.clone_from(&work.facts.friendly_name);
    table.facts.labels.clone_from(&work.facts.labels);
    table.facts.layout.clone_from(&work.facts.layout);
    store::save(transaction, "main", &table)
}

fn outcome(loaded: &Loaded) -> JobOutcome {
    let errors: Vec<Value> = loaded.bad_rows.iter().map(error_json).collect();
    JobOutcome {
        errors,
        statistics: json!({ "load": {
            "inputFiles": loaded.files.to_string(),
            "inputFileBytes": loaded.file_bytes.to_string(),
            "outputRows": loaded.rows.to_string(),
            "outputBytes": loaded.bytes.to_string(),
            "badRecords": loaded.bad.to_string(),
        }}),
        ..JobOutcome::default()
    }
}
