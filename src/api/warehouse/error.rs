//! Errors of the warehouse API.

use std::fmt::Display;

use warp::http::StatusCode;

use api_shared::ApiError;
use warehouse::{Fault, Reason};

/// Creates a 400 error for an invalid header.
pub fn bad_header(header: &str, message: impl Display) -> ApiError {
    ApiError {
        place: Some(("header", header.to_owned())),
        ..ApiError::bad(format!("{header}: {message}"))
    }
}

/// Creates a 413 error for a request that is too large.
pub fn too_large(message: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message).with_reason("uploadTooLarge")
}

/// Creates a 403 error for a key that lacks a right.
pub fn denied(message: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, message).with_reason("accessDenied")
}

/// Creates a 412 error for a resource that changed since the client read it.
pub fn changed() -> ApiError {
    let message =
        "the resource was changed since you read it; get it again, then repeat the change";
    ApiError { status: StatusCode::PRECONDITION_FAILED, ..bad_header("If-Match", message) }
        .with_reason("conditionNotMet")
}

/// Converts a fault of the warehouse into an API error.
pub fn api_error(fault: Fault) -> ApiError {
    ApiError {
        place: fault.location.map(|parameter| ("parameter", parameter)),
        ..ApiError::new(status(fault.reason), fault.message).with_reason(fault.reason.as_str())
    }
}

/// Returns the HTTP status for a reason.
fn status(reason: Reason) -> StatusCode {
    match reason {
        Reason::Invalid
        | Reason::InvalidQuery
        | Reason::InUse
        | Reason::Timeout
        | Reason::ResourcesExceeded => StatusCode::BAD_REQUEST,
        Reason::NotFound => StatusCode::NOT_FOUND,
        Reason::Duplicate => StatusCode::CONFLICT,
        Reason::AccessDenied => StatusCode::FORBIDDEN,
        // The caller stopped the job. Clients interpret this status as "cancelled".
        Reason::Stopped => StatusCode::from_u16(499).unwrap_or(StatusCode::BAD_REQUEST),
        Reason::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
