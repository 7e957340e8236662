//! Tests of recurrence rules and their occurrences.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod clock_changes;
mod edge_cases;
mod independent;
mod properties;
mod rfc;
mod rules;
mod sets;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use recurrence::{EventTime, Recurrence};

/// The start and recurrence of an event.
struct Series {
    start: EventTime,
    recurrence: Recurrence,
}

impl Series {
    fn new(start: &EventTime, lines: &[&str]) -> Self {
        Self {
            recurrence: Recurrence::parse(lines.iter().copied(), start).unwrap(),
            start: start.clone(),
        }
    }

    fn occurrences(&self) -> impl Iterator<Item = EventTime> {
        self.recurrence.occurrences(&self.start)
    }

    fn occurrences_from(&self, from: Timestamp) -> impl Iterator<Item = EventTime> {
        self.recurrence.occurrences_from(&self.start, from)
    }

    fn contains(&self, time: &EventTime) -> bool {
        self.occurrences_from(instant(time)).next().as_ref() == Some(time)
    }

    fn is_synchronized(&self) -> bool {
        self.recurrence.is_synchronized(&self.start)
    }
}

/// Returns the instant of a time. For a whole day, this is midnight UTC.
fn instant(time: &EventTime) -> Timestamp {
    time.instant(&jiff::tz::TimeZone::UTC)
}

/// Parses a start such as `2026-11-21`, `2026-11-21T09:00 Europe/Berlin` or `2026-11-21T09:00`. The
/// default time zone is New York, as in the examples of RFC 5545.
fn start(text: &str) -> EventTime {
    if let Ok(date) = text.parse::<Date>()
        && !text.contains('T')
    {
        return EventTime::Day(date);
    }
    let (civil, zone) = text.split_once(' ').unwrap_or((text, "America/New_York"));
    let civil: DateTime = civil.parse().unwrap();
    EventTime::Moment(civil.in_tz(zone).unwrap())
}

/// Parses a start, and lines separated by spaces. A line without a property name is an RRULE.
fn series(text: &str, lines: &str) -> Series {
    Series::new(&start(text), &lines.split_whitespace().collect::<Vec<_>>())
}

/// Formats the first `count` occurrences as local times, without seconds if they are zero.
fn format_occurrences(series: &Series, count: usize) -> Vec<String> {
    let show = |time| match time {
        EventTime::Day(date) => date.to_string(),
        EventTime::Moment(time) => {
            let text = time.datetime().to_string();
            text.strip_suffix(":00").map(str::to_owned).unwrap_or(text)
        }
    };
    series.occurrences().take(count).map(show).collect()
}
