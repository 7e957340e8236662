//! What only a channel has: rules for platforms, its rhythm, live streams.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Enclosure, ItemPodcast, RemoteItem};
use crate::model::{Author, Image};

/// `podcast:locked`: whether other hosts may import the feed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct Locked {
    /// Whether they may not.
    pub locked: bool,
    /// The e-mail address that proves ownership.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// `podcast:block`: whether a platform, or every platform, is to leave the feed out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct Block {
    /// The platform, of [`SERVICES`](super::vocabulary::SERVICES); every platform where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether it is to leave the feed out.
    pub block: bool,
}

/// `podcast:updateFrequency`: how often there is something new.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct UpdateFrequency {
    /// For people, at most 128 characters; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Whether nothing more will come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// The ISO 8601 date, or date and time, the rule starts at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtstart: Option<String>,
    /// A recurrence rule (RFC 5545 section 3.3.10).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rrule: Option<String>,
}

/// `podcast:publisher`: the publisher's feed, whose medium is `publisher`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Publisher {
    /// That feed.
    pub remote_item: RemoteItem,
}

/// Where a live stream stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LiveStatus {
    /// It has not started.
    Pending,
    /// It is on.
    Live,
    /// It is over.
    Ended,
}

impl LiveStatus {
    /// The names an author can write.
    pub const NAMES: [&str; 3] = ["pending", "live", "ended"];

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "pending" => Some(Self::Pending),
            "live" => Some(Self::Live),
            "ended" => Some(Self::Ended),
            _ => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Live => "live",
            Self::Ended => "ended",
        }
    }
}

/// `podcast:liveItem`: a live stream. It is described like an item.
#[derive(Debug, Clone, PartialEq, Hash, Serialize, JsonSchema)]
pub struct LiveItem {
    /// Where it stands; apps go by this, not by the times.
    pub status: LiveStatus,
    /// When it is to start.
    #[serde(serialize_with = "super::time")]
    #[schemars(with = "String")]
    pub start: Timestamp,
    /// When it is to end.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "super::optional_time"
    )]
    #[schemars(with = "Option<String>")]
    pub end: Option<Timestamp>,
    /// Its title.
    pub title: String,
    /// Its id; apps take another one for another stream.
    pub guid: String,
    /// What it is about, as plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Its cover.
    #[serde(skip)]
    pub image: Option<Image>,
    /// Who makes it.
    #[serde(skip)]
    pub authors: Vec<Author>,
    /// Whether it is explicit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explicit: Option<bool>,
    /// The stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enclosure: Option<Enclosure>,
    /// The tags that an item has too.
    #[serde(flatten)]
    pub podcast: ItemPodcast,
}
