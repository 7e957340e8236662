//! Data that come with a job.

use std::sync::Arc;

use super::below;
use super::error::Refusal;
use crate::server::App;
use crate::server::http::{Request, Response};

/// Where uploads lie, before the API's own path.
const BEFORE: [&str; 2] = ["/upload", "/resumable/upload"];

/// Whether a path takes data.
pub fn is_upload(path: &str) -> bool {
    rest(path).is_some()
}

fn rest(path: &str) -> Option<&str> {
    BEFORE
        .iter()
        .find_map(|before| below(path.strip_prefix(before)?))
}

/// Answers a request for a path that takes data.
pub async fn answer(_app: Arc<App>, _request: Request) -> Result<Response, Refusal> {
    Err(Refusal::not_found(
        "there is no such path in the warehouse API",
    ))
}
