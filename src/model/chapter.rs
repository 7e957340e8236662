//! A chapter of an episode. Its JSON is one chapter object of a [JSON chapters 1.2.0][spec]
//! document (Podcasting 2.0).
//!
//! ```
//! use model::chapter::Chapter;
//!
//! let chapter = Chapter {
//!     start_time: 168.0,
//!     title: Some("Hearing aids".to_owned()),
//!     ..Chapter::default()
//! };
//! assert_eq!(
//!     serde_json::to_string(&chapter)?,
//!     r#"{"startTime":168,"title":"Hearing aids"}"#
//! );
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! [spec]: https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/chapters/jsonChapters.md

use borsh::{BorshDeserialize, BorshSerialize};
use std::fmt;

use super::declare::records;
use super::place::{GEO, OSM};

records! {
    /// A chapter of an episode (Podcasting 2.0 JSON chapters 1.2.0).
    #[derive(BorshDeserialize, BorshSerialize, Clone, Debug, Default, PartialEq)]
    Chapter {
        /// Start in seconds from the start of the episode; not before the start of the previous
        /// chapter.
        Required start_time: f64 = "startTime", WholeSeconds;
        /// Title of the chapter.
        Optional title: Option<String> = "title", Text(4096);
        /// Picture to show during the chapter.
        Optional img: Option<String> = "img", Address;
        /// Page about the chapter.
        Optional url: Option<String> = "url", Url;
        /// Whether players list the chapter; false hides it from the list.
        Optional toc: Option<bool> = "toc", Flag;
        /// End in seconds from the start of the episode; by default, the start of the next chapter.
        Optional end_time: Option<f64> = "endTime", WholeSeconds;
        /// Place that the chapter is about; `name` and `geo` are required.
        Optional location: Option<ChapterLocation> = "location", Records;
    }

    /// A place that a chapter is about (Podcasting 2.0 `podcast:location`).
    #[derive(BorshDeserialize, BorshSerialize, Clone, Debug, Default, PartialEq, Eq)]
    ChapterLocation {
        /// Name of the place, for people.
        Required name: String = "name", Text(128);
        /// Geo URI (RFC 5870), such as `geo:48.858093,2.294694`.
        Required geo: String = "geo", Form(&GEO);
        /// OpenStreetMap object, such as `R113314`.
        Optional osm: Option<String> = "osm", Form(&OSM);
    }
}

/// The reason why a list of chapters cannot be published.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderError {
    /// Index of the faulty chapter, from 0.
    pub index: usize,
    /// JSON name of the faulty field: `startTime` or `endTime`.
    pub field: &'static str,
    pub fault: OrderFault,
}

/// A fault of a chapter's start or end time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OrderFault {
    /// The time is NaN or infinite.
    NotFinite,
    /// The time is below 0.
    Negative,
    /// The chapter starts before the previous one.
    BeforePrevious {
        /// Start of the previous chapter, in seconds.
        previous: f64,
    },
    /// The chapter ends before it starts.
    EndBeforeStart {
        /// Start of the chapter, in seconds.
        start: f64,
    },
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field;
        match self.fault {
            OrderFault::NotFinite => {
                write!(f, "has a {field} that is not a finite number of seconds")
            }
            OrderFault::Negative => write!(f, "has a {field} below 0"),
            OrderFault::BeforePrevious { previous } => {
                write!(f, "starts before the previous chapter, which starts at {previous} s")
            }
            OrderFault::EndBeforeStart { start } => {
                write!(f, "ends before its start at {start} s")
            }
        }
    }
}

impl std::error::Error for OrderError {}

impl Chapter {
    /// Validates the times of a chapter. The previous chapter starts at `previous`. The times must
    /// be finite, not negative, and ascending. Equal starts are allowed, since a silent chapter
    /// (`toc: false`) may overlap a listed one.
    ///
    /// # Errors
    ///
    /// Fails with the name of the faulty field, and its fault.
    pub fn check(&self, previous: f64) -> Result<(), (&'static str, OrderFault)> {
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
