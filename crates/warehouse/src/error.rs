//! Why the warehouse did not do what it was asked.

use std::fmt;

/// What kind of fault it is: the words that clients of the warehouse API know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A value that is not allowed.
    Invalid,
    /// The SQL is wrong, or uses what is not supported here.
    InvalidQuery,
    /// There is no such dataset, table, job or file.
    NotFound,
    Duplicate,
    /// This may not be done, such as a write to a table that is read only.
    AccessDenied,
    /// It is still used: a dataset that holds tables.
    InUse,
    Stopped,
    /// It took longer than it may.
    Timeout,
    /// It would take more memory or disk than it may.
    ResourcesExceeded,
    /// The disk or a database failed.
    Internal,
}

impl Reason {
    /// The word that clients know it by: `invalidQuery`.
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

    /// The reason with this word.
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

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// What kind of fault it is.
    pub reason: Reason,
    /// What is wrong, and what to do about it.
    pub message: String,
    /// What it is about: a parameter, a field of the configuration, a place in a file or a query.
    pub location: Option<String>,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), location: None }
    }

    /// A fault of a value that is not allowed.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Reason::Invalid, message)
    }

    /// A fault of something that does not exist.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Reason::NotFound, message)
    }

    /// A fault of the disk or a database.
    pub fn internal(error: impl fmt::Display) -> Self {
        Self::new(Reason::Internal, error.to_string())
    }

    /// The same fault, with what it is about.
    #[must_use]
    pub fn at(self, location: impl Into<String>) -> Self {
        Self { location: Some(location.into()), ..self }
    }
}
