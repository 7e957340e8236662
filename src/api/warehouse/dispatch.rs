//! Which operation a request calls, and what it answers; a job that is waited for included.

use std::sync::Arc;

use tokio::time::{Instant, timeout_at};
use warp::http::Method;

use super::answer::{LONGEST_BODY, Shape, asked, blocking, method, object, plain_body};
use super::call::{Reply, Step, Wait, WarehouseCall};
use super::error::Refusal;
use super::job_resource::Job;
use super::operation::Operation;
use super::{Jobs, below, upload, upstream};
use crate::server::App;
use crate::server::access::bearer;
use crate::server::http::{Request, Response};

/// Answers a request.
pub async fn answer(app: Arc<App>, jobs: Jobs, request: Request) -> Response {
    if let Some(upstream) = upstream::of(&app, bearer(&request)).await {
        return upstream::send(&app, &upstream, request).await;
    }
    let answered = if upload::is_upload(&request.path) {
        upload::answer(app, jobs, request).await
    } else {
        call(app, jobs, request).await
    };
    answered.unwrap_or_else(|refusal| refusal.response())
}

async fn call(app: Arc<App>, jobs: Jobs, request: Request) -> Result<Response, Refusal> {
    let method = method(&request);
    let path = request.decoded_path().unwrap_or_default();
    let (operation, names) = Operation::find(&method, below(&path).unwrap_or_default())?;
    let (mut call, stream) = asked(app, jobs, request, names).await?;
    let shape = Shape::of(&call.parameters)?;
    if let Some(right) = operation.right {
        call.access.need(right)?;
    }
    let bytes = plain_body(&call.headers, stream, LONGEST_BODY).await?;
    let (call, step) = blocking(move || {
        let step = object(&bytes).and_then(|body| {
            call.body = body;
            operation.run.step(&call)
        });
        (call, step)
    })
    .await?;
    let (call, reply) = match step? {
        Step::Reply(reply) => (call, reply),
        Step::Wait(wait) => waited(call, wait).await?,
    };
    Ok(shape.response(&call, method == Method::GET, reply))
}

/// Waits for a job, and makes the answer of it.
async fn waited(mut call: WarehouseCall, wait: Wait) -> Result<(WarehouseCall, Reply), Refusal> {
    let end = Instant::now() + wait.patience;
    let mut ended = call.jobs.ended();
    loop {
        ended.mark_unchanged();
        let (id, then) = (wait.job.clone(), wait.then);
        let is_late = Instant::now() >= end;
        let (asked, reply) = blocking(move || {
            let reply = look(&call, &id, is_late, then);
            (call, reply)
        })
        .await?;
        call = asked;
        if let Some(reply) = reply? {
            return Ok((call, reply));
        }
        let _ = timeout_at(end, ended.changed()).await;
    }
}

/// The answer of a job that has ended, or is waited for no longer.
fn look(
    call: &WarehouseCall,
    id: &str,
    is_late: bool,
    then: fn(&WarehouseCall, &Job) -> Result<Reply, Refusal>,
) -> Result<Option<Reply>, Refusal> {
    let job = call.jobs.get(&call.app, call.project()?.as_str(), id)?;
    if job.is_done() || is_late {
        then(call, &job).map(Some)
    } else {
        Ok(None)
    }
}
