//! Converts SQLite's errors to messages for the author of a statement.

use rusqlite::{Error, ErrorCode};

use crate::control::Control;
use crate::error::{Fault, Reason};

/// Converts the error of a failed statement to a fault.
pub(super) fn explain(error: &Error, control: &Control) -> Fault {
    let invalid = |message: String| Fault::new(Reason::InvalidQuery, message).at("query");
    let text = match error {
        Error::SqliteFailure(_, Some(text)) => text.clone(),
        Error::SqlInputError { msg, .. } => msg.clone(),
        Error::UserFunctionError(inner) => inner.to_string(),
        other => other.to_string(),
    };
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => control.explain(error),
        Some(ErrorCode::ConstraintViolation) if text.contains("NOT NULL") => {
            invalid(format!("a required column has no value: {text}"))
        }
        Some(ErrorCode::ConstraintViolation) => invalid(format!(
            "int64 overflow, or a value does not match the type of its column: {text}"
        )),
        Some(ErrorCode::OutOfMemory) => Fault::new(
            Reason::ResourcesExceeded,
            "the statement exceeds its memory limit: aggregate fewer rows at a time",
        ),
        Some(ErrorCode::TooBig) => Fault::new(
            Reason::ResourcesExceeded,
            "a value exceeds 64 MiB: aggregate fewer rows into each value",
        ),
        Some(ErrorCode::DiskFull) => Fault::new(
            Reason::ResourcesExceeded,
            "the result exceeds its maximum size, or the disk is full",
        ),
        Some(ErrorCode::AuthorizationForStatementDenied) => {
            invalid(format!("the statement is not allowed: {text}"))
        }
        // For example, a function rejected a value, or the statement is too long or too deeply
        // nested for SQLite.
        Some(ErrorCode::Unknown) | None => invalid(text),
        Some(_) => Fault::internal(error),
    }
}
