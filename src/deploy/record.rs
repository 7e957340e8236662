//! What deploys note of a place, in a file that lies there.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Fault;
use crate::render::hosting::SentAs;

/// The name of the file, beside those of the site.
pub const RECORD: &str = ".feedwright-deploy.json";

/// The form of the file. A program that knows a later one only reads its own.
const VERSION: u32 = 1;

/// What deploys put to a place, by paths.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub version: u32,
    /// Which deploy wrote it.
    pub deploy: String,
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
}

impl Record {
    /// Reads the file. One that is damaged is as none: then all is sent again. One of a later version is left alone.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let record: Self = serde_json::from_slice(bytes).unwrap_or_default();
        if record.version > VERSION {
            return Err(Fault::lasting(
                format!("{RECORD} out there was written by a later version of this program"),
                "update this program, or delete that file there: everything is then sent again",
            ));
        }
        Ok(record)
    }

    /// The file's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let record = Self {
            version: VERSION,
            ..self.clone()
        };
        let mut bytes = serde_json::to_vec(&record).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

impl Entry {
    /// How the fields of a file are noted.
    pub fn fields(sent_as: &SentAs) -> String {
        format!("{} | {}", sent_as.media_type, sent_as.cache_control)
    }
}
