//! Uploads of data for a job: together with the job's configuration in [one request](related), or
//! [in pieces](resumable). Arriving data is written to the spool folder. The job starts when all
//! data has arrived.

mod boundary;
mod multipart;
mod range;
mod related;
mod resumable;
mod session;
mod spool;

use crate::error::api_error;
use std::sync::Arc;

use serde_json::Value;
use warp::http::Method;

use super::Scheduler;
use super::answer::{format_of, read_call, response};
use super::call::WarehouseCall;
use super::configuration::{Configuration, Origin};
use super::strip_base;
use crate::error;
use api_shared::{ApiError, PathNames, effective_method};
use server::App;
use server::http::{Request, Response};

/// The prefixes of upload paths, before the API's base path.
const UPLOAD_PREFIXES: [&str; 2] = ["/upload", "/resumable/upload"];

/// Maximum size of a configuration, in bytes: 1 MiB.
const MAX_CONFIGURATION: usize = 1024 * 1024;

/// Returns whether a path accepts uploads.
pub fn is_upload(path: &str) -> bool {
    rest(path).is_some()
}

fn rest(path: &str) -> Option<&str> {
    let mut rests =
        UPLOAD_PREFIXES.iter().filter_map(|before| strip_base(path.strip_prefix(before)?));
    rests.next()
}

/// Answers a request for an upload path.
pub async fn answer(
    app: Arc<App>,
    jobs: Scheduler,
    request: Request,
) -> Result<Response, ApiError> {
    let path = request.decoded_path().unwrap_or_default();
    let parts: Vec<&str> = rest(&path).unwrap_or_default().split('/').collect();
    let ["projects", project, "jobs"] = parts[..] else {
        return Err(ApiError::not_found("path not found in the warehouse API"));
    };
    let method = effective_method(&request);
    let names = PathNames(vec![("project", project.to_owned())]);
    let own_path = request.path.clone();
    let (call, body) = read_call(app, jobs, request, names).await?;
    let shape = format_of(&call.parameters)?;
    match (upload_step(&call)?, method) {
        (UploadStep::Related, Method::POST) => {
            let (call, reply) = related::take(call, body).await?;
            Ok(response(&shape, &call, false, reply))
        }
        (UploadStep::Begin, Method::POST) => resumable::begin(call, body, &own_path).await,
        (UploadStep::Piece(id), Method::PUT | Method::POST) => {
            resumable::take(call, body, &id).await
        }
        (UploadStep::Piece(id), Method::DELETE) => resumable::cancel(call, &id).await,
        (UploadStep::Piece(_), _) => Err(ApiError::method_not_allowed("PUT, DELETE")),
        (UploadStep::Related | UploadStep::Begin, _) => Err(ApiError::method_not_allowed("POST")),
    }
}

/// The step of an upload that a request performs.
enum UploadStep {
    /// The request contains a configuration and its data.
    Related,
    /// The request contains a configuration. The data follows in pieces.
    Begin,
    /// The request contains a piece of the upload with this id.
    Piece(String),
}

fn upload_step(call: &WarehouseCall) -> Result<UploadStep, ApiError> {
    if let Some(id) = call.parameters.text("upload_id") {
        return Ok(UploadStep::Piece(id.to_owned()));
    }
    match call.parameters.text("uploadType") {
        // Clients that support only multipart uploads may omit `uploadType`.
        None | Some("multipart") => Ok(UploadStep::Related),
        Some("resumable") => Ok(UploadStep::Begin),
        Some(other) => Err(ApiError::invalid(
            "uploadType",
            format!(
                "must be multipart or resumable, not {other:?}: a job requires a configuration and data"
            ),
        )),
    }
}

/// Rejects an invalid or forbidden job before its data arrives.
fn check(call: &WarehouseCall, job: &Value) -> Result<(), ApiError> {
    let project = call.project()?;
    let origin = Origin {
        project: project.as_str(),
        job: job["jobReference"]["jobId"].as_str().unwrap_or_default(),
        has_data: true,
    };
    let configuration = Configuration::read(&job["configuration"], origin).map_err(api_error)?;
    configuration.work.check(call.access.grants()).map_err(api_error)?;
    Ok(())
}

/// Returns the error for a configuration that is too long.
fn configuration_too_long() -> ApiError {
    error::too_large(format!("the configuration must be at most {MAX_CONFIGURATION} bytes"))
}
