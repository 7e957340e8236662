//! What recurs: the rules of RFC 5545 (section 3.3.10) and the times they stand for.
//!
//! A [`Recurrence`] is what an event says of its series; [`Recurrence::occurrences`] are its times, in
//! order and without end where it has none. Knows nothing of calendars and uses no other room. Our own
//! because the published `rrule` crate loses and doubles times where clocks change.
//!
//! ```
//! use feedwright::recurrence::{EventTime, Recurrence};
//!
//! let start = EventTime::Moment("2026-03-27T20:00[Europe/Berlin]".parse()?);
//! let weekly = Recurrence::parse(["RRULE:FREQ=WEEKLY;COUNT=2"], &start).map_err(|fault| fault.message)?;
//! let times: Vec<String> = weekly.occurrences(&start).map(|time| time.compact()).collect();
//! assert_eq!(times, ["20260327T190000Z", "20260403T180000Z"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod days;
mod occurrences;
mod parse;
mod rule;
mod set;
mod time;
mod times;

pub use occurrences::Occurrences;
pub use parse::RuleError;
pub use rule::{End, Frequency, Rule, Until};
pub use set::{Fault, Recurrence};
pub use time::EventTime;
