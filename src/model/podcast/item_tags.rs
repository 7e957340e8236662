//! What only an item has: where it stands in the show, and what is inside it.

use borsh::{BorshDeserialize, BorshSerialize};
use std::hash::{Hash, Hasher};

use schemars::JsonSchema;
use serde::Serialize;

/// `podcast:chapters` where the document lies elsewhere.
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Debug,
    Clone,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    JsonSchema,
)]
pub struct ChaptersLink {
    /// Its absolute URL.
    pub url: String,
    /// Its media type, mostly `application/json+chapters`.
    #[serde(rename = "type")]
    pub media_type: String,
}

/// `podcast:soundbite`: a passage worth hearing by itself.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Serialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct Soundbite {
    /// Where it starts, in seconds from the start of the enclosure.
    pub start_time: f64,
    /// How long it is, in seconds; 15 to 120 are recommended.
    pub duration: f64,
    /// Its title, at most 128 characters; apps take the episode's where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl Hash for Soundbite {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            start_time,
            duration,
            title,
        } = self;
        (start_time.to_bits(), duration.to_bits(), title).hash(state);
    }
}

/// `podcast:season`.
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Debug,
    Clone,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    JsonSchema,
)]
pub struct Season {
    /// Its number.
    pub number: i64,
    /// Its name, at most 128 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// `podcast:episode`.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Serialize, JsonSchema,
)]
pub struct Episode {
    /// Its number, which may have decimals (`100.5`).
    pub number: f64,
    /// What is shown in place of the number, at most 32 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
}

impl Hash for Episode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { number, display } = self;
        (number.to_bits(), display).hash(state);
    }
}
