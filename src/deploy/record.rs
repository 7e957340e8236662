//! The deploy record: a file at the destination that describes the deployed files.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Fault, LocalFile, Stage};
use render::hosting::HttpFields;

/// The name of the record file, next to the files of the site.
pub const RECORD: &str = ".feedwright-deploy.json";

/// The version of the file format. A record of a later version is not read.
const VERSION: u32 = 1;

/// Maximum number of former versions to remember per media file.
const MAX_FORMER: usize = 10;

/// The files that deploys have uploaded to a destination, by path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub version: u32,
    /// The id of the deploy that wrote the record.
    pub deploy: String,
    /// The site that the record belongs to, by its address.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub site: String,
    /// New files at the destination that are not announced yet.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub untold: BTreeSet<String>,
    pub files: BTreeMap<String, Entry>,
}

/// The recorded state of a file at the destination.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The hash of the file's bytes. It is empty while the file is being uploaded, because the
    /// content is unknown then.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
    /// The size in bytes.
    #[serde(default)]
    pub length: u64,
    /// The destination's own identifier for this version of the file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tag: String,
    /// The HTTP header fields of the file, if the destination stores them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sent_as: String,
    /// The time since when the site no longer has the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwanted: Option<Timestamp>,
    /// For media, the hashes of former versions, oldest first. A machine may still have such a
    /// version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<String>,
}

/// The fields that all versions of the record have.
#[derive(Deserialize)]
struct Form {
    version: u32,
}

impl Record {
    /// Parses a record. A damaged record counts as empty, so everything is sent again. A record of
    /// a later version is an error.
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

    /// Returns the bytes of the record file.
    pub fn bytes(&self) -> Vec<u8> {
        let record = Self { version: VERSION, ..self.clone() };
        let mut bytes = serde_json::to_vec(&record).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

impl Entry {
    /// Returns the entry of a file while it is being uploaded. The content is unknown then, but
    /// former versions stay known.
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
