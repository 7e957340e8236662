//! Copies tables of the site to the service: starts a load job there, and waits until it ends.

use std::fs::File;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use ureq::http::Request;
use ureq::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use ureq::{Agent, AsSendBody, Body, SendBody};

use super::{agent, unreachable};
use model::Upstream;
use warehouse::{Fault, Field, Reason, TableName, schema};

/// A table in the upstream service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    pub project: String,
    /// The names of the table and its dataset. The dataset must already exist.
    pub table: TableName,
}

/// The outcome of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pushed {
    /// The id of the job at the service.
    pub job: String,
    /// Number of rows in the table after the push.
    pub rows: u64,
}

/// The service, and a token to access it.
pub struct Service<'a> {
    pub upstream: &'a Upstream,
    /// The token, which is sent only to the service.
    pub token: &'a str,
}

/// Maximum size of an answer, in bytes: 16 MiB. The answer for a job has a few thousand bytes.
const MAX_ANSWER: u64 = 16 * 1024 * 1024;
/// Time before the first check of a job. Each further pause is twice as long.
const FIRST_POLL_DELAY: Duration = Duration::from_millis(100);
/// Maximum pause between two checks of a job.
const MAX_POLL_DELAY: Duration = Duration::from_secs(5);
/// Maximum time for a job. BigQuery stops load jobs after six hours.
const JOB_TIMEOUT: Duration = Duration::from_hours(7);

static AGENT: LazyLock<Agent> = LazyLock::new(|| agent(Some(Duration::from_mins(5))));

impl Destination {
    /// Parses `project.dataset.table`. The project may contain dots.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let mut parts = text.rsplitn(3, '.');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(table), Some(dataset), Some(project)) if !project.is_empty() => {
                Ok(Self { project: project.to_owned(), table: TableName::parse(dataset, table)? })
            }
            _ => {
                Err(Fault::invalid(format!("invalid table {text:?}: write PROJECT.DATASET.TABLE")))
            }
        }
    }
}

impl Service<'_> {
    /// Replaces the rows of a table with newline-delimited JSON, which can be compressed. Calls
    /// `report_state` with each new state of the job.
    pub fn push(
        &self,
        rows: File,
        fields: &[Field],
        to: &Destination,
        mut report_state: impl FnMut(&str),
    ) -> Result<Pushed, Fault> {
        let mut job = self.load(rows, fields, to)?;
        let mut pause = FIRST_POLL_DELAY;
        let mut reported_state = String::new();
        let begun = Instant::now();
        while job["status"]["state"] != "DONE" {
            let state = job["status"]["state"].as_str().unwrap_or("PENDING");
            if state != reported_state {
                report_state(state);
                state.clone_into(&mut reported_state);
            }
            if begun.elapsed() > JOB_TIMEOUT {
                return Err(Fault::internal("the service did not finish the job within 7 hours"));
            }
            sleep(pause);
            pause = (pause * 2).min(MAX_POLL_DELAY);
            job = self.poll_job(&job["jobReference"], &to.project)?;
        }
        job_outcome(&job)
    }

    /// Starts the job and sends its data.
    fn load(&self, rows: File, fields: &[Field], to: &Destination) -> Result<Value, Fault> {
        let length = rows.metadata().map_err(Fault::internal)?.len();
        let path = format!("/projects/{}/jobs?uploadType=resumable", encoded(&to.project));
        let configuration = configuration(fields, to).to_string();
        let begin = self
            .request("POST", &self.upstream.url("/upload", &path))
            .header(CONTENT_TYPE, "application/json; charset=utf-8")
            .header("x-upload-content-type", "application/octet-stream")
            .header("x-upload-content-length", length);
        let begun = send(begin, &configuration)?;
        let location = begun.headers().get(LOCATION);
        let address = location.and_then(|address| address.to_str().ok()).ok_or_else(|| {
            Fault::internal("the service did not return an address to upload the data to")
        })?;
        if !self.upstream.is_same_host(address) {
            return Err(Fault::internal(format!(
                "the service returned the upload address {address}, which is on another host; no data was sent"
            )));
        }
        let put = self
            .request("PUT", address)
            .header(CONTENT_TYPE, "application/octet-stream")
            .header(CONTENT_LENGTH, length);
        read(send(put, SendBody::from_owned_reader(rows))?)
    }

    fn poll_job(&self, job: &Value, project: &str) -> Result<Value, Fault> {
        let id = job["jobId"].as_str().unwrap_or_default();
        let mut path = format!("/projects/{}/jobs/{}", encoded(project), encoded(id));
        if let Some(location) = job["location"].as_str() {
            path.push_str(&format!("?location={}", encoded(location)));
        }
        let request = self.request("GET", &self.upstream.url("", &path));
        read(send(request, SendBody::none())?)
    }

    fn request(&self, method: &str, address: &str) -> ureq::http::request::Builder {
        Request::builder()
            .method(method)
            .uri(address)
            .header(AUTHORIZATION, format!("Bearer {}", self.token))
    }
}

fn configuration(fields: &[Field], to: &Destination) -> Value {
    json!({ "configuration": { "load": {
        "destinationTable": {
            "projectId": to.project,
            "datasetId": to.table.dataset.as_str(),
            "tableId": to.table.table.as_str(),
        },
        "schema": { "fields": schema::to_json(fields) },
        "sourceFormat": "NEWLINE_DELIMITED_JSON",
        "writeDisposition": "WRITE_TRUNCATE",
    }}})
}

fn encoded(part: &str) -> impl std::fmt::Display {
    utf8_percent_encode(part, NON_ALPHANUMERIC)
}

/// Sends a request. Returns an error if the status of the answer is not a success.
fn send(
    request: ureq::http::request::Builder,
    body: impl AsSendBody,
) -> Result<ureq::http::Response<Body>, Fault> {
    let request = request.body(body).map_err(Fault::internal)?;
    let answer = AGENT.run(request).map_err(|error| Fault::internal(unreachable(&error)))?;
    match answer.status() {
        status if status.is_success() => Ok(answer),
        status => {
            let said = read(answer).unwrap_or_default();
            let message = said["error"]["message"].as_str();
            let message = message.or(status.canonical_reason()).unwrap_or_default();
            Err(Fault::new(
                Reason::Invalid,
                format!("the service responded with status {}: {message}", status.as_u16()),
            ))
        }
    }
}

fn read(mut answer: ureq::http::Response<Body>) -> Result<Value, Fault> {
    let body = answer.body_mut().with_config().limit(MAX_ANSWER);
    let bytes = body.read_to_vec();
    let bytes = bytes.map_err(|error| Fault::internal(unreachable(&error)))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Fault::internal(format!("the response of the service is not valid JSON: {error}"))
    })
}

/// Returns the outcome of a job that has ended.
fn job_outcome(job: &Value) -> Result<Pushed, Fault> {
    let id = job["jobReference"]["jobId"].as_str().unwrap_or_default();
    if let Some(message) = job["status"]["errorResult"]["message"].as_str() {
        return Err(Fault::invalid(format!("the job {id} failed: {message}")));
    }
    let rows = job["statistics"]["load"]["outputRows"].as_str();
    Ok(Pushed { job: id.to_owned(), rows: rows.and_then(|rows| rows.parse().ok()).unwrap_or(0) })
}
