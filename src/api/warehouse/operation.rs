//! The operations of the API: method, path, and the right that a key needs.

use warp::http::Method;

use super::access::Right;
use super::call::{CallOutcome, Reply, WarehouseCall};
use super::error::Refusal;
use crate::api::shared::allowed;

use super::{
    datasets, insert_all, jobs, projects, queries, routines_and_models, tabledata, tables,
};

pub struct Operation {
    method: Method,
    /// The path below the API's own, with `{names}`.
    path: &'static str,
    /// The right that a key needs. None if the operation checks itself.
    pub right: Option<Right>,
    pub run: Handler,
}

/// The function behind an operation.
#[derive(Clone, Copy)]
pub enum Handler {
    /// At once.
    Now(fn(&WarehouseCall) -> Result<Reply, Refusal>),
    /// At once, or after a job has ended.
    Later(fn(&WarehouseCall) -> Result<CallOutcome, Refusal>),
}

impl Handler {
    pub fn step(self, call: &WarehouseCall) -> Result<CallOutcome, Refusal> {
        match self {
            Self::Now(run) => run(call).map(CallOutcome::from),
            Self::Later(run) => run(call),
        }
    }
}

const fn now(
    method: Method,
    path: &'static str,
    right: Option<Right>,
    run: fn(&WarehouseCall) -> Result<Reply, Refusal>,
) -> Operation {
    Operation { method, path, right, run: Handler::Now(run) }
}

const fn later(
    method: Method,
    path: &'static str,
    right: Option<Right>,
    run: fn(&WarehouseCall) -> Result<CallOutcome, Refusal>,
) -> Operation {
    Operation { method, path, right, run: Handler::Later(run) }
}

const DELETE: Method = Method::DELETE;
const GET: Method = Method::GET;
const PATCH: Method = Method::PATCH;
const POST: Method = Method::POST;
const PUT: Method = Method::PUT;

const READ: Option<Right> = Some(Right::ReadTables);
const WRITE: Option<Right> = Some(Right::WriteTables);

const JOBS: &str = "projects/{project}/jobs";
const JOB: &str = "projects/{project}/jobs/{job}";
const DATASETS: &str = "projects/{project}/datasets";
const DATASET: &str = "projects/{project}/datasets/{dataset}";
const TABLES: &str = "projects/{project}/datasets/{dataset}/tables";
const TABLE: &str = "projects/{project}/datasets/{dataset}/tables/{table}";

static ALL: &[Operation] = &[
    now(GET, "projects", None, projects::list),
    now(GET, "projects/{project}/serviceAccount", None, projects::service_account),
    now(GET, JOBS, None, jobs::list),
    now(POST, JOBS, None, jobs::insert),
    now(GET, JOB, None, jobs::get),
    now(POST, "projects/{project}/jobs/{job}/cancel", None, jobs::cancel),
    now(DELETE, "projects/{project}/jobs/{job}/delete", None, jobs::delete),
    later(POST, "projects/{project}/queries", Some(Right::Query), queries::query),
    later(GET, "projects/{project}/queries/{job}", None, queries::results),
    now(GET, DATASETS, READ, datasets::list),
    now(POST, DATASETS, WRITE, datasets::insert),
    now(GET, DATASET, READ, datasets::get),
    now(PATCH, DATASET, WRITE, datasets::patch),
    now(PUT, DATASET, WRITE, datasets::update),
    now(DELETE, DATASET, WRITE, datasets::delete),
    now(GET, TABLES, READ, tables::list),
    now(POST, TABLES, WRITE, tables::insert),
    now(GET, TABLE, READ, tables::get),
    now(PATCH, TABLE, WRITE, tables::patch),
    now(PUT, TABLE, WRITE, tables::update),
    now(DELETE, TABLE, WRITE, tables::delete),
    now(GET, "projects/{project}/datasets/{dataset}/tables/{table}/data", READ, tabledata::list),
    now(
        POST,
        "projects/{project}/datasets/{dataset}/tables/{table}/insertAll",
        WRITE,
        insert_all::insert_all,
    ),
    now(GET, "projects/{project}/datasets/{dataset}/routines", READ, routines_and_models::routines),
    now(
        GET,
        "projects/{project}/datasets/{dataset}/routines/{name}",
        READ,
        routines_and_models::routine,
    ),
    now(GET, "projects/{project}/datasets/{dataset}/models", READ, routines_and_models::models),
    now(
        GET,
        "projects/{project}/datasets/{dataset}/models/{name}",
        READ,
        routines_and_models::model,
    ),
];

/// The names in a path, in order.
pub type PathNames = Vec<(&'static str, String)>;

impl Operation {
    /// The operation of a method and a percent-decoded path, with the names in the path.
    pub fn find(method: &Method, path: &str) -> Result<(&'static Self, PathNames), Refusal> {
        // HEAD is GET without the body.
        let method = if method == Method::HEAD { &GET } else { method };
        let here: Vec<(&Self, PathNames)> = ALL
            .iter()
            .filter_map(|operation| Some((operation, names(operation.path, path)?)))
            .collect();
        if here.is_empty() {
            return Err(Refusal::not_found("there is no such path in the warehouse API"));
        }
        let allow = allowed(here.iter().map(|(own, _)| own.method.as_str()));
        here.into_iter()
            .find(|(own, _)| own.method == *method)
            .ok_or_else(|| Refusal::other_method(allow))
    }
}

/// The names in a path. None if it does not match the pattern.
fn names(pattern: &'static str, path: &str) -> Option<PathNames> {
    let mut names = PathNames::new();
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return Some(names),
            (Some(wanted), Some(given)) => {
                let place = wanted.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
                match place {
                    Some(_) if given.is_empty() => return None,
                    Some(place) => names.push((place, given.to_owned())),
                    None if wanted != given => return None,
                    None => {}
                }
            }
            _ => return None,
        }
    }
}
