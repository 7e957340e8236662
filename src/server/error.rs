//! Errors from API calls.

use std::fmt::Display;
use std::io;

use serde_json::Value;
use warp::http::StatusCode;
use warp::http::header::{ALLOW, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};

use super::access::{AuthFailure, CHALLENGE};
use super::http::{BodyError, Response, private_json, set};
use super::refusal::Refusal;
use model::Diagnostic;
use state::{StateError, is_full};

/// The value of `Retry-After` in seconds, sent if another program is using a resource.
const RETRY_AFTER_SECONDS: &str = "2";

/// An error from an API. [`Api::error`](super::Api::error) writes it in the format that the API's
/// clients read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    pub status: StatusCode,
    /// The description of the error, including the name of the invalid field.
    pub message: String,
    /// The error code for programs, in formats that have error codes.
    pub reason: &'static str,
    /// The location of the error in the request: `parameter` or `header`, and its name. Only some
    /// formats contain the location.
    pub place: Option<(&'static str, String)>,
    /// The methods that the path supports, for the `Allow` header. Set if the request used another
    /// method.
    pub allow: Option<String>,
    /// Whether the same request may succeed if the client repeats it after a short time.
    pub is_passing: bool,
}

impl ApiError {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let reason = match status {
            StatusCode::FORBIDDEN => "forbidden",
            StatusCode::BAD_REQUEST => "badRequest",
            _ => "backendError",
        };
        let message = message.into();
        Self { status, message, reason, place: None, allow: None, is_passing: false }
    }

    /// Returns the same error with another reason.
    #[must_use]
    pub fn with_reason(self, reason: &'static str) -> Self {
        Self { reason, ..self }
    }

    /// 400: the request is not valid.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message).with_reason("invalid")
    }

    /// 400: a parameter or a field is not valid.
    pub fn invalid(parameter: &str, message: impl Display) -> Self {
        Self {
            place: Some(("parameter", parameter.to_owned())),
            ..Self::bad(format!("{parameter}: {message}"))
        }
    }

    /// Returns the same error with the name of the field that causes it.
    #[must_use]
    pub fn in_field(self, field: &str) -> Self {
        let place = Some(("parameter", field.to_owned()));
        Self { place, message: format!("{field}: {}", self.message), ..self }
    }

    /// 404: no resource has this name.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message).with_reason("notFound")
    }

    /// 405: the path supports only these methods.
    pub fn method_not_allowed(allow: impl Into<String>) -> Self {
        let allow = allow.into();
        let error =
            Self::new(StatusCode::METHOD_NOT_ALLOWED, format!("this path supports only {allow}"));
        Self { allow: Some(allow), ..error.with_reason("httpMethodNotAllowed") }
    }

    /// 409: another resource or change conflicts with the request.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// 503: another program is using a resource. Nothing was changed.
    pub fn busy(message: impl Into<String>) -> Self {
        Self { is_passing: true, ..Self::new(StatusCode::SERVICE_UNAVAILABLE, message) }
    }

    /// 507: the disk is full. Nothing was changed.
    pub fn full(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INSUFFICIENT_STORAGE, message)
    }

    /// 500: the disk or the state database failed.
    pub fn failed(error: impl Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).with_reason("internalError")
    }

    /// Whether the error is a fault of the server (5xx), so that the same request may succeed
    /// later.
    pub fn is_server_fault(&self) -> bool {
        self.status.is_server_error()
    }

    /// Builds the response with this body. Sets `Allow` if the error lists the supported methods.
    /// Sets `WWW-Authenticate` (RFC 9110, section 11.6.1) and `Retry-After` where they apply, but
    /// only if `headers` contains them.
    pub fn response(&self, body: &Value, headers: &[HeaderName]) -> Response {
        let mut response = private_json(self.status, body);
        let is_unauthorized = self.status == StatusCode::UNAUTHORIZED;
        for (name, value) in [
            (ALLOW, self.allow.as_deref()),
            (WWW_AUTHENTICATE, is_unauthorized.then_some(CHALLENGE)),
            (RETRY_AFTER, self.is_passing.then_some(RETRY_AFTER_SECONDS)),
        ] {
            if let Some(value) = value.filter(|_| name == ALLOW || headers.contains(&name)) {
                set(&mut response, name, value);
            }
        }
        response
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.status, refusal.why)
    }
}

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> Self {
        let message = error.to_string();
        match error {
            BodyError::Broken => Self::bad(message),
            BodyError::OutOfMemory => Self::busy(message),
            BodyError::TooLarge => Self::new(error.status(), message).with_reason("uploadTooLarge"),
            BodyError::TimedOut => Self::new(error.status(), message),
        }
    }
}

impl From<AuthFailure> for ApiError {
    fn from(refused: AuthFailure) -> Self {
        let message = refused.to_string();
        let reason = match refused {
            AuthFailure::NoKey => "required",
            AuthFailure::NotValid => "authError",
            AuthFailure::OtherShow(_) => {
                return Self::new(StatusCode::FORBIDDEN, message).with_reason("forbidden");
            }
            AuthFailure::Failed(error) => return error.into(),
        };
        Self {
            place: Some(("header", "Authorization".to_owned())),
            ..Self::new(StatusCode::UNAUTHORIZED, message).with_reason(reason)
        }
    }
}

/// The state could not be read or written.
impl From<StateError> for ApiError {
    fn from(error: StateError) -> Self {
        match (error.is_busy(), error.is_full()) {
            (true, _) => Self::busy(
                "another program has locked the site's local state; nothing was written: try again",
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

/// Converts an error in a content file, which its author must fix first or is just saving.
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

/// Returns the error for a file that cannot be edited before its author fixes it.
pub fn cannot_edit(found: Vec<Diagnostic>) -> ApiError {
    match found.into_iter().next() {
        Some(first) => first.into(),
        None => ApiError::conflict("the file cannot be edited"),
    }
}
