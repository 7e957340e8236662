//! Finds the operation for a request, runs it, waits for its job if necessary, and returns the
//! response.

use crate::error::api_error;
use std::sync::Arc;

use tokio::time::{Instant, timeout_at};
use warp::http::Method;

use super::answer::{MAX_BODY, format_of, object, plain_body, read_call, response};
use super::call::{CallOutcome, JobWait, Reply, WarehouseCall};
use super::job_resource::Job;
use super::operation::Operation;
use super::{Scheduler, strip_base, upload, upstream};
use api_shared::{ApiError, FAILED, blocking, effective_request};
use server::App;
use server::access::bearer;
use server::http::{Request, Response};

pub async fn answer(
    app: Arc<App>,
    jobs: Scheduler,
    request: Request,
) -> Result<Response, ApiError> {
    if let Some(upstream) = upstream::upstream_for(&app, bearer(&request)).await {
        return upstream::send(&app, &upstream, request).await;
    }
    if upload::is_upload(&request.path) {
        return upload::answer(app, jobs, request).await;
    }
    call(app, jobs, request).await
}

async fn call(app: Arc<App>, jobs: Scheduler, request: Request) -> Result<Response, ApiError> {
    let request = effective_request(request).await?;
    let method = request.method.clone();
    let path = request.decoded_path().unwrap_or_default();
    let is_read = matches!(method, Method::GET | Method::HEAD);
    let (operation, names) = Operation::find(&method, strip_base(&path).unwrap_or_default())?;
    let (mut call, stream) = read_call(app, jobs, request, names).await?;
    let shape = format_of(&call.parameters)?;
    if let Some(right) = operation.right {
        call.access.require(right)?;
    }
    let bytes = plain_body(&call.headers, stream, MAX_BODY).await?;
    let (call, step) = blocking(FAILED, move || {
        let step = object(&bytes).and_then(|body| {
            call.body = body;
            operation.run.step(&call)
        });
        (call, step)
    })
    .await?;
    let (call, reply) = match step? {
        CallOutcome::Reply(reply) => (call, reply),
        CallOutcome::JobWait(wait) => wait_for_job(call, wait).await?,
    };
    Ok(response(&shape, &call, is_read, reply))
}

/// Waits for a job and creates the reply from it.
async fn wait_for_job(
    mut call: WarehouseCall,
    wait: JobWait,
) -> Result<(WarehouseCall, Reply), ApiError> {
    let end = Instant::now() + wait.wait_time;
    let mut ended = call.jobs.ended();
    loop {
        ended.mark_unchanged();
        let (id, then) = (wait.job.clone(), wait.then);
        let is_late = Instant::now() >= end;
        let (read_call, reply) = blocking(FAILED, move || {
            let reply = poll_job(&call, &id, is_late, then);
            (call, reply)
        })
        .await?;
        call = read_call;
        if let Some(reply) = reply? {
            return Ok((call, reply));
        }
        let _ = timeout_at(end, ended.changed()).await;
    }
}

/// Returns the reply for a job that has ended. If `is_late` is true, also returns a reply for an
/// unfinished job. Returns None to continue waiting.
fn poll_job(
    call: &WarehouseCall,
    id: &str,
    is_late: bool,
    then: fn(&WarehouseCall, &Job) -> Result<Reply, ApiError>,
) -> Result<Option<Reply>, ApiError> {
    let job = call.jobs.get(&call.app, call.project()?.as_str(), id).map_err(api_error)?;
    if job.is_done() || is_late { then(call, &job).map(Some) } else { Ok(None) }
}
