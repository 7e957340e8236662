//! Errors of the calendar API in the form that its clients read.

use std::fmt;

use serde_json::{Value, json};
use warp::http::StatusCode;

/// An error: its status, a word for programs and a message for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub status: StatusCode,
    reason: &'static str,
    message: String,
    /// The query parameter at fault.
    parameter: Option<String>,
}

impl Fault {
    /// An error with one of the reasons that clients know.
    pub fn new(status: StatusCode, reason: &'static str, message: impl Into<String>) -> Self {
        Self { status, reason, message: message.into(), parameter: None }
    }

    /// 400: a parameter is not valid.
    pub fn invalid(parameter: &str, message: impl fmt::Display) -> Self {
        Self {
            parameter: Some(parameter.to_owned()),
            ..Self::new(StatusCode::BAD_REQUEST, "invalid", format!("{parameter}: {message}"))
        }
    }

    /// The same with another reason.
    #[must_use]
    pub fn because(self, reason: &'static str) -> Self {
        Self { reason, ..self }
    }

    /// 401: the request has no valid key.
    pub fn unauthorized(reason: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, reason, message)
    }

    /// 404: there is no such thing, or the key must not see it.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "notFound", message)
    }

    /// 410: the client's token is too old, so it has to list everything again.
    pub fn full_sync(message: impl fmt::Display) -> Self {
        Self {
            parameter: Some("syncToken".into()),
            ..Self::new(
                StatusCode::GONE,
                "fullSyncRequired",
                format!("{message}; list everything again without syncToken"),
            )
        }
    }

    /// 500: the disk or the state database failed.
    pub fn failed(error: impl fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "backendError", error.to_string())
    }

    /// The body: `{"error": {code, message, status, errors}}`.
    pub fn body(&self) -> Value {
        let mut cause = json!({
            "domain": "global",
            "reason": self.reason,
            "message": self.message,
        });
        match &self.parameter {
            Some(parameter) => {
                cause["locationType"] = "parameter".into();
                cause["location"] = parameter.as_str().into();
            }
            None if self.status == StatusCode::UNAUTHORIZED => {
                cause["locationType"] = "header".into();
                cause["location"] = "Authorization".into();
            }
            None => {}
        }
        json!({ "error": {
            "code": self.status.as_u16(),
            "message": self.message,
            "status": canonical(self.status),
            "errors": [cause],
        } })
    }

    /// The error for a request that the server refuses before the API sees it.
    pub fn refused(status: StatusCode, message: &str) -> Self {
        let reason = match status {
            StatusCode::FORBIDDEN => "forbidden",
            StatusCode::BAD_REQUEST => "badRequest",
            _ => "backendError",
        };
        Self::new(status, reason, message)
    }
}

/// The RPC name of a status.
fn canonical(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST | StatusCode::URI_TOO_LONG => "INVALID_ARGUMENT",
        StatusCode::UNAUTHORIZED => "UNAUTHENTICATED",
        StatusCode::FORBIDDEN => "PERMISSION_DENIED",
        StatusCode::NOT_FOUND => "NOT_FOUND",
        StatusCode::METHOD_NOT_ALLOWED => "UNIMPLEMENTED",
        StatusCode::GONE => "FAILED_PRECONDITION",
        _ => "INTERNAL",
    }
}
