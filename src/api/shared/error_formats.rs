//! Error formats that several APIs use.

use serde_json::json;
use warp::http::StatusCode;
use warp::http::header::{HeaderName, WWW_AUTHENTICATE};

use super::ApiError;
use server::http::Response;

/// Formats an error as `{"error": "<message>"}`.
pub fn plain_error(error: &ApiError, headers: &[HeaderName]) -> Response {
    error.response(&json!({ "error": error.message }), headers)
}

/// Formats an error as `{"error": {code, message, errors, status}}`, where `status` is the RPC
/// status name.
pub fn rpc_error(error: &ApiError, reason: &str, status: &str) -> Response {
    let mut cause = json!({ "domain": "global", "reason": reason, "message": error.message });
    if let Some((kind, name)) = &error.place {
        cause["locationType"] = (*kind).into();
        cause["location"] = name.as_str().into();
    }
    let body = json!({ "error": {
        "code": error.status.as_u16(),
        "message": error.message,
        "errors": [cause],
        "status": status,
    } });
    error.response(&body, &[WWW_AUTHENTICATE])
}

/// Returns the RPC status name for an HTTP status.
pub fn rpc_status(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 | 411 | 413 | 414 | 415 | 416 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        405 | 501 => "UNIMPLEMENTED",
        409 => "ALREADY_EXISTS",
        410 | 412 => "FAILED_PRECONDITION",
        499 => "CANCELLED",
        503 => "UNAVAILABLE",
        _ => "INTERNAL",
    }
}
