//! Errors of the warehouse API.

use std::fmt::Display;

use warp::http::StatusCode;

use api_shared::ApiError;
use warehouse::{Fault, Reason};

/// 400: a header is not valid.
pub fn bad_header(header: &str, message: impl Display) -> ApiError {
    ApiError {
        place: Some(("header", header.to_owned())),
        ..ApiError::bad(format!("{header}: {message}"))
    }
}

/// 413: it is longer than it may be.
pub fn too_large(message: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message).because("uploadTooLarge")
}

/// 403: the key may not do this.
pub fn denied(message: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, message).because("accessDenied")
}

/// 412: the resource is not in the state that the client has seen.
pub fn changed() -> ApiError {
    let message = "this was changed meanwhile; get it again, and change that";
    ApiError { status: StatusCode::PRECONDITION_FAILED, ..bad_header("If-Match", message) }
        .because("conditionNotMet")
}

/// The error that clients get for a fault of the warehouse.
pub fn answered(fault: Fault) -> ApiError {
    ApiError {
        place: fault.location.map(|parameter| ("parameter", parameter)),
        ..ApiError::new(status(fault.reason), fault.message).because(fault.reason.as_str())
    }
}

/// The status that goes with a reason.
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
        // The caller stopped the job. Clients know this as "cancelled".
        Reason::Stopped => StatusCode::from_u16(499).unwrap_or(StatusCode::BAD_REQUEST),
        Reason::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
