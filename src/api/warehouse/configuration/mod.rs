//! The work of a job, parsed from the `configuration` of a Job resource.

mod copy;
mod extract;
pub mod layout;
mod load;
mod query;
mod typed_fields;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

pub use copy::CopyWork;
pub use extract::ExtractWork;
pub use load::LoadWork;
pub use query::QueryWork;
pub use typed_fields::TypedFields;

use super::grants::Grants;
use warehouse::Fault;

/// A validated configuration of a job.
#[derive(Debug, Clone)]
pub struct Configuration {
    /// The work of the job.
    pub work: Work,
    /// Whether the job is only validated, but not run.
    pub is_dry_run: bool,
    /// Maximum run time of the job.
    pub limit: Option<Duration>,
    pub labels: BTreeMap<String, String>,
}

/// The work of a job.
#[derive(Debug, Clone)]
pub enum Work {
    Query(Box<QueryWork>),
    /// Loads files into a table.
    Load(Box<LoadWork>),
    /// Writes a table to files.
    Extract(Box<ExtractWork>),
    Copy(Box<CopyWork>),
}

/// The parts of a job that are needed to parse its configuration.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// The project in the request's path.
    pub project: &'a str,
    pub job: &'a str,
    /// Whether data was sent with the job.
    pub has_data: bool,
}

/// Maximum run time of a statement if its client does not specify one.
pub const DEFAULT_QUERY_TIMEOUT: Duration = Duration::from_hours(1);
/// Maximum number of labels per job.
const MAX_LABELS: usize = 64;

impl Configuration {
    /// Parses a configuration from a JSON object.
    pub fn read(json: &Value, origin: Origin<'_>) -> Result<Self, Fault> {
        let fields = TypedFields::of(json, "configuration")?;
        let work = Work::read(&fields, origin)?;
        fields.check_unused(&["jobType", "reservation"], &[], &[])?;
        let limit = fields.integer("jobTimeoutMs")?.filter(|ms| *ms > 0);
        Ok(Self {
            is_dry_run: fields.flag("dryRun")?.unwrap_or(false),
            limit: match limit {
                Some(ms) => Some(Duration::from_millis(ms.unsigned_abs())),
                // A statement can run forever, but loads, exports and copies always end.
                None => matches!(work, Work::Query(_)).then_some(DEFAULT_QUERY_TIMEOUT),
            },
            labels: labels(&fields)?,
            work,
        })
    }
}

impl Work {
    fn read(fields: &TypedFields<'_>, origin: Origin<'_>) -> Result<Self, Fault> {
        let kinds = ["query", "load", "extract", "copy"];
        let given: Vec<&str> = kinds.into_iter().filter(|kind| fields.has(kind)).collect();
        let kind = match given[..] {
            [kind] => kind,
            _ => {
                return Err(Fault::invalid(
                    "configuration must have exactly one of `query`, `load`, `extract` and `copy`",
                )
                .at("configuration"));
            }
        };
        if origin.has_data && kind != "load" {
            return Err(Fault::invalid(format!(
                "a {kind} job does not support uploaded data: only load jobs do"
            ))
            .at("configuration"));
        }
        let own = fields.object(kind)?;
        match kind {
            "query" => QueryWork::read(&own, origin).map(|work| Self::Query(Box::new(work))),
            "load" => LoadWork::read(&own, origin).map(|work| Self::Load(Box::new(work))),
            "extract" => ExtractWork::read(&own, origin).map(|work| Self::Extract(Box::new(work))),
            _ => CopyWork::read(&own, origin).map(|work| Self::Copy(Box::new(work))),
        }
    }

    /// Returns the `jobType`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Query(_) => "QUERY",
            Self::Load(_) => "LOAD",
            Self::Extract(_) => "EXTRACT",
            Self::Copy(_) => "COPY",
        }
    }

    /// Returns an error if the key's grants do not permit the job.
    pub fn check(&self, grants: Grants) -> Result<(), Fault> {
        match self {
            Self::Query(work) => work.check(grants),
            Self::Load(work) => work.check(grants),
            Self::Extract(work) => work.check(grants),
            Self::Copy(work) => work.check(grants),
        }
    }
}

fn labels(fields: &TypedFields<'_>) -> Result<BTreeMap<String, String>, Fault> {
    let labels = fields.members("labels")?;
    let is_fit = |text: &str| {
        text.chars().count() <= 63
            && text
                .chars()
                .all(|c| c.is_alphanumeric() && !c.is_uppercase() || matches!(c, '_' | '-'))
    };
    if labels.len() > MAX_LABELS {
        return Err(Fault::invalid(format!("a job can have at most {MAX_LABELS} labels"))
            .at(fields.place("labels")));
    }
    labels
        .into_iter()
        .map(|(name, value)| match value.as_str() {
            Some(text) if !name.is_empty() && is_fit(name) && is_fit(text) => {
                Ok((name.clone(), text.to_owned()))
            }
            _ => Err(Fault::invalid(format!(
                "invalid label {name:?}: names and values must be at most 63 lowercase letters, digits, underscores and dashes"
            ))
            .at(fields.place("labels"))),
        })
        .collect()
}
