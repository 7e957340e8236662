//! The error type of the warehouse.

use std::fmt;

/// The kind of a fault, as reported to clients of the warehouse API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// An invalid value.
    Invalid,
    /// Invalid SQL, or SQL that is not supported.
    InvalidQuery,
    /// A dataset, table, job or file that does not exist.
    NotFound,
    Duplicate,
    /// A forbidden operation, such as a write to a read-only table.
    AccessDenied,
    /// A resource that is still in use, such as a dataset with tables.
    InUse,
    Stopped,
    /// An operation that exceeded its time limit.
    Timeout,
    /// An operation that would exceed its limit of memory or disk space.
    ResourcesExceeded,
    /// A failure of the disk or a database.
    Internal,
}

impl Reason {
    /// Returns the name of the reason in the API, such as `invalidQuery`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::InvalidQuery => "invalidQuery",
            Self::NotFound => "notFound",
            Self::Duplicate => "duplicate",
            Self::AccessDenied => "accessDenied",
            Self::InUse => "resourceInUse",
            Self::Stopped => "stopped",
            Self::Timeout => "timeout",
            Self::ResourcesExceeded => "resourcesExceeded",
            Self::Internal => "internalError",
        }
    }

    /// Returns the reason with this name in the API.
    pub fn parse(word: &str) -> Option<Self> {
        [
            Self::Invalid,
            Self::InvalidQuery,
            Self::NotFound,
            Self::Duplicate,
            Self::AccessDenied,
            Self::InUse,
            Self::Stopped,
            Self::Timeout,
            Self::ResourcesExceeded,
            Self::Internal,
        ]
        .into_iter()
        .find(|reason| reason.as_str() == word)
    }
}

/// An error that the warehouse reports.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The kind of fault.
    pub reason: Reason,
    /// The problem and how to fix it.
    pub message: String,
    /// The location of the error: a parameter, a configuration field, or a position in a file or
    /// query.
    pub location: Option<String>,
}

impl Fault {
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), location: None }
    }

    /// Creates a fault for an invalid value.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Reason::Invalid, message)
    }

    /// Creates a fault for a dataset, table, job or file that does not exist.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Reason::NotFound, message)
    }

    /// Creates a fault for a failure of the disk or a database.
    pub fn internal(error: impl fmt::Display) -> Self {
        Self::new(Reason::Internal, error.to_string())
    }

    /// Returns the same fault with a location.
    #[must_use]
    pub fn at(self, location: impl Into<String>) -> Self {
        Self { location: Some(location.into()), ..self }
    }
}
