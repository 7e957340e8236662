//! Runs export jobs.

use serde_json::json;

use super::JobContext;
use crate::configuration::ExtractWork;
use crate::job_resource::JobOutcome;
use warehouse::engine::{Done, Engine, Request};
use warehouse::export::export_table;
use warehouse::sql::{Parameters, Session};
use warehouse::store::{Disposition, Kind, Target};
use warehouse::{DatasetId, Fault, TableName};

/// Exports a table. For a view or a table of the site, the rows are first stored in a hidden table.
pub fn run(work: &ExtractWork, context: &JobContext<'_>) -> Result<JobOutcome, Fault> {
    let stored = context.store.table(&work.table)?;
    let is_stored = stored.is_some_and(|table| matches!(table.kind, Kind::Stored { .. }));
    let exported = if is_stored {
        export_table(context.store, &work.table, &work.options, context.control)?
    } else {
        let dataset = DatasetId::of_job(context.job);
        let exported = TableName::parse(dataset.as_str(), "result").and_then(|into| {
            let rows = query(&work.table, into, context)?;
            export_table(context.store, &rows, &work.options, context.control)
        });
        let _ = context.store.remove_dataset(&dataset, true);
        exported?
    };
    Ok(JobOutcome {
        statistics: json!({ "extract": {
            "destinationUriFileCounts": [exported.files.to_string()],
            "inputBytes": exported.bytes.to_string(),
        }}),
        ..JobOutcome::default()
    })
}

/// Stores the rows of a view, or of a table of the site, in a hidden table.
pub fn query(
    table: &TableName,
    into: TableName,
    context: &JobContext<'_>,
) -> Result<TableName, Fault> {
    let moment = context.app.live.newest();
    let tables = super::tables(context.app, context.store, &moment);
    let engine = Engine { store: context.store, live: &tables };
    let session = Session {
        project: context.project.to_owned(),
        dataset: None,
        parameters: Parameters::None,
        now: jiff::Timestamp::now(),
    };
    let outcome = engine.run(&Request {
        text: &format!("SELECT * FROM `{}.{}`", table.dataset, table.table),
        session: &session,
        target: &Target::new(into, Disposition::Truncate),
        job: context.job,
        may_write: false,
        control: context.control,
    })?;
    match outcome.done {
        Done::Rows(rows) => Ok(rows.name),
        _ => Err(Fault::internal("a query returned no rows")),
    }
}
