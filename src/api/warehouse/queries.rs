//! Queries in a single call. The call starts a statement, waits for it, and returns its first rows.
//! Clients read further rows in pages.

use crate::error::api_error;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_128;

use super::access::Right;
use super::call::{CallOutcome, JobWait, Reply, WarehouseCall};
use super::configuration::TypedFields;
use super::job_resource::Job;
use super::jobs;
use super::row_format::InstantFormat;
use super::table_pages::{self, RowsRequest};
use super::tabledata::all_columns;
use api_shared::ApiError;
use warehouse::store::Start;
use warehouse::{Fault, Reason};

/// Default and maximum time that a call waits for its query.
const DEFAULT_WAIT: Duration = Duration::from_secs(10);
const MAX_WAIT: Duration = Duration::from_secs(200);
/// Maximum age of a job that is returned for a repeated request.
const RETRY_WINDOW: SignedDuration = SignedDuration::from_mins(15);

/// Implements `jobs.query`.
pub fn query(call: &WarehouseCall) -> Result<CallOutcome, ApiError> {
    let body = Value::Object(call.body.clone());
    let fields = TypedFields::of(&body, "query").map_err(api_error)?;
    fields
        .check_unused(&["location", "requestId", "jobCreationMode"], &["maxResults"], &[])
        .map_err(api_error)?;
    let wait_time = wait_time(fields.integer("timeoutMs").map_err(api_error)?);
    // An invalid request for rows is reported before a job is started.
    rows_request(call)?;
    let job = begin(call, &body)?;
    if job.is_done() {
        first_rows(call, &job).map(CallOutcome::from)
    } else {
        Ok(CallOutcome::JobWait(JobWait { job: job.record.id, wait_time, then: first_rows }))
    }
}

/// Implements `jobs.getQueryResults`.
pub fn results(call: &WarehouseCall) -> Result<CallOutcome, ApiError> {
    let job = jobs::find_job(call, Right::SeeJobs)?;
    RowsRequest::parse(&call.parameters)?;
    Ok(CallOutcome::JobWait(JobWait {
        job: job.record.id,
        wait_time: wait_time(call.parameters.number("timeoutMs")?),
        then: rows,
    }))
}

fn wait_time(ms: Option<i64>) -> Duration {
    let wanted = ms.and_then(|ms| u64::try_from(ms).ok());
    wanted.map_or(DEFAULT_WAIT, Duration::from_millis).min(MAX_WAIT)
}

/// Members of a request that affect only the call, not the statement.
const CALL_FIELDS: [&str; 9] = [
    "kind", "maxResults", "timeoutMs", "formatOptions", "requestId", "location", "jobCreationMode",
    "queryResultsFormat", "arrowSerializationOptions",
];
/// Members of a request that affect the job.
const JOB_FIELDS: [&str; 3] = ["labels", "dryRun", "jobTimeoutMs"];

/// Starts the job of a request.
fn begin(call: &WarehouseCall, body: &Value) -> Result<Job, ApiError> {
    if body["queryResultsFormat"].as_str().is_some_and(|format| format == "ARROW") {
        let message = "ARROW is not supported: remove it to get JSON";
        return Err(ApiError::invalid("queryResultsFormat", message));
    }
    let (mut configuration, mut statement) = (Map::new(), Map::new());
    for (name, value) in &call.body {
        match name.as_str() {
            name if CALL_FIELDS.contains(&name) => {}
            name if JOB_FIELDS.contains(&name) => {
                drop(configuration.insert(name.into(), value.clone()))
            }
            name => drop(statement.insert(name.into(), value.clone())),
        }
    }
    configuration.insert("query".into(), statement.into());
    let mut job = json!({ "jobReference": {}, "configuration": configuration });
    if let Some(location) = body["location"].as_str() {
        job["jobReference"]["location"] = location.into();
    }
    match body["requestId"].as_str().filter(|id| !id.is_empty()) {
        None => jobs::begin(call, &job, None),
        Some(request) => begin_once(call, job, request),
    }
}

