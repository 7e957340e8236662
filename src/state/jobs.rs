//! The ledger of warehouse jobs: their configurations, owners and results.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{ErrorCode, OptionalExtension, Row, named_params, params};

use super::database::{millis, optional, time};
use super::{State, StateError};

/// How long a finished job is stored.
pub const JOB_MEMORY: SignedDuration = SignedDuration::from_hours(24 * 30);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRecord {
    /// The job's number in order of creation. The number is 0 until the job is added.
    pub number: i64,
    /// The project that the client specified.
    pub project: String,
    pub id: String,
    /// The id of the key that started the job.
    pub owner: String,
    /// The configuration as received: JSON.
    pub configuration: String,
    /// Other data needed to run the job: JSON.
    pub details: String,
    pub state: JobState,
    /// The result: JSON. `None` until the job has ended.
    pub outcome: Option<String>,
    /// The time when the client created the job.
    pub created: Timestamp,
    /// The time when the job began to run.
    pub started: Option<Timestamp>,
    pub ended: Option<Timestamp>,
}

/// Whether a job is pending, running or finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    Pending,
    Running,
    /// The job has ended, successfully or with an error.
    Done,
}

impl JobState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Running => "RUNNING",
            Self::Done => "DONE",
        }
    }

    /// Parses the name of a state, ignoring case.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Pending, Self::Running, Self::Done]
            .into_iter()
            .find(|state| state.as_str().eq_ignore_ascii_case(name))
    }
}

/// The filter for a list of jobs.
#[derive(Debug, Clone, Default)]
pub struct JobQuery {
    pub project: String,
    /// Only jobs of this key. `None` includes all keys.
    pub owner: Option<String>,
    /// Only jobs in one of these states. An empty list includes all states.
    pub states: Vec<JobState>,
    /// Only jobs created at this time or later.
    pub from: Option<Timestamp>,
    /// Only jobs created at this time or earlier.
    pub to: Option<Timestamp>,
    /// Only jobs with a number lower than this, which were added earlier.
    pub before: Option<i64>,
    /// Maximum number of jobs.
    pub most: usize,
}

impl State {
    /// Adds a new job. Returns false if a job with the same project and id exists.
    pub fn add_job(&self, job: &JobRecord) -> Result<bool, StateError> {
        let added = self.write(|state| {
            let old = millis(job.created - JOB_MEMORY);
            state.execute("DELETE FROM jobs WHERE state = 'DONE' AND ended < ?1", [old])?;
            state.execute(
                "INSERT INTO jobs (project, id, owner, configuration, details, state, outcome, created, started, ended)
                 VALUES (:project, :id, :owner, :configuration, :details, :state, :outcome, :created, :started, :ended)",
                named_params! {
                    ":project": job.project,
                    ":id": job.id,
                    ":owner": job.owner,
                    ":configuration": job.configuration,
                    ":details": job.details,
                    ":state": job.state.as_str(),
                    ":outcome": job.outcome,
                    ":created": millis(job.created),
                    ":started": job.started.map(millis),
                    ":ended": job.ended.map(millis),
                },
            )?;
            Ok(())
        });
        match added {
            Ok(()) => Ok(true),
            Err(StateError::Database(error))
                if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Records that a job began to run. Returns false if the job is not pending.
    pub fn begin_job(&self, project: &str, id: &str, now: Timestamp) -> Result<bool, StateError> {
        self.write_waiting(|state| {
            let sql = "UPDATE jobs SET state = 'RUNNING', started = ?3
                       WHERE project = ?1 AND id = ?2 AND state = 'PENDING'";
            Ok(state.execute(sql, params![project, id, millis(now)])? == 1)
        })
    }

    /// Records the result of a job. Returns false if the job has ended already or does not exist.
    pub fn end_job(
        &self,
        project: &str,
        id: &str,
        outcome: &str,
        now: Timestamp,
    ) -> Result<bool, StateError> {
        self.write_waiting(|state| {
            let sql = "UPDATE jobs SET state = 'DONE', outcome = ?3, ended = ?4
                       WHERE project = ?1 AND id = ?2 AND state != 'DONE'";
            Ok(state.execute(sql, params![project, id, outcome, millis(now)])? == 1)
        })
    }

    /// Removes a finished job. Returns false if the job does not exist or has not ended.
    pub fn remove_job(&self, project: &str, id: &str) -> Result<bool, StateError> {
        self.write(|state| {
            let sql = "DELETE FROM jobs WHERE project = ?1 AND id = ?2 AND state = 'DONE'";
            Ok(state.execute(sql, [project, id])? == 1)
        })
    }

    /// Returns a job, or `None` if it does not exist.
    pub fn job(&self, project: &str, id: &str) -> Result<Option<JobRecord>, StateError> {
        self.read(|state| {
            let sql = "SELECT * FROM jobs WHERE project = ?1 AND id = ?2";
            Ok(state.query_row(sql, [project, id], job).optional()?)
        })
    }

    /// Returns jobs, newest first.
    pub fn jobs(&self, query: &JobQuery) -> Result<Vec<JobRecord>, StateError> {
        self.read(|state| {
            let states: Vec<&str> = query.states.iter().map(|state| state.as_str()).collect();
            let mut statement = state.prepare_cached(
                "SELECT * FROM jobs WHERE project = :project AND ifnull(owner = :owner, 1)
                 AND (:states = '' OR instr(:states, state)) AND ifnull(created >= :from, 1)
                 AND ifnull(created <= :to, 1) AND ifnull(number < :before, 1)
                 ORDER BY number DESC LIMIT :most",
            )?;
            let found = statement.query_map(
                named_params! {
                    ":project": query.project,
                    ":owner": query.owner,
                    ":states": states.join(" "),
                    ":from": query.from.map(millis),
                    ":to": query.to.map(millis),
                    ":before": query.before,
                    ":most": i64::try_from(query.most).unwrap_or(i64::MAX),
                },
                job,
            )?;
            Ok(found.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the jobs that have not ended, in the order of creation.
    pub fn unfinished_jobs(&self) -> Result<Vec<JobRecord>, StateError> {
        self.read(|state| {
            let mut statement =
                state.prepare("SELECT * FROM jobs WHERE state != 'DONE' ORDER BY number")?;
            let found = statement.query_map([], job)?;
            Ok(found.collect::<rusqlite::Result<_>>()?)
        })
    }
}

fn job(row: &Row<'_>) -> rusqlite::Result<JobRecord> {
    let state: String = row.get("state")?;
    Ok(JobRecord {
        number: row.get("number")?,
        project: row.get("project")?,
        id: row.get("id")?,
        owner: row.get("owner")?,
        configuration: row.get("configuration")?,
        details: row.get("details")?,
        // The database schema allows no other states.
        state: JobState::parse(&state).unwrap_or(JobState::Done),
        outcome: row.get("outcome")?,
        created: time(row, "created")?,
        started: optional(row, "started", time)?,
        ended: optional(row, "ended", time)?,
    })
}
