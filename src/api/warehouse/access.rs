//! What a key may do with the warehouse: which scope gives which right, in one table.
//!
//! A key that starts a job needs one of the scopes [`STARTING`] and the right to [create
//! jobs](Right::CreateJobs). What the job does to tables and files needs further rights. A key with
//! several scopes has the rights of all of them.

use super::grants::Grants;
use crate::error;
use api_shared::ApiError;
use state::{Key, Scope};

/// Something that can be done with the warehouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// Start jobs, and follow and cancel those that it started: the permission `warehouse.jobs.create`.
    CreateJobs,
    /// Run queries that only read, by the call that answers with their rows.
    Query,
    /// See jobs that others started.
    SeeJobs,
    /// Cancel and forget jobs that others started.
    EndJobs,
    /// See datasets and tables, and read rows.
    ReadTables,
    /// Change datasets, tables and rows.
    WriteTables,
    ReadFiles,
    WriteFiles,
}

use Right::{CreateJobs, EndJobs, Query, ReadFiles, ReadTables, SeeJobs, WriteFiles, WriteTables};

/// The rights that each scope gives.
const RIGHTS: [(Scope, &[Right]); 7] = [
    (Scope::WAREHOUSE, ALL),
    (Scope::CLOUD_PLATFORM, ALL),
    (Scope::WAREHOUSE_READ_ONLY, &[Query, SeeJobs, ReadTables]),
    (Scope::WAREHOUSE_JOBS_CREATE, &[CreateJobs]),
    (Scope::STORAGE_FULL_CONTROL, &[ReadFiles, WriteFiles]),
    (Scope::STORAGE_READ_WRITE, &[ReadFiles, WriteFiles]),
    (Scope::STORAGE_READ_ONLY, &[ReadFiles]),
];

/// Further rights of jobs, for a key that has such a scope and may [create jobs](Right::CreateJobs):
/// with a scope that reads storage, its jobs may read tables; with one that writes storage, its jobs may
/// write them. Outside of jobs these scopes give no right to tables.
const RIGHTS_OF_JOBS: [(Scope, &[Right]); 3] = [
    (Scope::STORAGE_FULL_CONTROL, &[ReadTables, WriteTables]),
    (Scope::STORAGE_READ_WRITE, &[ReadTables, WriteTables]),
    (Scope::STORAGE_READ_ONLY, &[ReadTables]),
];

const ALL: &[Right] =
    &[CreateJobs, Query, SeeJobs, EndJobs, ReadTables, WriteTables, ReadFiles, WriteFiles];

/// A key needs one of these scopes to start any job.
const STARTING: [Scope; 5] = [
    Scope::WAREHOUSE,
    Scope::CLOUD_PLATFORM,
    Scope::STORAGE_FULL_CONTROL,
    Scope::STORAGE_READ_ONLY,
    Scope::STORAGE_READ_WRITE,
];

impl Right {
    /// What it is called in messages.
    fn words(self) -> &'static str {
        match self {
            CreateJobs => "start jobs",
            Query => "run queries",
            SeeJobs => "see jobs that others started",
            EndJobs => "end jobs that others started",
            ReadTables => "read datasets and tables",
            WriteTables => "change datasets and tables",
            ReadFiles => "read files",
            WriteFiles => "write files",
        }
    }
}

/// What a key may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    scopes: Vec<Scope>,
}

impl Access {
    /// What a key may do. Err if it may do nothing at all.
    pub fn of(key: &Key) -> Result<Self, ApiError> {
        let known = |scope: &Scope| RIGHTS.iter().any(|(known, _)| known == scope);
        let scopes: Vec<Scope> = key.scopes.iter().copied().filter(known).collect();
        if scopes.is_empty() {
            Err(error::denied("this key has no scope of the warehouse"))
        } else {
            Ok(Self { scopes })
        }
    }

    /// Whether it may do this.
    pub fn may(&self, right: Right) -> bool {
        self.scopes.iter().any(|own| gives(*own, right))
    }

    /// Err where it may not do this.
    pub fn need(&self, right: Right) -> Result<(), ApiError> {
        if self.may(right) { Ok(()) } else { Err(lacking(right.words(), &scopes_with(right))) }
    }

    /// What jobs that it starts may do.
    pub fn grants(&self) -> Grants {
        Grants {
            reads_tables: self.jobs_may(ReadTables),
            writes_tables: self.jobs_may(WriteTables),
            reads_files: self.jobs_may(ReadFiles),
            writes_files: self.jobs_may(WriteFiles),
        }
    }

    /// Whether jobs that it starts may do this.
    fn jobs_may(&self, right: Right) -> bool {
        let gives = |(scope, rights): &(Scope, &[Right])| {
            self.scopes.contains(scope) && rights.contains(&right)
        };
        self.may(right) || self.may(CreateJobs) && RIGHTS_OF_JOBS.iter().any(gives)
    }

    /// Err where it may not start jobs.
    pub fn need_start(&self) -> Result<(), ApiError> {
        if STARTING.iter().any(|scope| self.scopes.contains(scope)) {
            self.need(CreateJobs)
        } else {
            Err(lacking(CreateJobs.words(), &STARTING.map(Scope::as_str)))
        }
    }
}

fn gives(scope: Scope, right: Right) -> bool {
    RIGHTS.iter().any(|(known, rights)| *known == scope && rights.contains(&right))
}

fn scopes_with(right: Right) -> Vec<&'static str> {
    let having = RIGHTS.iter().filter(|(_, rights)| rights.contains(&right));
    having.map(|(scope, _)| scope.as_str()).collect()
}

fn lacking(what: &str, scopes: &[&str]) -> ApiError {
    error::denied(format!(
        "this key may not {what}: that takes one of the scopes {}",
        scopes.join(", ")
    ))
}
