//! The operations of the API: method, path, and the right that a key needs.

use warp::http::Method;

use super::access::Right;
use super::call::{CallOutcome, Reply, WarehouseCall};
use api_shared::{ApiError, PathNames, find};

use super::{
    datasets, insert_all, jobs, projects, queries, routines_and_models, tabledata, tables,
};

pub struct Operation {
    method: &'static str,
    /// The path below the API's base path, with placeholders such as `{project}`.
    path: &'static str,
    /// The right that a key needs. None if the operation checks the rights itself.
    pub right: Option<Right>,
    pub run: Handler,
}

/// The function that implements an operation.
#[derive(Clone, Copy)]
pub enum Handler {
    /// The function replies immediately.
    Now(fn(&WarehouseCall) -> Result<Reply, ApiError>),
    /// The function replies immediately or after a job has ended.
    Later(fn(&WarehouseCall) -> Result<CallOutcome, ApiError>),
}

impl Handler {
    pub fn step(self, call: &WarehouseCall) -> Result<CallOutcome, ApiError> {
        match self {
            Self::Now(run) => run(call).map(CallOutcome::from),
            Self::Later(run) => run(call),
        }
    }
}

const fn immediate(
    method: &'static str,
    path: &'static str,
    right: Option<Right>,
    run: fn(&WarehouseCall) -> Result<Reply, ApiError>,
) -> Operation {
    Operation { method, path, right, run: Handler::Now(run) }
}

const fn deferred(
    method: &'static str,
    path: &'static str,
    right: Option<Right>,
    run: fn(&WarehouseCall) -> Result<CallOutcome, ApiError>,
) -> Operation {
    Operation { method, path, right, run: Handler::Later(run) }
}

const DELETE: &str = "DELETE";
const GET: &str = "GET";
const PATCH: &str = "PATCH";
const POST: &str = "POST";
const PUT: &str = "PUT";

const READ: Option<Right> = Some(Right::ReadTables);
const WRITE: Option<Right> = Some(Right::WriteTables);

const JOBS: &str = "projects/{project}/jobs";
const JOB: &str = "projects/{project}/jobs/{job}";
const DATASETS: &str = "projects/{project}/datasets";
const DATASET: &str = "projects/{project}/datasets/{dataset}";
const TABLES: &str = "projects/{project}/datasets/{dataset}/tables";
const TABLE: &str = "projects/{project}/datasets/{dataset}/tables/{table}";
const ROWS: &str = "projects/{project}/datasets/{dataset}/tables/{table}/data";
const INSERT_ALL: &str = "projects/{project}/datasets/{dataset}/tables/{table}/insertAll";
const ROUTINES: &str = "projects/{project}/datasets/{dataset}/routines";
const ROUTINE: &str = "projects/{project}/datasets/{dataset}/routines/{name}";
const MODELS: &str = "projects/{project}/datasets/{dataset}/models";
const MODEL: &str = "projects/{project}/datasets/{dataset}/models/{name}";

static ALL: &[Operation] = &[
    immediate(GET, "projects", None, projects::list),
    immediate(GET, "projects/{project}/serviceAccount", None, projects::service_account),
    immediate(GET, JOBS, None, jobs::list),
    immediate(POST, JOBS, None, jobs::insert),
    immediate(GET, JOB, None, jobs::get),
    immediate(POST, "projects/{project}/jobs/{job}/cancel", None, jobs::cancel),
    immediate(DELETE, "projects/{project}/jobs/{job}/delete", None, jobs::delete),
    deferred(POST, "projects/{project}/queries", Some(Right::Query), queries::query),
    deferred(GET, "projects/{project}/queries/{job}", None, queries::results),
    immediate(GET, DATASETS, READ, datasets::list),
    immediate(POST, DATASETS, WRITE, datasets::insert),
    immediate(GET, DATASET, READ, datasets::get),
    immediate(PATCH, DATASET, WRITE, datasets::patch),
    immediate(PUT, DATASET, WRITE, datasets::update),
    immediate(DELETE, DATASET, WRITE, datasets::delete),
    immediate(GET, TABLES, READ, tables::list),
    immediate(POST, TABLES, WRITE, tables::insert),
    immediate(GET, TABLE, READ, tables::get),
    immediate(PATCH, TABLE, WRITE, tables::patch),
    immediate(PUT, TABLE, WRITE, tables::update),
    immediate(DELETE, TABLE, WRITE, tables::delete),
    immediate(GET, ROWS, READ, tabledata::list),
    immediate(POST, INSERT_ALL, WRITE, insert_all::insert_all),
    immediate(GET, ROUTINES, READ, routines_and_models::routines),
    immediate(GET, ROUTINE, READ, routines_and_models::routine),
    immediate(GET, MODELS, READ, routines_and_models::models),
    immediate(GET, MODEL, READ, routines_and_models::model),
];

impl Operation {
    /// Finds the operation for a method and a percent-decoded path, and returns it with the path
    /// parameters.
    pub fn find(method: &Method, path: &str) -> Result<(&'static Self, PathNames), ApiError> {
        let table = ALL.iter().map(|operation| (operation.method, operation.path, operation));
        find(table, method, path).map_err(|allow| match allow {
            Some(allow) => ApiError::method_not_allowed(allow),
            None => ApiError::not_found("path not found in the warehouse API"),
        })
    }
}
