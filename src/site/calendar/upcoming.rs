//! Upcoming events.

use jiff::{SignedDuration, Timestamp};

use super::{CalendarEntry, Calendars, Occurrence, Series};
use model::calendar::{Event, EventStatus, EventTime};

/// How far ahead upcoming events are searched.
const SEARCH_AHEAD: SignedDuration = SignedDuration::from_hours(24 * 366);

/// Maximum number of upcoming events of a site.
pub const MAX_UPCOMING: usize = 20;

/// Maximum number of upcoming events of one series, so that a daily event does not crowd out
/// others.
const MAX_PER_SERIES: usize = 3;

impl Calendars {
    /// Returns the public upcoming events, ordered by start: events that are running or start
    /// within a year. Cancelled and private events are left out, and each series is limited to its
    /// first `MAX_PER_SERIES` events.
    pub fn upcoming(&self, now: Timestamp) -> Vec<(&CalendarEntry, Occurrence)> {
        let next = |entry: &CalendarEntry, series: &Series| {
            let zone = entry.zone();
            let mut next = series.between(
                zone,
                now,
                add_saturating(now, SEARCH_AHEAD),
                MAX_PER_SERIES,
                &is_shown,
            );
            next.sort_by_cached_key(|occurrence| occurrence.order(zone));
            next.truncate(MAX_PER_SERIES);
            next
        };
        let mut found: Vec<_> = self
            .public()
            .flat_map(|entry| entry.series.iter().map(move |series| (entry, series)))
            .flat_map(|(entry, series)| {
                let next = next(entry, series).into_iter();
                next.map(move |occurrence| (entry, occurrence))
            })
            .collect();
        found.sort_by_cached_key(|(entry, occurrence)| occurrence.order(entry.zone()));
        found.truncate(MAX_UPCOMING);
        found
    }

    /// Returns the next time at which the upcoming events or the status of a live show changes.
    pub fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        let changes = [self.next_change_of_upcoming(now), self.next_change_of_shows(now)];
        changes.into_iter().flatten().min()
    }

    /// Returns the next time at which an upcoming event starts or ends, or at which another event's
    /// start is less than a year away.
    fn next_change_of_upcoming(&self, now: Timestamp) -> Option<Timestamp> {
        let upcoming = self.upcoming(now);
        let times = upcoming.iter().flat_map(|(entry, occurrence)| {
            [occurrence.start(entry.zone()), occurrence.end(entry.zone())]
        });
        let until = add_saturating(now, SEARCH_AHEAD);
        let coming = self.public().filter_map(|entry| {
            let zone = entry.zone();
            let is_later = |one: &Occurrence| one.start(zone) >= until;
            let within = (until, add_saturating(until, SEARCH_AHEAD));
            let series = entry.series.iter();
            let next =
                series.flat_map(|one| one.between_where(zone, within, 1, &is_shown, is_later));
            let first = next.map(|one| one.start(zone)).min()?;
            enters_window_at(SEARCH_AHEAD, first)
        });
        times.chain(coming).filter(|time| *time > now).min()
    }
}

impl Occurrence {
    /// Returns whether the occurrence lasts whole days.
    pub fn is_all_day(&self) -> bool {
        matches!(self.span.start, EventTime::Day(_))
    }

    /// Returns whether the occurrence belongs to a series.
    pub fn is_recurring(&self) -> bool {
        self.original.is_some()
    }
}

fn is_shown(event: &Event) -> bool {
    let takes_place = event.status() != EventStatus::Cancelled;
    takes_place && event.visibility().is_public()
}

/// Returns `time` plus `long`, or the maximum time on overflow.
pub(super) fn add_saturating(time: Timestamp, long: SignedDuration) -> Timestamp {
    time.checked_add(long).unwrap_or(Timestamp::MAX)
}

/// Returns the time when a start is first within `ahead`. This is one nanosecond after the distance
/// is exactly `ahead`, because a span does not include its end.
pub(super) fn enters_window_at(ahead: SignedDuration, start: Timestamp) -> Option<Timestamp> {
    let reached = start.checked_sub(ahead).ok()?;
    reached.checked_add(SignedDuration::from_nanos(1)).ok()
}
