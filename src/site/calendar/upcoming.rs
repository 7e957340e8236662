//! What comes next.

use jiff::Timestamp;

use super::{CalendarEntry, Calendars, Occurrence};
use crate::model::calendar::{EventStatus, EventTime};

/// How far ahead is looked for what comes next, in days.
const AHEAD: i64 = 366;

/// Most events of a site that count as upcoming.
pub const MOST_UPCOMING: usize = 20;

impl Calendars {
    /// What the public is told comes next, in the order of its starts: events that go on or are to
    /// come within a year, none of them called off or private.
    pub fn upcoming(&self, now: Timestamp) -> Vec<(&CalendarEntry, Occurrence)> {
        let until = now
            .checked_add(jiff::SignedDuration::from_hours(24 * AHEAD))
            .unwrap_or(Timestamp::MAX);
        let is_shown = |occurrence: &Occurrence| {
            let event = &occurrence.event;
            event.status() != EventStatus::Cancelled && event.visibility().is_public()
        };
        let mut found: Vec<_> = self
            .public()
            .flat_map(|entry| {
                let next = entry.between(now, until, MOST_UPCOMING, &is_shown);
                next.into_iter().map(move |occurrence| (entry, occurrence))
            })
            .collect();
        found.sort_by_cached_key(|(entry, occurrence)| occurrence.order(&entry.calendar.time_zone));
        found.truncate(MOST_UPCOMING);
        found
    }

    /// The next time at which what is upcoming changes: one of those events starts or ends.
    pub fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        let upcoming = self.upcoming(now);
        let times = upcoming.iter().flat_map(|(entry, occurrence)| {
            let zone = &entry.calendar.time_zone;
            [occurrence.start(zone), occurrence.end(zone)]
        });
        times.filter(|time| *time > now).min()
    }
}

impl Occurrence {
    /// Whether it lasts whole days.
    pub fn is_all_day(&self) -> bool {
        matches!(self.span.start, EventTime::Day(_))
    }
}
