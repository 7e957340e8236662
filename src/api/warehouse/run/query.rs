//! Runs query jobs, and checks statements without running them.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::JobContext;
use crate::configuration::QueryWork;
use crate::job_resource::{JobOutcome, table_json};
use server::App;
use warehouse::engine::{Done, Engine, Request, Summary};
use warehouse::sql::Session;
use warehouse::{Control, Fault, Store, schema};

/// Validates a statement without running it, and returns a summary of the statement.
pub fn dry_run(
    app: &App,
    store: &Store,
    project: &str,
    work: &QueryWork,
) -> Result<Summary, Fault> {
    let moment = app.live.newest();
    let tables = super::tables(app, store, &moment);
    let engine = Engine { store, live: &tables };
    engine.dry_run(&work.text, &session(project, work), &Control::default())
}

pub fn run(work: &QueryWork, context: &JobContext<'_>) -> Result<JobOutcome, Fault> {
    let moment = context.app.live.newest();
    let tables = super::tables(context.app, context.store, &moment);
    let engine = Engine { store: context.store, live: &tables };
    let outcome = engine.run(&Request {
        text: &work.text,
        session: &session(context.project, work),
        target: &work.target,
        job: context.job,
        may_write: context.details.grants.writes_tables,
        control: context.control,
    })?;
    let mut query = statistics(context.project, &outcome.summary);
    let mut destination = None;
    match &outcome.done {
        Done::Rows(table) => {
            let name = &table.name;
            destination = Some((name.dataset.to_string(), name.table.to_string()));
            query["totalRows"] = table.rows.unwrap_or(0).to_string().into();
        }
        Done::Changed { rows, .. } => {
            query["numDmlAffectedRows"] = rows.to_string().into();
            let kind = match outcome.summary.statement {
                "INSERT" => "insertedRowCount",
                "UPDATE" => "updatedRowCount",
                _ => "deletedRowCount",
            };
            query["dmlStats"] = json!({ kind: rows.to_string() });
        }
        Done::Table { table, operation } => {
            query["ddlOperationPerformed"] = (*operation).into();
            query["ddlTargetTable"] = table_json(context.project, table);
        }
        Done::Dataset { dataset, operation } => {
            query["ddlOperationPerformed"] = (*operation).into();
            query["ddlTargetDataset"] =
                json!({ "projectId": context.project, "datasetId": dataset.as_str() });
        }
    }
    Ok(JobOutcome { statistics: job_statistics(query), destination, ..JobOutcome::default() })
}

/// Returns the `statistics` of a query job. `query` contains its query statistics.
pub fn job_statistics(query: Value) -> Value {
    json!({ "totalBytesProcessed": query["totalBytesProcessed"], "query": query })
}

/// Returns the members of `statistics.query` that are known before a statement runs. The number of
/// billed bytes is always 0.
pub fn statistics(project: &str, summary: &Summary) -> Value {
    let tables: Vec<Value> = summary.reads.iter().map(|name| table_json(project, name)).collect();
    json!({
        "statementType": summary.statement,
        "referencedTables": tables,
        "schema": { "fields": schema::to_json(&summary.fields) },
        "cacheHit": false,
        "totalBytesProcessed": "0",
        "totalBytesBilled": "0",
    })
}

fn session(project: &str, work: &QueryWork) -> Session {
    Session {
        project: project.to_owned(),
        dataset: work.dataset.clone(),
        parameters: work.parameters.clone(),
        now: Timestamp::now(),
    }
}
