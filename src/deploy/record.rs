//! What deploys note of a place, in a file that lies there.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Fault, LocalFile, Stage};
use render::hosting::SentAs;

/// The name of the file, beside those of the site.
pub const RECORD: &str = ".feedwright-deploy.json";

/// The form of the file. A program that knows a later one only reads its own.
const VERSION: u32 = 1;

/// Most former versions of a file that are told from others.
const FORMER: usize = 10;

/// What deploys put to a place, by paths.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub version: u32,
    /// Which deploy wrote it.
    pub deploy: String,
    /// The site that it is of, by its address.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub site: String,
    /// What is new out there, and nobody has been told of.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub untold: BTreeSet<String>,
    pub files: BTreeMap<String, Entry>,
}

/// What deploys know of a file out there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The hash of its bytes. Empty while it is being put: then nobody knows what is there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
    /// In bytes.
    #[serde(default)]
    pub length: u64,
    /// How the place itself tells this version of the file from others.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tag: String,
    /// The fields that it is sent with, where the place keeps them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sent_as: String,
    /// Since when the site no longer has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwanted: Option<Timestamp>,
    /// Of media, the hashes that it had before, the last one last: a machine may still have such a file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<String>,
}

/// What all forms of the file have.
#[derive(Deserialize)]
struct Form {
    version: u32,
}

impl Record {
    /// Reads the file. One that is damaged is as none: then all is sent again. One of a later version is left alone.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let form: Option<Form> = serde_json::from_slice(bytes).ok();
        if form.is_some_and(|form| form.version > VERSION) {
            return Err(Fault::lasting(
                format!("{RECORD} out there was written by a later version of this program"),
                "update this program, or delete that file there: everything is then sent again",
            ));
        }
        Ok(serde_json::from_slice(bytes).unwrap_or_default())
    }

    /// The file's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let record = Self { version: VERSION, ..self.clone() };
        let mut bytes = serde_json::to_vec(&record).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

impl Entry {
    /// While a file is being put: nobody knows what is there, but what was.
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
        former.drain(..former.len().saturating_sub(FORMER));
        Self { former, ..Self::default() }
    }

    /// How the fields of a file are noted.
    pub fn fields(sent_as: &SentAs) -> String {
        format!("{} | {}", sent_as.media_type, sent_as.cache_control)
    }
}
