//! The Job resource that BigQuery clients read.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::grants::Grants;
use state::{JobRecord, JobState};
use warehouse::{Fault, Reason, TableName};

/// Data about a job in addition to its configuration.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JobDetails {
    /// The location that the client specified.
    pub location: String,
    pub grants: Grants,
    /// The name of the file with the job's data, in the spool folder.
    pub data: Option<String>,
    /// Statistics that were known before the run. For a query, these include the type of its
    /// statement.
    #[serde(default)]
    pub statistics: Value,
}

/// The outcome of a job.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct JobOutcome {
    /// The error of a failed job. None if the job did not fail.
    pub error_result: Option<Value>,
    /// Errors during the job, even if the job did not fail.
    pub errors: Vec<Value>,
    /// Statistics of the run, which are members of `statistics` in the Job resource.
    pub statistics: Value,
    /// The dataset and table that contain the rows of a query.
    pub destination: Option<(String, String)>,
}

/// A job in its current state.
#[derive(Debug, Clone)]
pub struct Job {
    /// The job's record in the state database.
    pub record: JobRecord,
    /// The data with which the job was started.
    pub details: JobDetails,
    /// The outcome. It has the default value until the job ends.
    pub outcome: JobOutcome,
}

/// Returns an error in the format of a Job resource: `{"reason", "message", "location"}`.
pub fn error_json(fault: &Fault) -> Value {
    let mut json = json!({ "reason": fault.reason.as_str(), "message": fault.message });
    if let Some(location) = &fault.location {
        json["location"] = location.as_str().into();
    }
    json
}

impl JobOutcome {
    pub fn failed(fault: &Fault) -> Self {
        let error = error_json(fault);
        Self { errors: vec![error.clone()], error_result: Some(error), ..Self::default() }
    }
}

impl Job {
    /// Parses the job's record from the state database.
    pub fn read(record: JobRecord) -> Result<Self, Fault> {
        let outcome = record.outcome.as_deref().map(serde_json::from_str);
        Ok(Self {
            details: serde_json::from_str(&record.details).map_err(Fault::internal)?,
            outcome: outcome.transpose().map_err(Fault::internal)?.unwrap_or_default(),
            record,
        })
    }

    /// Returns the error of a failed job. Returns None if the job did not fail or has not ended.
    pub fn fault(&self) -> Option<Fault> {
        let error = self.outcome.error_result.as_ref()?;
        let reason = error["reason"].as_str().and_then(Reason::parse).unwrap_or(Reason::Internal);
        let mut fault = Fault::new(reason, error["message"].as_str().unwrap_or_default());
        fault.location = error["location"].as_str().map(str::to_owned);
        Some(fault)
    }

    /// Returns the table that contains the job's rows, or None if the job has no such table.
    pub fn destination(&self) -> Option<TableName> {
        let (dataset, table) = self.outcome.destination.as_ref()?;
        TableName::parse(dataset, table).ok()
    }

    pub fn is_done(&self) -> bool {
        self.record.state == JobState::Done
    }

    /// Returns the `jobReference`.
    pub fn reference(&self) -> Value {
        let record = &self.record;
        json!({ "projectId": record.project, "jobId": record.id, "location": self.details.location })
    }

    pub fn resource(&self) -> Value {
        let record = &self.record;
        let mut json = json!({
            "kind": "warehouse#job",
            "id": format!("{}:{}.{}", record.project, self.details.location, record.id),
            "selfLink": format!("/warehouse/v2/projects/{}/jobs/{}", record.project, record.id),
            "user_email": user(&record.owner),
            "jobReference": self.reference(),
            "configuration": self.configuration(),
            "status": self.status(),
            "statistics": self.statistics(),
        });
        let tag = format!("\"{:016x}\"", xxh3_64(json.to_string().as_bytes()));
        json["etag"] = tag.into();
        json
    }

    /// Returns the `configuration` as sent, with the job type. The configuration of a query also
    /// includes the table that contains its rows.
    fn configuration(&self) -> Value {
        let mut given: Value = serde_json::from_str(&self.record.configuration).unwrap_or_default();
        let kinds = ["query", "load", "extract", "copy"];
        if let Some(kind) = kinds.into_iter().find(|kind| given.get(kind).is_some()) {
            given["jobType"] = kind.to_ascii_uppercase().into();
        }
        if let (Some(table), Some(query)) = (self.destination(), given.get_mut("query")) {
            query["destinationTable"] = table_json(&self.record.project, &table);
        }
        given
    }

    /// Returns the `status`.
    pub fn status(&self) -> Value {
        let mut status = json!({ "state": self.record.state.as_str() });
        if let Some(error) = &self.outcome.error_result {
            status["errorResult"] = error.clone();
        }
        if !self.outcome.errors.is_empty() {
            status["errors"] = self.outcome.errors.clone().into();
        }
        status
    }

    /// Returns the `statistics`. Times are Unix milliseconds, as strings.
    pub fn statistics(&self) -> Value {
        let ms = |time: Timestamp| time.as_millisecond().to_string();
        let record = &self.record;
        let mut all = json!({ "creationTime": ms(record.created) });
        if let Some(started) = record.started {
            all["startTime"] = ms(started).into();
        }
        if let Some(ended) = record.ended {
            all["endTime"] = ms(ended).into();
        }
        merge(&mut all, &self.details.statistics);
        merge(&mut all, &self.outcome.statistics);
        all
    }
}

/// Merges an object into another, recursively.
fn merge(into: &mut Value, more: &Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (name, value) in more {
                merge(into.entry(name).or_insert_with(|| Value::Object(Map::new())), value);
            }
        }
        (into, more) if !more.is_null() => *into = more.clone(),
        _ => {}
    }
}

/// Returns the user of a key, in the form of an email address because clients expect one.
pub fn user(key: &str) -> String {
    format!("{key}@keys.localhost")
}

/// Returns a table reference: `{"projectId", "datasetId", "tableId"}`.
pub fn table_json(project: &str, table: &TableName) -> Value {
    json!({
        "projectId": project,
        "datasetId": table.dataset.as_str(),
        "tableId": table.table.as_str(),
    })
}