/// Starts the job of a request only once, even if the client repeats the request because it
/// received no answer.
fn begin_once(call: &WarehouseCall, mut job: Value, request: &str) -> Result<Job, ApiError> {
    let project = call.project()?;
    let name = format!("{}\0{project}\0{request}", call.key.id);
    let id = format!("job_{:032x}", xxh3_128(name.as_bytes()));
    if let Ok(known) = call.jobs.get(&call.app, project.as_str(), &id) {
        let record = &known.record;
        let own = job["configuration"].to_string();
        let is_same = record.configuration == own;
        let is_recent = Timestamp::now().duration_since(record.created) < RETRY_WINDOW;
        if is_same && is_recent {
            return Ok(known);
        }
    } else {
        job["jobReference"]["jobId"] = id.as_str().into();
    }
    jobs::begin(call, &job, None)
}

/// Parses the request for a query's first rows.
fn rows_request(call: &WarehouseCall) -> Result<RowsRequest, ApiError> {
    let body = Value::Object(call.body.clone());
    let most = TypedFields::of(&body, "query")
        .map_err(api_error)?
        .integer("maxResults")
        .map_err(api_error)?;
    let most = most.and_then(|most| usize::try_from(most).ok());
    let instants = InstantFormat::of_json(&body["formatOptions"])?;
    Ok(RowsRequest::new(Start::Row(0), most, instants))
}

fn first_rows(call: &WarehouseCall, job: &Job) -> Result<Reply, ApiError> {
    answer(call, job, "warehouse#queryResponse", &rows_request(call)?)
}

fn rows(call: &WarehouseCall, job: &Job) -> Result<Reply, ApiError> {
    let ask = RowsRequest::parse(&call.parameters)?;
    answer(call, job, "warehouse#getQueryResultsResponse", &ask)
}

/// Returns the summary of a query and some of its rows. Returns an error if the query failed.
fn answer(
    call: &WarehouseCall,
    job: &Job,
    kind: &str,
    ask: &RowsRequest,
) -> Result<Reply, ApiError> {
    if let Some(fault) = job.fault() {
        return Err(api_error(fault));
    }
    let mut answer = json!({
        "kind": kind,
        "jobReference": job.reference(),
        "location": job.details.location,
        "jobComplete": job.is_done(),
    });
    if !job.is_done() {
        return Ok(Reply::json(answer));
    }
    let statistics = job.statistics();
    let query = &statistics["query"];
    if query.is_null() {
        return Err(api_error(Fault::new(
            Reason::Invalid,
            "this job is not a query and has no rows",
        )));
    }
    // Clients recognize a statement that returns no rows by its missing schema.
    if query["schema"]["fields"].as_array().is_some_and(|fields| !fields.is_empty()) {
        answer["schema"] = query["schema"].clone();
        answer["totalRows"] = "0".into();
    }
    for name in ["totalBytesProcessed", "cacheHit", "numDmlAffectedRows", "dmlStats"] {
        if let Some(value) = query.get(name) {
            answer[name] = value.clone();
        }
    }
    if !job.outcome.errors.is_empty() {
        answer["errors"] = job.outcome.errors.clone().into();
    }
    for name in ["creationTime", "startTime", "endTime"] {
        if let Some(time) = statistics.get(name) {
            answer[name] = time.clone();
        }
    }
    if let Some(name) = job.destination() {
        let table = call.ask(|tables| tables.table(&name))?;
        let found = table_pages::page(call, &table, &all_columns(&table.fields), ask)?;
        answer["totalRows"] = found.total.to_string().into();
        answer["rows"] = found.rows.into();
        if let Some(next) = found.next {
            answer["pageToken"] = next.into();
        }
    }
    Ok(Reply::list(answer))
}
