//! The warehouse API, `/warehouse/v2`: jobs that load, query, copy and export the tables of the
//! [`warehouse`](::warehouse), and operations to monitor the jobs.
//!
//! A job is recorded in the state database before its client gets an answer, and runs in the
//! background. The job's changes and its name are written in one transaction, so that the program
//! can determine after a crash whether the job was done.
//!
//! A request becomes a [`call`] to an [`operation`] if the key's scopes grant the [right](access).
//! Data for a job is sent as an [`upload`]. All paths below [`BASE`] also exist below the base path
//! that BigQuery clients use by default.

mod access;
mod answer;
mod call;
mod columns;
pub mod configuration;
mod datasets;
mod dispatch;
mod error;
mod grants;
mod insert_all;
mod job_resource;
mod jobs;
mod metadata;
mod operation;
mod paging;
mod parameters;
mod project_id;
mod projects;
mod queries;
mod recent_inserts;
mod routines_and_models;
mod row_format;
mod run;
mod scheduler;
mod table_pages;
mod tabledata;
mod tables;
mod upload;
pub mod upstream;

pub use grants::Grants;
use scheduler::{Scheduler, SpooledFile};

use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use api_shared::{ApiError, rpc_error, rpc_status};
use model::Diagnostic;
use server::http::{Request, Response};
use server::{Api, ApiAnswer, App};

/// The base path of the API.
pub const BASE: &str = "/warehouse/v2";
/// The base path that BigQuery clients use by default.
const CLIENTS_BASE: &str = "/bigquery/v2";
/// The location of all data. Other locations in requests are accepted.
const LOCATION: &str = "local";

/// The warehouse API as an [`Api`] of the server.
pub struct WarehouseApi {
    jobs: Scheduler,
}

impl WarehouseApi {
    /// Creates the API for the site at `root`. Does not write to the disk.
    pub fn new(root: &Path) -> Self {
        Self { jobs: Scheduler::new(root) }
    }
}

impl Api for WarehouseApi {
    fn owns(&self, path: &str) -> bool {
        is_base(path) || strip_base(path).is_some() || upload::is_upload(path)
    }

    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> ApiAnswer {
        Box::pin(dispatch::answer(app, self.jobs.clone(), request))
    }

    fn error(&self, _app: &App, _path: &str, error: &ApiError) -> Response {
        rpc_error(error, error.reason, rpc_status(error.status))
    }

    fn may_wait(&self, _request: &Request) -> bool {
        // Calls can wait for jobs, or for the service configured as `upstream`.
        true
    }

    fn check(&self, app: &App) -> Result<(), Diagnostic> {
        upstream::check(app)
    }

    fn start(self: Arc<Self>, app: Arc<App>) -> BoxFuture<'static, ()> {
        Box::pin(async move { self.jobs.resume_jobs(&app).await })
    }

    fn stop(&self) {
        self.jobs.shut_down();
    }
}

fn is_base(path: &str) -> bool {
    path == BASE || path == CLIENTS_BASE
}

/// Returns the part of a path below the API's base path, without the leading slash.
fn strip_base(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(BASE).or_else(|| path.strip_prefix(CLIENTS_BASE))?;
    rest.strip_prefix('/')
}
