//! Who, where, and under which licence.

use borsh::{BorshDeserialize, BorshSerialize};
use schemars::JsonSchema;
use serde::Serialize;

/// `podcast:person`: someone who takes part.
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
pub struct Person {
    /// The full name or alias, 1 to 128 characters.
    pub name: String,
    /// A role of the Podcast Taxonomy; apps take `host` where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// A group of the Podcast Taxonomy; apps take `cast` where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The absolute URL of a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub img: Option<String>,
    /// A page about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
}

/// `podcast:license`: what others may do with the media.
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
pub struct License {
    /// A known licence's identifier, or the name of one's own; at most 128 characters.
    pub identifier: String,
    /// Its text. Always there where the identifier is not in the specification's list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// `podcast:location`: a place.
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
pub struct Location {
    /// The place's name, for people; 1 to 128 characters.
    pub name: String,
    /// What the place is to the content; apps take `subject` where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rel: Option<LocationRel>,
    /// A geo URI (RFC 5870), such as `geo:48.858093,2.294694`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geo: Option<String>,
    /// An OpenStreetMap object, such as `R113314`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub osm: Option<String>,
    /// A country's code (ISO 3166-1 alpha-2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// What a [`Location`] is to the content.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum LocationRel {
    /// What the content is about.
    Subject,
    /// Where it was made.
    Creator,
}

impl LocationRel {
    /// The names an author can write.
    pub const NAMES: [&str; 2] = ["subject", "creator"];

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "subject" => Some(Self::Subject),
            "creator" => Some(Self::Creator),
            _ => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Subject => "subject",
            Self::Creator => "creator",
        }
    }
}
