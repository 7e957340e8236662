//! A call to an operation, and its reply.

use crate::error::api_error;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use warp::http::{HeaderMap, StatusCode};
use xxhash_rust::xxh3::xxh3_64;

use super::Scheduler;
use super::access::Access;
use super::job_resource::Job;
use super::parameters::Parameters;
use super::project_id::ProjectId;
use super::run;
use crate::error;
use api_shared::{ApiError, PathNames};
use server::{App, Moment};
use state::Key;
use warehouse::engine::Engine;
use warehouse::{DatasetId, Fault, Store, TableId, TableName};

/// A call to an operation.
pub struct WarehouseCall {
    pub app: Arc<App>,
    pub jobs: Scheduler,
    /// The current state of the site.
    pub moment: Arc<Moment>,
    pub key: Key,
    pub access: Access,
    /// The values of the path parameters.
    pub names: PathNames,
    pub parameters: Parameters,
    pub headers: HeaderMap,
    /// The request body. Empty if the request has no body.
    pub body: Map<String, Value>,
}

impl WarehouseCall {
    /// Returns the project in the path.
    pub fn project(&self) -> Result<ProjectId, ApiError> {
        ProjectId::parse(self.names.get("project"))
    }

    /// Returns the dataset in the path.
    pub fn dataset(&self) -> Result<DatasetId, ApiError> {
        DatasetId::parse(self.names.get("dataset")).map_err(api_error)
    }

    /// Returns the table in the path.
    pub fn table(&self) -> Result<TableName, ApiError> {
        Ok(TableName {
            dataset: self.dataset()?,
            table: TableId::parse(self.names.get("table")).map_err(api_error)?,
        })
    }

    pub fn store(&self) -> Result<Store, ApiError> {
        self.jobs.store().map_err(api_error)
    }

    /// Runs `work` on the stored tables and the tables of the site.
    pub fn ask<T>(&self, work: impl FnOnce(Engine<'_>) -> Result<T, Fault>) -> Result<T, ApiError> {
        let store = self.store()?;
        let live = run::tables(&self.app, &store, &self.moment);
        let engine = Engine { store: &store, live: &live };
        work(engine).map_err(api_error)
    }

    /// Returns the URL of a path below the API's base path.
    pub fn address(&self, path: &str) -> String {
        let config = &self.moment.site.snapshot.config;
        config.url(&format!("{}/{path}", super::BASE))
    }

    /// Returns an error if the resource does not match the `If-Match` header (RFC 9110, section
    /// 13.1.1).
    pub fn check_unchanged(&self, resource: &Value) -> Result<(), ApiError> {
        let Some(wanted) = self.headers.get("if-match") else {
            return Ok(());
        };
        let own = resource["etag"].as_str().unwrap_or_default();
        let mut tags = wanted.to_str().unwrap_or_default().split(',').map(plain_tag);
        if tags.any(|tag| tag == "*" || tag == own) { Ok(()) } else { Err(error::changed()) }
    }

    /// Returns whether the client already has the current state of a resource (RFC 9110, section
    /// 13.1.2).
    pub fn matches_etag(&self, etag: &str) -> bool {
        let known = self.headers.get("if-none-match");
        let mut tags = known
            .and_then(|known| known.to_str().ok())
            .unwrap_or_default()
            .split(',')
            .map(plain_tag);
        tags.any(|tag| tag == "*" || tag == etag)
    }
}

/// Returns an entity tag without quotation marks, as in resources. Some clients also omit the
/// quotation marks in headers.
fn plain_tag(tag: &str) -> &str {
    tag.trim().trim_start_matches("W/").trim_matches('"')
}

pub enum CallOutcome {
    Reply(Reply),
    /// A reply that is sent when a job has ended, or when the client's waiting time is over.
    JobWait(JobWait),
}

impl From<Reply> for CallOutcome {
    fn from(reply: Reply) -> Self {
        Self::Reply(reply)
    }
}

/// A reply that waits for a job.
pub struct JobWait {
    /// The id of the job, in the project of the call.
    pub job: String,
    pub wait_time: Duration,
    /// Creates the reply from the job's state at the end of the wait.
    pub then: fn(&WarehouseCall, &Job) -> Result<Reply, ApiError>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub status: StatusCode,
    /// The body. None for a reply without a body.
    pub body: Option<Value>,
}

impl Reply {
    /// Creates a reply with status 200 and this body.
    pub fn json(body: Value) -> Self {
        Self { status: StatusCode::OK, body: Some(body) }
    }

    /// Creates a reply with status 200 and this body. Adds an `etag` computed from the body.
    pub fn list(body: Value) -> Self {
        Self::json(with_etag(body))
    }

    /// Creates a reply with status 204.
    pub fn no_content() -> Self {
        Self { status: StatusCode::NO_CONTENT, body: None }
    }
}

/// Adds an `etag`, computed from the content, to a resource.
pub fn with_etag(mut resource: Value) -> Value {
    let tag = format!("{:016x}", xxh3_64(resource.to_string().as_bytes()));
    resource["etag"] = tag.into();
    resource
}
