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
//! [`occurrences`](Recurrence::occurrences) merges the occurrences of all rules and dates. For each
//! period of a rule's frequency, such as each month, the crate lists the days and times of day that
//! the rule's parts select.
//!
//! # Invariants
//!
//! - The crate is independent of calendars, files and sites: lines are strings, and times are
//!   [`jiff`] values.
//! - No line makes the crate panic or search forever. A series ends if a rule has no occurrence in
//!   100,000 consecutive periods, or if 20,000 consecutive occurrences are excluded.
//! - Occurrences are in ascending order, without duplicates.
//! - [`Recurrence::occurrences_from`] is equally fast for any time, however long after the start.
//!
//! # Where the RFC leaves room
//!
//! - **Start:** the start is always the first occurrence, unless it is excluded, and is included in
//!   COUNT, even if no rule produces it (section 3.8.5.3).
//! - **Clock changes:** a rule has no occurrence at a local time that the clock skips, and COUNT
//!   does not include that time. If the clock shows a local time twice, the rule selects the first.
//! - **BYWEEKNO:** the days of a week belong to the year of the week number.
//! - **Leap seconds** (60) are treated as second 59.
//! - **Other calendars** (RSCALE and SKIP of RFC 7529) are rejected.
//!
//! This crate exists because the published `rrule` crate loses and duplicates occurrences at clock
//! changes.

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
