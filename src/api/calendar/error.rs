//! Errors of the calendar API in the format that its clients expect.

use std::fmt::Display;

use warp::http::StatusCode;

use api_shared::{ApiError, rpc_error, rpc_status};
use server::http::Response;

/// Returns a 410: the client's token is too old, so the client must list everything again.
pub fn full_sync(message: impl Display) -> ApiError {
    let message = format!("{message}; request the full list again without syncToken");
    ApiError {
        place: Some(("parameter", "syncToken".to_owned())),
        ..ApiError::new(StatusCode::GONE, message).with_reason("fullSyncRequired")
    }
}

/// Formats an error for clients.
pub fn response(error: &ApiError) -> Response {
    match error.status.as_u16() {
        413 | 500.. => rpc_error(error, "backendError", "INTERNAL"),
        _ => rpc_error(error, error.reason, rpc_status(error.status)),
    }
}
