//! A chapter of an episode, in the shape of Podcasting 2.0 [JSON chapters 1.2.0][spec]: as JSON it is one chapter object
//! of such a document.
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
        /// Where it starts, in seconds from the start of the episode; not before the chapter above it.
        Required start_time: f64 = "startTime", WholeSeconds;
        /// Its name.
        Optional title: Option<String> = "title", Text(4096);
        /// A picture to show while it plays.
        Optional img: Option<String> = "img", Address;
        /// A page about it.
        Optional url: Option<String> = "url", Url;
        /// False keeps it out of the list that players show.
        Optional toc: Option<bool> = "toc", Flag;
        /// Where it ends, in seconds from the start of the episode; where the next one starts when left out.
        Optional end_time: Option<f64> = "endTime", WholeSeconds;
        /// The place it is about; `name` and `geo` have to be there.
        Optional location: Option<ChapterLocation> = "location", Records;
    }

    /// The place a chapter is about (Podcasting 2.0 `podcast:location`).
    #[derive(BorshDeserialize, BorshSerialize, Clone, Debug, Default, PartialEq, Eq)]
    ChapterLocation {
        /// The place's name, for people.
        Required name: String = "name", Text(128);
        /// A geo URI (RFC 5870), such as `geo:48.858093,2.294694`.
        Required geo: String = "geo", Form(&GEO);
        /// An OpenStreetMap object, such as `R113314`.
        Optional osm: Option<String> = "osm", Form(&OSM);
    }
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
