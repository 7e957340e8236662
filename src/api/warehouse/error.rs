//! Errors of the warehouse API in the form that its clients read.

use serde_json::{Value, json};
use warp::http::StatusCode;
use warp::http::header::{ALLOW, WWW_AUTHENTICATE};

use crate::server::access::{CHALLENGE, Refused};
use crate::server::http::{BodyError, Response, private_json, set};
use warehouse::{Fault, Reason};

/// An error: its status, a word for programs and a message for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub status: StatusCode,
    reason: &'static str,
    message: String,
    place: Option<RequestPart>,
    /// The methods that the path takes.
    allow: Option<String>,
}

/// The part of a request that is at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RequestPart {
    /// A parameter, or a field of the body.
    Parameter(String),
    Header(&'static str),
}

impl Refusal {
    /// A refusal with one of the reasons that clients know.
    pub fn new(status: StatusCode, reason: &'static str, message: impl Into<String>) -> Self {
        Self { status, reason, message: message.into(), place: None, allow: None }
    }

    /// 400: a parameter or a field is not valid.
    pub fn invalid(parameter: &str, message: impl std::fmt::Display) -> Self {
        Self {
            place: Some(RequestPart::Parameter(parameter.to_owned())),
            ..Self::bad(format!("{parameter}: {message}"))
        }
    }

    /// 400: the request as a whole is not valid.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid", message)
    }

    /// 400: a header is not valid.
    pub fn bad_header(header: &'static str, message: impl std::fmt::Display) -> Self {
        Self {
            place: Some(RequestPart::Header(header)),
            ..Self::bad(format!("{header}: {message}"))
        }
    }

    /// 404: there is no such thing.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "notFound", message)
    }

    /// 413: it is longer than it may be.
    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "uploadTooLarge", message)
    }

    /// 403: the key may not do this.
    pub fn denied(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "accessDenied", message)
    }

    /// 405: the path takes other methods.
    pub fn other_method(allow: String) -> Self {
        Self {
            message: format!("this path takes {allow}"),
            allow: Some(allow),
            ..Self::new(StatusCode::METHOD_NOT_ALLOWED, "httpMethodNotAllowed", "")
        }
    }

    /// 412: the resource is not in the state that the client has seen.
    pub fn changed() -> Self {
        Self {
            place: Some(RequestPart::Header("If-Match")),
            ..Self::new(
                StatusCode::PRECONDITION_FAILED,
                "conditionNotMet",
                "If-Match: this was changed meanwhile; get it again, and change that",
            )
        }
    }

    /// 500: the server failed.
    pub fn failed(error: impl std::fmt::Display) -> Self {
        Fault::internal(error).into()
    }

    /// The error for a request that the server refuses before the API sees it.
    pub fn of_server(status: StatusCode, message: &str) -> Self {
        let reason = match status {
            StatusCode::FORBIDDEN => "forbidden",
            StatusCode::BAD_REQUEST => "badRequest",
            _ => "backendError",
        };
        Self::new(status, reason, message)
    }

    /// The body: `{"error": {code, message, errors, status}}`.
    pub fn body(&self) -> Value {
        let mut cause = json!({
            "message": self.message,
            "domain": "global",
            "reason": self.reason,
        });
        let place = match &self.place {
            Some(RequestPart::Parameter(name)) => Some(("parameter", name.as_str())),
            Some(RequestPart::Header(name)) => Some(("header", *name)),
            None => None,
        };
        if let Some((kind, name)) = place {
            cause["locationType"] = kind.into();
            cause["location"] = name.into();
        }
        json!({ "error": {
            "code": self.status.as_u16(),
            "message": self.message,
            "errors": [cause],
            "status": canonical(self.status),
        } })
    }

    pub fn response(&self) -> Response {
        let mut response = private_json(self.status, &self.body());
        if self.status == StatusCode::UNAUTHORIZED {
            set(&mut response, WWW_AUTHENTICATE, CHALLENGE);
        }
        if let Some(allow) = &self.allow {
            set(&mut response, ALLOW, allow);
        }
        response
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self {
            place: fault.location.map(RequestPart::Parameter),
            ..Self::new(status(fault.reason), fault.reason.as_str(), fault.message)
        }
    }
}

impl From<BodyError> for Refusal {
    fn from(error: BodyError) -> Self {
        let reason = match error {
            BodyError::Broken => return Self::bad(error.to_string()),
            BodyError::TooLarge => return Self::too_large(error.to_string()),
            BodyError::Silent | BodyError::NoRoom => "backendError",
        };
        Self::new(error.status(), reason, error.to_string())
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        let reason = match refused {
            Refused::NoKey => "required",
            Refused::NotValid => "authError",
            Refused::Failed(error) => return Self::failed(error),
        };
        Self {
            place: Some(RequestPart::Header("Authorization")),
            ..Self::new(StatusCode::UNAUTHORIZED, reason, refused.to_string())
        }
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

/// The RPC name of a status.
fn canonical(status: StatusCode) -> &'static str {
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
