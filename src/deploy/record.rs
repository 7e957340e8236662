//! The deploy record: a file at the destination that lists the deployed files.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Fault, LocalFile, Stage};
use render::hosting::HttpFields;

/// The name of the record file, next to the files of the site.
pub const RECORD: &str = ".feedwright-deploy.json";

/// The version of the record's format. A record of a later version is rejected.
const VERSION: u32 = 1;

/// Maximum number of former versions that are remembered for each media file.
pub const MAX_FORMER: usize = 10;

/// The record of the files that deploys have uploaded to a destination.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub version: u32,
    /// The id of the deploy that wrote the record.
    pub deploy: String,
    /// The address of the site that the record belongs to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub site: String,
    /// New files at the destination that have not been announced yet.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub untold: BTreeSet<String>,
    pub files: BTreeMap<String, Entry>,
}

/// The recorded state of a file at the destination.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The hash of the file's bytes. It is empty during an upload, when the content is unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
    /// The size in bytes.
    #[serde(default)]
    pub length: u64,
    /// The destination's identifier for this version of the file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tag: String,
    /// The HTTP header fields of the file, if the destination stores them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sent_as: String,
    /// The time at which a deploy first noticed that the file was removed from the site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwanted: Option<Timestamp>,
    /// The hashes of former versions of a media file, oldest first. Another machine may still have
    /// such a version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<String>,
}

/// The fields that records of all versions have.
#[derive(Deserialize)]
struct Form {
    version: u32,
}

impl Record {
    /// Parses a record. A damaged record counts as empty, so everything is uploaded again. A record
    /// of a later version is an error.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let form: Option<Form> = serde_json::from_slice(bytes).ok();
        if form.is_some_and(|form| form.version > VERSION) {
            return Err(Fault::permanent(
                format!("{RECORD} at the destination was written by a later version of feedwright"),
                "update feedwright, or delete the file at the destination; the next deploy then sends everything again",
            ));
        }
        Ok(serde_json::from_slice(bytes).unwrap_or_default())
    }

    /// Returns the contents of the record file.
    pub fn bytes(&self) -> Vec<u8> {
        let record = Self { version: VERSION, ..self.clone() };
        let mut bytes = serde_json::to_vec(&record).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

impl Entry {
    /// Returns the entry for a file during its upload. The content is unknown, but former versions
    /// are kept.
    pub fn unknown(known: Option<&Self>, file: &LocalFile) -> Self {
        let mut former = match known {
            Some(known) if file.stage == Stage::Media => known.former.clone(),
            _ => Vec::new(),
        };
        if let Some(known) =
            known.filter(|known| file.stage == Stage::Media && !known.hash.is_empty())
        {
            former.push(known.hash.clone());
        }
        former.retain(|hash| *hash != file.hash);
        former.drain(..former.len().saturating_sub(MAX_FORMER));
        Self { former, ..Self::default() }
    }

    /// Formats the header fields of a file for the record.
    pub fn fields(sent_as: &HttpFields) -> String {
        format!("{} | {}", sent_as.media_type, sent_as.cache_control)
    }
}
