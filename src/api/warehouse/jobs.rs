//! Operations on jobs: start, get, list, cancel, delete.

use crate::error::api_error;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::access::Right;
use super::call::{Reply, WarehouseCall};
use super::job_resource::Job;
use super::paging::{open_token, set_next, token};
use super::scheduler::{JobRequest, SpooledFile};
use api_shared::ApiError;
use state::{JobQuery, JobState};
use warehouse::Fault;

/// Maximum (`MAX_PAGE_SIZE`) and default (`DEFAULT_PAGE_SIZE`) number of jobs on a page.
const MAX_PAGE_SIZE: usize = 1000;
const DEFAULT_PAGE_SIZE: usize = 50;

/// Implements `jobs.insert`.
pub fn insert(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let job = start(call, &Value::Object(call.body.clone()), None)?;
    Ok(Reply::json(resource(call, &job)))
}

/// Starts a job from a client, with its uploaded data. Returns an error if the key may not start
/// jobs.
pub fn start(
    call: &WarehouseCall,
    job: &Value,
    data: Option<SpooledFile>,
) -> Result<Job, ApiError> {
    call.access.require_start()?;
    begin(call, job, data)
}

/// Starts a job without checking the key's rights.
pub fn begin(
    call: &WarehouseCall,
    job: &Value,
    data: Option<SpooledFile>,
) -> Result<Job, ApiError> {
    let project = call.project()?;
    let own = job["jobReference"]["projectId"].as_str();
    if own.is_some_and(|own| own != project.as_str()) {
        let message = format!("must be the project in the URL, {project}");
        return Err(ApiError::invalid("jobReference.projectId", message));
    }
    let start = JobRequest {
        project: project.as_str(),
        job,
        data,
        owner: &call.key.id,
        grants: call.access.grants(),
    };
    call.jobs.start(&call.app, start).map_err(api_error)
}

/// Returns the resource of a job.
pub fn resource(call: &WarehouseCall, job: &Job) -> Value {
    let mut resource = job.resource();
    let record = &job.record;
    let path = format!("projects/{}/jobs/{}", record.project, record.id);
    resource["selfLink"] = call.address(&path).into();
    resource
}

/// Returns the job in the path. If another key started the job, the key of the call needs `right`.
pub fn find_job(call: &WarehouseCall, right: Right) -> Result<Job, ApiError> {
    let project = call.project()?;
    let job =
        call.jobs.get(&call.app, project.as_str(), call.names.get("job")).map_err(api_error)?;
    if job.record.owner != call.key.id {
        call.access.require(right)?;
    }
    Ok(job)
}

/// Implements `jobs.get`.
pub fn get(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let job = find_job(call, Right::SeeJobs)?;
    Ok(Reply::json(resource(call, &job)))
}

/// Implements `jobs.cancel`.
pub fn cancel(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let job = find_job(call, Right::EndJobs)?;
    let record = &job.record;
    let job = call.jobs.cancel(&call.app, &record.project, &record.id).map_err(api_error)?;
    Ok(Reply::json(json!({
        "kind": "warehouse#jobCancelResponse",
        "job": resource(call, &job),
    })))
}

/// Implements `jobs.delete`: deletes a job that has ended, and the rows of its result.
pub fn delete(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let job = find_job(call, Right::EndJobs)?;
    let record = &job.record;
    let state = &call.app.state;
    if !state.remove_job(&record.project, &record.id).map_err(ApiError::failed)? {
        return Err(ApiError::bad("the job has not finished: cancel it first"));
    }
    if let Some(table) = job.destination().filter(|table| table.dataset.is_hidden()) {
        let _ = call.store()?.remove_dataset(&table.dataset, true);
    }
    Ok(Reply::no_content())
}

/// Implements `jobs.list`: lists the key's jobs, newest first, or with `allUsers` the jobs of all
/// keys.
pub fn list(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let parameters = &call.parameters;
    let most: Option<usize> = parameters.number("maxResults")?;
    let most = most.filter(|most| *most > 0).unwrap_or(DEFAULT_PAGE_SIZE).min(MAX_PAGE_SIZE);
    let of_all = parameters.flag("allUsers")?;
    if of_all {
        call.access.require(Right::SeeJobs)?;
    }
    let query = JobQuery {
        project: call.project()?.as_str().to_owned(),
        owner: (!of_all).then(|| call.key.id.clone()),
        states: states(call)?,
        from: time(call, "minCreationTime")?,
        to: time(call, "maxCreationTime")?,
        before: parameters.text("pageToken").map(number).transpose()?,
        most: most + 1,
    };
    // No job has a parent job, so the list is empty.
    let found = match parameters.text("parentJobId") {
        Some(_) => Vec::new(),
        None => call.app.state.jobs(&query).map_err(ApiError::failed)?,
    };
    let has_more = found.len() > most;
    let page: Vec<Job> = found
        .into_iter()
        .take(most)
        .map(Job::read)
        .collect::<Result<_, Fault>>()
        .map_err(api_error)?;
    let next = page.last().filter(|_| has_more);
    let next = next.map(|job| token(&job.record.number.to_string()));
    let is_full =
        parameters.text("projection").is_some_and(|text| text.eq_ignore_ascii_case("full"));
    let entries: Vec<Value> = page.iter().map(|job| entry(call, job, is_full)).collect();
    let mut list = json!({ "kind": "warehouse#jobList", "jobs": entries });
    set_next(&mut list, next);
    Ok(Reply::list(list))
}

/// Returns a job as an entry in a list.
fn entry(call: &WarehouseCall, job: &Job, is_full: bool) -> Value {
    let mut entry = resource(call, job);
    entry["state"] = job.record.state.as_str().into();
    if let Some(error) = &job.outcome.error_result {
        entry["errorResult"] = error.clone();
    }
    let left_out: &[&str] =
        if is_full { &["etag", "selfLink"] } else { &["etag", "selfLink", "configuration"] };
    if let Some(members) = entry.as_object_mut() {
        left_out.iter().for_each(|name| drop(members.remove(*name)));
    }
    entry
}

fn states(call: &WarehouseCall) -> Result<Vec<JobState>, ApiError> {
    let texts = call.parameters.all("stateFilter");
    texts
        .flat_map(|text| text.split(','))
        .map(|text| {
            let message = format!("must be pending, running or done, not {text:?}");
            JobState::parse(text).ok_or_else(|| ApiError::invalid("stateFilter", message))
        })
        .collect()
}

fn time(call: &WarehouseCall, name: &str) -> Result<Option<Timestamp>, ApiError> {
    let ms: Option<i64> = call.parameters.number(name)?;
    ms.map(|ms| {
        Timestamp::from_millisecond(ms)
            .map_err(|_| ApiError::invalid(name, "must be a time in Unix milliseconds"))
    })
    .transpose()
}

fn number(text: &str) -> Result<i64, ApiError> {
    let number = open_token(text)?.parse().ok();
    number
        .ok_or_else(|| ApiError::invalid("pageToken", "invalid page token: start again without it"))
}
