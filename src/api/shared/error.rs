//! Why an API call failed.

use std::fmt;
use std::io;

use warp::http::StatusCode;

use crate::model::Diagnostic;
use crate::server::access::Refused;
use crate::server::http::BodyError;
use crate::state::{StateError, is_full};

/// After how many seconds to send a request again that found the state locked.
pub const SOON: &str = "2";

/// An error with its status and the message for the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    pub status: StatusCode,
    /// What is wrong. It names the field at fault.
    pub message: String,
}

impl ApiError {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// 400: the request is not valid.
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

    /// 503: another program has something in use. Nothing was changed.
    pub fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// 507: the disk is full. Nothing was changed.
    pub fn full(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INSUFFICIENT_STORAGE, message)
    }

    /// Whether the fault is the server's, so that the same request may work later.
    pub fn is_trouble(&self) -> bool {
        self.status.is_server_error()
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
            Refused::Failed(error) => error.into(),
        }
    }
}

/// The state could not be read or written.
impl From<StateError> for ApiError {
    fn from(error: StateError) -> Self {
        match (error.is_busy(), error.is_full()) {
            (true, _) => Self::busy(
                "another program keeps the site's local state locked; nothing was written: try again",
            ),
            (_, true) => Self::full("the disk is full; nothing was written"),
            _ => Self::failed(error),
        }
    }
}

/// A file could not be read or written.
impl From<io::Error> for ApiError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            _ if is_full(&error) => Self::full("the disk is full; nothing was written"),
            io::ErrorKind::InvalidFilename => {
                Self::bad("a file name is longer than the disk allows; nothing was written")
            }
            _ => Self::failed(error),
        }
    }
}

/// A content file has an error that its author has to mend first, or its author is saving it just now.
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

/// The error for a file that cannot be edited before its author mends it.
pub fn cannot_edit(found: Vec<Diagnostic>) -> ApiError {
    match found.into_iter().next() {
        Some(first) => first.into(),
        None => ApiError::conflict("the file cannot be edited"),
    }
}
