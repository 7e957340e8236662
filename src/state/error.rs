//! Errors of the state database, with their remedies.

use std::io;

use rusqlite::ErrorCode;
use thiserror::Error;

use super::Scope;

/// The reason why the state could not be read or changed.
#[derive(Debug, Error)]
pub enum StateError {
    /// `.feedwright/` or the database file cannot be created.
    #[error("the local state cannot be opened: {0}")]
    Folder(io::Error),
    /// The content of the database is invalid. Nothing was deleted.
    #[error("the local state is damaged: {0}")]
    Damaged(String),
    /// A later version of feedwright created the database. Nothing was changed.
    #[error("the local state was created by a later version of feedwright (schema {found})")]
    Newer {
        /// The version of the database's schema.
        found: i64,
    },
    /// SQLite failed, for example because the disk is full or another process has the database
    /// locked.
    #[error("the local state cannot be used: {0}")]
    Database(rusqlite::Error),
    /// The operating system provided no random bytes for a secret.
    #[error("a secret cannot be created: {0}")]
    Randomness(getrandom::Error),
    /// The requested operation on a key is not possible.
    #[error(transparent)]
    Key(#[from] KeyError),
}

/// The reason why an operation on a key failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeyError {
    /// The name is empty, longer than 100 characters, or contains control characters.
    #[error("invalid key name {0:?}: use 1 to 100 characters, without control characters")]
    Name(String),
    /// The key has no scopes.
    #[error("a key requires at least one scope: {}", Scope::ALL.map(Scope::as_str).join(", "))]
    NoScope,
    /// The key would expire before it becomes valid.
    #[error("the key would expire before it becomes valid: choose a later expiry")]
    EndsBeforeItBegins,
    /// The expiry of the key is in the past.
    #[error("the expiry of the key is in the past: choose a later expiry")]
    EndsInThePast,
    /// A secret from the environment contains characters that are not valid in a header.
    #[error(
        "a key must consist of visible ASCII characters; run `feedwright keys create` to create a random one"
    )]
    NotAHeaderValue,
    /// No key has this id or name.
    #[error("no key has the id or name {0:?}; run `feedwright keys list` to see all keys")]
    Unknown(String),
    /// Several keys that are not revoked have this name.
    #[error("{} keys are named {name:?}; choose one by its id: {}", ids.len(), ids.join(", "))]
    Ambiguous {
        name: String,
        /// The ids of the keys with this name.
        ids: Vec<String>,
    },
    /// The key was revoked, which is permanent.
    #[error("the key {0:?} is revoked; create a new one with `feedwright keys create`")]
    Revoked(String),
    /// The key has expired, so a new secret would not be valid either.
    #[error("the key {0:?} has expired; create a new one with `feedwright keys create`")]
    Expired(String),
}

impl StateError {
    /// Whether another program has locked the database. The operation may then succeed a little
    /// later.
    pub fn is_busy(&self) -> bool {
        use ErrorCode::{DatabaseBusy, DatabaseLocked};
        matches!(self, Self::Database(error) if matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked)))
    }

    /// Whether the disk or the user's quota is full.
    pub fn is_full(&self) -> bool {
        match self {
            Self::Folder(error) => is_full(error),
            Self::Database(error) => error.sqlite_error().is_some_and(|error| {
                // SQLite reports a full quota or a file size limit only as a failed write.
                error.code == ErrorCode::DiskFull
                    || error.extended_code == rusqlite::ffi::SQLITE_IOERR_WRITE
            }),
            _ => false,
        }
    }

    /// Returns advice for resolving the error.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Folder(_) => Some(
                "check that .feedwright is a folder, its permissions and the space on the disk",
            ),
            Self::Damaged(_) => Some(
                "restore it from a backup; or move state.sqlite, state.sqlite-wal and state.sqlite-shm \
                 out of .feedwright and create new keys with `feedwright keys create`; the site's content is not affected",
            ),
            Self::Newer { .. } => Some(
                "use that version or a later one; or move the file away and create new keys with `feedwright keys create`",
            ),
            Self::Database(_) if self.is_busy() => {
                Some("stop the program that locked it, and try again")
            }
            Self::Database(_) => {
                Some("check the permissions of .feedwright and the space on the disk")
            }
            Self::Randomness(_) | Self::Key(_) => None,
        }
    }
}

/// Whether an error means that the disk or the user's quota is full.
pub fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

impl From<rusqlite::Error> for StateError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType};
        let damaged = matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
        );
        match error {
            FromSqlConversionFailure(..) | InvalidColumnType(..) => {
                Self::Damaged(error.to_string())
            }
            error if damaged => Self::Damaged(error.to_string()),
            error => Self::Database(error),
        }
    }
}

impl From<getrandom::Error> for StateError {
    fn from(error: getrandom::Error) -> Self {
        Self::Randomness(error)
    }
}
