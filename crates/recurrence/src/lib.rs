//! Recurrence rules of RFC 5545 (section 3.3.10) and their occurrences.
//!
//! ```
//! use recurrence::{EventTime, Recurrence};
//!
//! let start = EventTime::Moment("2026-03-27T20:00[Europe/Berlin]".parse()?);
//! let weekly = Recurrence::parse(["RRULE:FREQ=WEEKLY;COUNT=2"], &start)?;
//! let times: Vec<String> = weekly.occurrences(&start).map(|time| time.compact()).collect();
//! assert_eq!(times, ["20260327T190000Z", "20260403T180000Z"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Recurrence`] is parsed from the lines of an event: RRULE, EXRULE, RDATE and EXDATE.
//! [`occurrences`](Recurrence::occurrences) merges the times of all rules and dates. Each rule goes
//! from period to period, according to its frequency, and lists the days and times of day that its
//! parts select.
//!
//! # Invariants
//!
//! - The crate knows nothing of calendars, files or sites: lines are strings, and times are
//!   [`jiff`] values.
//! - No line makes the crate panic, and every step of a series ends. A series counts as ended if a
//!   rule has no time in 100,000 periods, or if 20,000 times in a row are excluded.
//! - Times are in ascending order, without duplicates.
//! - [`Recurrence::occurrences_from`] takes no longer for a late time than for the first times.
//!
//! # Where the RFC leaves room
//!
//! - **Start:** the start is always the first time, even if no rule produces it, and counts for
//!   COUNT (section 3.8.5.3).
//! - **Clock changes:** a rule has no time in an hour that the clock skips, and does not count it.
//!   In an hour that occurs twice, the time is in the first.
//! - **BYWEEKNO:** the days of a week belong to the year of the week number.
//! - **Leap seconds** (60) count as second 59.
//! - **Other calendars** (RSCALE and SKIP of RFC 7529) are rejected.
//!
//! The published `rrule` crate loses and duplicates times at clock changes, so this crate exists.

mod days;
mod occurrences;
mod parse;
mod rule;
mod rule_times;
mod set;
mod time;
mod times;

pub use occurrences::Occurrences;
pub use parse::RuleError;
pub use rule::{End, Frequency, Rule, Until};
pub use set::{LineError, Recurrence};
pub use time::EventTime;
