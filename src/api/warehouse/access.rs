//! The access rights of a key in the warehouse. [`RIGHTS`] and [`JOB_RIGHTS`] map each scope to its
//! rights.
//!
//! To start a job, a key needs one of the scopes in [`JOB_START_SCOPES`] and the right to [create
//! jobs](Right::CreateJobs). The job needs further rights to read or write tables and files. A key
//! with several scopes has the rights of all its scopes.

use super::grants::Grants;
use crate::error;
use api_shared::ApiError;
use state::{Key, Scope};

/// A right that a key can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// Start jobs, and view and cancel the jobs that the key started: the permission
    /// `warehouse.jobs.create`.
    CreateJobs,
    /// Run a read-only query and get its rows in a single call.
    Query,
    /// See jobs that other keys started.
    SeeJobs,
    /// Cancel and delete jobs that other keys started.
    EndJobs,
    /// See datasets and tables, and read rows.
    ReadTables,
    /// Change datasets, tables and rows.
    WriteTables,
    ReadFiles,
    WriteFiles,
}

use Right::{CreateJobs, EndJobs, Query, ReadFiles, ReadTables, SeeJobs, WriteFiles, WriteTables};

/// The rights that each scope grants.
const RIGHTS: [(Scope, &[Right]); 7] = [
    (Scope::WAREHOUSE, ALL),
    (Scope::CLOUD_PLATFORM, ALL),
    (Scope::WAREHOUSE_READ_ONLY, &[Query, SeeJobs, ReadTables]),
    (Scope::WAREHOUSE_JOBS_CREATE, &[CreateJobs]),
    (Scope::STORAGE_FULL_CONTROL, &[ReadFiles, WriteFiles]),
    (Scope::STORAGE_READ_WRITE, &[ReadFiles, WriteFiles]),
    (Scope::STORAGE_READ_ONLY, &[ReadFiles]),
];

/// Additional rights for the jobs of a key that may [create jobs](Right::CreateJobs). If the key
/// has a scope to read storage, its jobs may read tables. If the key has a scope to write storage,
/// its jobs may also write tables. These scopes grant no access to tables outside jobs.
const JOB_RIGHTS: [(Scope, &[Right]); 3] = [
    (Scope::STORAGE_FULL_CONTROL, &[ReadTables, WriteTables]),
    (Scope::STORAGE_READ_WRITE, &[ReadTables, WriteTables]),
    (Scope::STORAGE_READ_ONLY, &[ReadTables]),
];

const ALL: &[Right] =
    &[CreateJobs, Query, SeeJobs, EndJobs, ReadTables, WriteTables, ReadFiles, WriteFiles];

/// The scopes that allow a key to start jobs. A key needs at least one of these scopes.
const JOB_START_SCOPES: [Scope; 5] = [
    Scope::WAREHOUSE,
    Scope::CLOUD_PLATFORM,
    Scope::STORAGE_FULL_CONTROL,
    Scope::STORAGE_READ_ONLY,
    Scope::STORAGE_READ_WRITE,
];

impl Right {
    /// Returns the name of the right for messages.
    fn name(self) -> &'static str {
        match self {
            CreateJobs => "start jobs",
            Query => "run queries",
            SeeJobs => "see the jobs of other keys",
            EndJobs => "cancel or delete the jobs of other keys",
            ReadTables => "read datasets and tables",
            WriteTables => "change datasets and tables",
            ReadFiles => "read files",
            WriteFiles => "write files",
        }
    }
}

/// The access rights of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    scopes: Vec<Scope>,
}

impl Access {
    /// Returns the access rights of a key. Returns an error if the key has no right in the
    /// warehouse.
    pub fn of(key: &Key) -> Result<Self, ApiError> {
        let known = |scope: &Scope| RIGHTS.iter().any(|(known, _)| known == scope);
        let scopes: Vec<Scope> = key.scopes.iter().copied().filter(known).collect();
        if scopes.is_empty() {
            Err(error::denied("permission denied: this key has no warehouse scope"))
        } else {
            Ok(Self { scopes })
        }
    }

    /// Returns whether the key has this right.
    pub fn may(&self, right: Right) -> bool {
        self.scopes.iter().any(|own| grants_right(*own, right))
    }

    /// Returns an error if the key lacks this right.
    pub fn require(&self, right: Right) -> Result<(), ApiError> {
        if self.may(right) { Ok(()) } else { Err(missing_scope(right.name(), &scopes_with(right))) }
    }

    /// Returns the rights of jobs that the key starts.
    pub fn grants(&self) -> Grants {
        Grants {
            reads_tables: self.jobs_have(ReadTables),
            writes_tables: self.jobs_have(WriteTables),
            reads_files: self.jobs_have(ReadFiles),
            writes_files: self.jobs_have(WriteFiles),
        }
    }

    /// Returns whether jobs that the key starts have this right.
    fn jobs_have(&self, right: Right) -> bool {
        let grants_right = |(scope, rights): &(Scope, &[Right])| {
            self.scopes.contains(scope) && rights.contains(&right)
        };
        self.may(right) || self.may(CreateJobs) && JOB_RIGHTS.iter().any(grants_right)
    }

    /// Returns an error if the key may not start jobs.
    pub fn require_start(&self) -> Result<(), ApiError> {
        if JOB_START_SCOPES.iter().any(|scope| self.scopes.contains(scope)) {
            self.require(CreateJobs)
        } else {
            Err(missing_scope(CreateJobs.name(), &JOB_START_SCOPES.map(Scope::as_str)))
        }
    }
}

fn grants_right(scope: Scope, right: Right) -> bool {
    RIGHTS.iter().any(|(known, rights)| *known == scope && rights.contains(&right))
}

fn scopes_with(right: Right) -> Vec<&'static str> {
    let having = RIGHTS.iter().filter(|(_, rights)| rights.contains(&right));
    having.map(|(scope, _)| scope.as_str()).collect()
}

fn missing_scope(what: &str, scopes: &[&str]) -> ApiError {
    error::denied(format!(
        "permission denied: this key needs one of these scopes to {what}: {}",
        scopes.join(", ")
    ))
}
