//! What the key that started a job allows it to do.

use serde::{Deserialize, Serialize};

use warehouse::{Fault, Reason};

/// What a key lets its jobs do with data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grants {
    /// Whether they may read tables.
    pub reads_tables: bool,
    /// Whether they may change tables.
    pub writes_tables: bool,
    /// Whether they may read the files of exports.
    pub reads_files: bool,
    /// Whether they may write files of exports.
    pub writes_files: bool,
}

impl Grants {
    /// Err where one of these is needed and not granted. `what` says what needs it.
    pub fn demand(is_granted: bool, what: &str) -> Result<(), Fault> {
        if is_granted {
            Ok(())
        } else {
            Err(Fault::new(
                Reason::AccessDenied,
                format!("this key may not {what}: none of its scopes lets it"),
            ))
        }
    }
}
