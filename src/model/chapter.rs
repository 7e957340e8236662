//! A chapter of an episode, in the shape of Podcasting 2.0 JSON chapters 1.2.0.

use borsh::{BorshDeserialize, BorshSerialize};
use std::hash::{Hash, Hasher};

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Number;

/// A chapter of an episode.
///
/// Serialized it is one chapter object of a [JSON chapters 1.2.0][spec] document: absent fields are
/// left out and a whole number of seconds has no decimal point.
///
/// ```
/// use feedwright::model::chapter::Chapter;
///
/// let chapter = Chapter {
///     start_time: 168.0,
///     title: Some("Hearing aids".to_owned()),
///     ..Chapter::default()
/// };
/// assert_eq!(
///     serde_json::to_string(&chapter)?,
///     r#"{"startTime":168,"title":"Hearing aids"}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// [spec]: https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/chapters/jsonChapters.md
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Clone,
    Debug,
    Default,
    PartialEq,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "camelCase")]
#[schemars(description = "A chapter of an episode (Podcasting 2.0 JSON chapters 1.2.0).")]
pub struct Chapter {
    /// Where the chapter starts, in seconds from the start of the episode.
    #[serde(serialize_with = "seconds")]
    pub start_time: f64,
    /// What a player lists the chapter as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The address of a picture to show while the chapter plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub img: Option<String>,
    /// The address of a page about what the chapter is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `Some(false)` keeps the chapter out of the table of contents; absent means it is listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toc: Option<bool>,
    /// Where the chapter ends, in seconds; absent means where the next one starts.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "optional_seconds"
    )]
    pub end_time: Option<f64>,
    /// The place the chapter is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<ChapterLocation>,
}

impl Hash for Chapter {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            start_time,
            title,
            img,
            url,
            toc,
            end_time,
            location,
        } = self;
        (
            start_time.to_bits(),
            title,
            img,
            url,
            toc,
            end_time.map(f64::to_bits),
            location,
        )
            .hash(state);
    }
}

/// The place a chapter is about (Podcasting 2.0 `podcast:location`).
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Clone,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
pub struct ChapterLocation {
    /// The place's name, for people.
    pub name: String,
    /// A geo URI (RFC 5870), such as `geo:48.858093,2.294694`.
    pub geo: String,
    /// An OpenStreetMap object, such as `R113314`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub osm: Option<String>,
}

/// Why a list of chapters cannot be published as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderError {
    /// The chapter at fault, counted from 0.
    pub index: usize,
    /// The JSON name of its field at fault: `startTime` or `endTime`.
    pub field: &'static str,
    /// What is wrong with it.
    pub fault: OrderFault,
}

/// What is wrong with a chapter's time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OrderFault {
    /// It is NaN or infinite.
    NotFinite,
    /// It is below 0.
    Negative,
    /// The chapter starts before the one above it.
    BeforePrevious {
        /// Where the chapter above starts, in seconds.
        previous: f64,
    },
    /// The chapter ends before it starts.
    EndBeforeStart {
        /// Where the chapter starts, in seconds.
        start: f64,
    },
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field;
        match self.fault {
            OrderFault::NotFinite => write!(f, "{field} is not a finite number of seconds"),
            OrderFault::Negative => write!(f, "{field} is below 0"),
            OrderFault::BeforePrevious { previous } => {
                write!(f, "starts before the chapter above it, at {previous} s")
            }
            OrderFault::EndBeforeStart { start } => {
                write!(f, "ends before it starts, at {start} s")
            }
        }
    }
}

impl std::error::Error for OrderError {}

impl Chapter {
    /// Checks the times of a chapter after one that starts at `previous`: they are finite and not negative, and ascend.
    /// Equal starts are allowed, since a silent chapter (`toc: false`) may lie under a listed one.
    ///
    /// # Errors
    ///
    /// The field at fault.
    pub(crate) fn check(&self, previous: f64) -> Result<(), (&'static str, OrderFault)> {
        let start = self.start_time;
        if !start.is_finite() {
            return Err(("startTime", OrderFault::NotFinite));
        }
        if start < 0.0 {
            return Err(("startTime", OrderFault::Negative));
        }
        if start < previous {
            return Err(("startTime", OrderFault::BeforePrevious { previous }));
        }
        match self.end_time {
            Some(end) if !end.is_finite() => Err(("endTime", OrderFault::NotFinite)),
            Some(end) if end < start => Err(("endTime", OrderFault::EndBeforeStart { start })),
            _ => Ok(()),
        }
    }
}

/// Seconds as JSON: an integer when they are whole, as the specification's own examples write them. None for
/// what JSON has no number for.
pub(crate) fn seconds_as_json(seconds: f64) -> Option<Number> {
    // Below 2^53 every whole f64 is exactly one i64.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if seconds.fract() == 0.0 && seconds.abs() < EXACT {
        Some(Number::from(seconds as i64))
    } else {
        Number::from_f64(seconds)
    }
}

fn seconds<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    seconds_as_json(*value).serialize(serializer)
}

fn optional_seconds<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    value.and_then(seconds_as_json).serialize(serializer)
}
