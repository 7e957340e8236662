//! Recurrence rules of RFC 5545 (section 3.3.10) and the times they stand for.
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
//! A [`Recurrence`] is read from the lines of an event: RRULE, EXRULE, RDATE and EXDATE. Its
//! [`occurrences`](Recurrence::occurrences) merge the times of all rules and dates. Each rule steps from period to
//! period, which its frequency makes, and lists the days and times of day that its parts choose there.
//!
//! # What holds here
//!
//! - It knows nothing of calendars, files or sites: lines are strings, times are [`jiff`]'s.
//! - No line makes it panic, and every step of a series ends: a rule that gives nothing for 100,000 periods, or
//!   whose times are excluded 20,000 times in a row, counts as ended.
//! - Times ascend, and none comes twice.
//! - [`Recurrence::occurrences_from`] a late moment costs as little as the first times do.
//!
//! # Where the RFC leaves room
//!
//! - **The start** is always the first time, also where no rule gives it, and COUNT counts it (section 3.8.5.3).
//! - **Clocks:** a rule has no time in an hour that the clock skips, and does not count it. In an hour
//!   that comes twice its time is the first.
//! - **BYWEEKNO:** the days of a week belong to the year of the week's number.
//! - **A leap second** is the second before it.
//! - **Other calendars** (RSCALE and SKIP of RFC 7529) are refused.
//!
//! The published `rrule` crate loses and doubles times where clocks change; that is why this one is here.

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
