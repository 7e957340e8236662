//! The upcoming events that pages show.

use std::hash::{Hash, Hasher};

use super::{Provider, hash_of};
use model::calendar::Calendar;
use model::podcast::LiveStatus;
use site::calendar::{CalendarEntry, Occurrence};

/// The next events of the calendars, ordered by start.
#[derive(Debug)]
pub struct Upcoming {
    pub events: Vec<UpcomingEvent>,
    fingerprint: u64,
}

/// Hashes only the fingerprint, which covers all data and is computed only once.
impl Hash for Upcoming {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fingerprint.hash(state);
    }
}

/// One occurrence of an event.
#[derive(Debug)]
pub struct UpcomingEvent {
    pub calendar: Calendar,
    pub occurrence: Occurrence,
    /// The status of a live show: pending, live or ended. None for other events.
    pub live_status: Option<LiveStatus>,
    /// A hash that changes whenever any part of the event or its calendar changes.
    made_of: u64,
}

impl Hash for UpcomingEvent {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.made_of, &self.calendar.id).hash(state);
        (self.occurrence.id(), self.live_status).hash(state);
    }
}

impl<'a> Provider<'a> {
    pub fn upcoming(&self) -> &'a Upcoming {
        let make = || {
            let next = self.snapshot.calendars.upcoming(self.snapshot.now);
            let next = next.into_iter();
            let events: Vec<UpcomingEvent> =
                next.map(|(entry, occurrence)| self.upcoming_event(entry, occurrence)).collect();
            Upcoming { fingerprint: hash_of(&events), events }
        };
        self.cache.upcoming.get_or_init(make)
    }

    fn upcoming_event(&self, entry: &CalendarEntry, occurrence: Occurrence) -> UpcomingEvent {
        let series = entry.find(occurrence.series.id.as_str());
        UpcomingEvent {
            live_status: occurrence.live_status(entry.zone(), self.snapshot.now),
            made_of: series.map_or(0, |series| series.fingerprint),
            calendar: entry.calendar.clone(),
            occurrence,
        }
    }
}
