//! The rights that a key grants to its jobs.

use serde::{Deserialize, Serialize};

use warehouse::{Fault, Reason};

/// The rights of a job to access data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grants {
    /// Whether the job may read tables.
    pub reads_tables: bool,
    /// Whether the job may change tables.
    pub writes_tables: bool,
    /// Whether the job may read files in the exports folder.
    pub reads_files: bool,
    /// Whether the job may write files in the exports folder.
    pub writes_files: bool,
}

impl Grants {
    /// Returns an error if a required right is not granted. `what` describes the action that
    /// requires the right.
    pub fn require_grant(is_granted: bool, what: &str) -> Result<(), Fault> {
        if is_granted {
            Ok(())
        } else {
            Err(Fault::new(
                Reason::AccessDenied,
                format!("permission denied: none of the scopes of this key allows it to {what}"),
            ))
        }
    }
}
