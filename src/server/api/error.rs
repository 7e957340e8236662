//! Why the API did not do what it was asked.

use std::fmt;

use warp::http::StatusCode;

use crate::model::Diagnostic;
use crate::server::access::Refused;
use crate::server::http::BodyError;

/// An error with its status and the message for the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    /// The status.
    pub status: StatusCode,
    /// What is wrong, naming the field at fault.
    pub message: String,
}

impl ApiError {
    /// An error.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
        }
    }

    /// 400: the request says something that cannot be.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// 404: there is nothing of this name.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// 409: something else is in the way.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// 500: the disk or the state database failed.
    pub fn failed(error: impl fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> Self {
        Self::new(error.status(), error.to_string())
    }
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        let message = refused.to_string();
        match refused {
            Refused::NoKey | Refused::NotValid => Self::new(StatusCode::UNAUTHORIZED, message),
            Refused::TooOften => Self::new(StatusCode::TOO_MANY_REQUESTS, message),
            Refused::Failed(_) => Self::failed(message),
        }
    }
}

/// What its author has to mend in a content file before it can be changed, or is writing just now.
impl From<Diagnostic> for ApiError {
    fn from(found: Diagnostic) -> Self {
        let place = match (&found.file, found.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            (None, _) => String::new(),
        };
        Self::conflict(format!("{place}{}", found.message))
    }
}
