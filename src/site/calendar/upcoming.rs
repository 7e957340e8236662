//! The next events.

use jiff::{SignedDuration, Timestamp};

use super::{CalendarEntry, Calendars, Occurrence, Series};
use model::calendar::{Event, EventStatus, EventTime};

/// How far ahead upcoming events are looked for.
const AHEAD: SignedDuration = SignedDuration::from_hours(24 * 366);

/// Most events of a site that count as upcoming.
pub const MOST_UPCOMING: usize = 20;

/// Most of one series among them, so that a daily event does not crowd out the others.
const MOST_OF_A_SERIES: usize = 3;

impl Calendars {
    /// The public upcoming events in the order of their starts: those that are on or start within a year,
    /// without cancelled and private ones, and only the first few of each series.
    pub fn upcoming(&self, now: Timestamp) -> Vec<(&CalendarEntry, Occurrence)> {
        let next = |entry: &CalendarEntry, series: &Series| {
            let zone = entry.zone();
            let mut next =
                series.between(zone, now, after(now, AHEAD), MOST_OF_A_SERIES, &is_shown);
            next.sort_by_cached_key(|occurrence| occurrence.order(zone));
            next.truncate(MOST_OF_A_SERIES);
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
        found.truncate(MOST_UPCOMING);
        found
    }

    /// The next time at which the upcoming events or the status of a live show change.
    pub fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        let changes = [self.next_change_of_upcoming(now), self.next_change_of_shows(now)];
        changes.into_iter().flatten().min()
    }

    /// When one of the events starts or ends, or another comes within a year.
    fn next_change_of_upcoming(&self, now: Timestamp) -> Option<Timestamp> {
        let upcoming = self.upcoming(now);
        let times = upcoming.iter().flat_map(|(entry, occurrence)| {
            [occurrence.start(entry.zone()), occurrence.end(entry.zone())]
        });
        let until = after(now, AHEAD);
        let coming = self.public().filter_map(|entry| {
            let zone = entry.zone();
            let is_later = |one: &Occurrence| one.start(zone) >= until;
            let within = (until, after(until, AHEAD));
            let series = entry.series.iter();
            let next =
                series.flat_map(|one| one.between_where(zone, within, 1, &is_shown, is_later));
            let first = next.map(|one| one.start(zone)).min()?;
            comes_within(AHEAD, first)
        });
        times.chain(coming).filter(|time| *time > now).min()
    }
}

impl Occurrence {
    /// Whether it lasts whole days.
    pub fn is_all_day(&self) -> bool {
        matches!(self.span.start, EventTime::Day(_))
    }

    /// Whether it is one of a series.
    pub fn is_recurring(&self) -> bool {
        self.original.is_some()
    }
}

fn is_shown(event: &Event) -> bool {
    let takes_place = event.status() != EventStatus::Cancelled;
    takes_place && event.visibility().is_public()
}

/// `time` plus `long`, or the last time there is.
pub(super) fn after(time: Timestamp, long: SignedDuration) -> Timestamp {
    time.checked_add(long).unwrap_or(Timestamp::MAX)
}

/// When a start becomes less than `ahead` away: the instant after it is exactly that far, because a span
/// does not include its end.
pub(super) fn comes_within(ahead: SignedDuration, start: Timestamp) -> Option<Timestamp> {
    let reached = start.checked_sub(ahead).ok()?;
    reached.checked_add(SignedDuration::from_nanos(1)).ok()
}
