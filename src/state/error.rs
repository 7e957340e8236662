//! What can be wrong with the state, and what to do about it.

use std::io;

use rusqlite::ErrorCode;
use thiserror::Error;

use super::Scope;

/// Why the state could not be read or changed.
#[derive(Debug, Error)]
pub enum StateError {
    /// `.feedwright/` or the database's file cannot be made.
    #[error("the local state cannot be opened: {0}")]
    Folder(io::Error),
    /// The database cannot be understood. Nothing of it was deleted.
    #[error("the local state is damaged: {0}")]
    Damaged(String),
    /// A later version of the program made the database. Nothing of it was changed.
    #[error("a later version of feedwright made the local state (schema {found})")]
    Newer {
        /// The version of its schema.
        found: i64,
    },
    /// SQLite could not do what it was asked: the disk is full, or another process keeps it locked.
    #[error("the local state cannot be used: {0}")]
    Database(rusqlite::Error),
    /// The system has no randomness for a secret.
    #[error("no secret can be made: {0}")]
    Randomness(getrandom::Error),
    /// What was asked of a key cannot be done.
    #[error(transparent)]
    Key(#[from] KeyError),
}

/// Why a key cannot be what was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeyError {
    /// Its name is empty, longer than 100 characters, or holds control characters.
    #[error(
        "a key cannot be named {0:?}: a name has 1 to 100 characters, none of them a control character"
    )]
    Name(String),
    /// It would have no scopes.
    #[error("a key needs a scope: {}", Scope::ALL.map(Scope::as_str).join(", "))]
    NoScope,
    /// It would end before it begins.
    #[error("the key would expire before it is valid: let it expire later")]
    EndsBeforeItBegins,
    /// It would have ended already.
    #[error("the key would have expired already: let it expire later")]
    EndsInThePast,
    /// A secret from the environment that cannot stand in a header.
    #[error(
        "a key is one or more visible ASCII characters; `feedwright keys create` makes a random one"
    )]
    NoHeader,
    /// No key has this id or name.
    #[error("no key has the id or name {0:?}; `feedwright keys list` shows them all")]
    Unknown(String),
    /// Several keys that are not revoked have this name.
    #[error("{} keys are named {name:?}; say which by its id: {}", ids.len(), ids.join(", "))]
    Ambiguous {
        name: String,
        /// The ids of those that have it.
        ids: Vec<String>,
    },
    /// It was revoked, and stays so.
    #[error("the key {0:?} is revoked; make a new one with `feedwright keys create`")]
    Revoked(String),
    /// It has expired: a new secret would not be valid either.
    #[error("the key {0:?} has expired; make a new one with `feedwright keys create`")]
    Expired(String),
}

impl StateError {
    /// Whether another program keeps the database locked: it may be free a little later.
    pub fn is_busy(&self) -> bool {
        use ErrorCode::{DatabaseBusy, DatabaseLocked};
        matches!(self, Self::Database(error) if matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked)))
    }

    /// Whether the disk takes no more: it is full, or may hold no more of this user.
    pub fn is_full(&self) -> bool {
        match self {
            Self::Folder(error) => is_full(error),
            Self::Database(error) => error.sqlite_error().is_some_and(|error| {
                // A quota or a limit of a file's size is only told as a write that failed.
                error.code == ErrorCode::DiskFull
                    || error.extended_code == rusqlite::ffi::SQLITE_IOERR_WRITE
            }),
            _ => false,
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Folder(_) => Some(
                "check that .feedwright is a folder, its permissions and the space on the disk",
            ),
            Self::Damaged(_) => Some(
                "bring it back from a backup; or move state.sqlite, state.sqlite-wal and state.sqlite-shm \
                 out of .feedwright and make new keys with `feedwright keys create`: the site's content is not in it",
            ),
            Self::Newer { .. } => Some(
                "use that version or a later one; or move the file away and make new keys with `feedwright keys create`",
            ),
            Self::Database(_) if self.is_busy() => {
                Some("another program keeps it locked: end it, then try again")
            }
            Self::Database(_) => {
                Some("check the permissions of .feedwright and the space on the disk")
            }
            Self::Randomness(_) | Self::Key(_) => None,
        }
    }
}

/// Whether an error says that the disk takes no more.
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
