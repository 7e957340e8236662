//! The public part of the calendars, with revision numbers and UIDs.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{CalendarEntry, Calendars, Exception, Occurrence, Series};
use model::calendar::Event;

/// The origin of revision numbers in seconds since 1970: 2020-01-01T00:00:00Z.
const REVISION_EPOCH: i64 = 1_577_836_800;

impl Calendars {
    /// Returns the calendars with published events.
    pub fn published(&self) -> impl Iterator<Item = &CalendarEntry> {
        self.all.iter().filter(|entry| entry.is_published())
    }
}

impl CalendarEntry {
    /// Returns whether the site publishes any event of the calendar.
    pub fn is_published(&self) -> bool {
        self.calendar.is_public && self.series.iter().any(|series| series.is_published())
    }

    /// Returns the time when the published part of the calendar last changed.
    pub fn revised(&self) -> Option<Timestamp> {
        let series = self.series.iter().filter(|series| series.is_published());
        let times = series.flat_map(|series| {
            let changed_instances = series.exceptions.iter().map(|exception| exception.revised);
            changed_instances.chain([series.revised])
        });
        times.max()
    }

    /// Returns the time zone of the calendar's days.
    pub fn zone(&self) -> &TimeZone {
        &self.calendar.time_zone
    }
}

impl Series {
    /// Returns whether the series or one of its instances is public.
    pub fn is_published(&self) -> bool {
        let is_public = |event: &Arc<Event>| event.visibility().is_public();
        is_public(&self.event) || self.exceptions.iter().any(|one| is_public(&one.event))
    }

    /// Returns the UID for other calendar apps: the `iCalUID` that the author wrote, or `<id>@<host
    /// of the site>`. The host comes from `site.toml`, even in a preview at another address.
    pub fn uid(&self, host: &str) -> String {
        uid(&self.event, host)
    }

    /// Returns the revision number: the author's number, or the number of seconds from 2020 to the
    /// last change, which grows with every change.
    pub fn sequence(&self) -> u32 {
        sequence(&self.event, self.revised)
    }

    /// Returns the time when an event of this series last changed: the time of the exception, or
    /// else the time of the series.
    pub fn revised_of(&self, event: &Event) -> Timestamp {
        let differs = |exception: &&Exception| exception.event.source == event.source;
        let changed_instances = self.exceptions.iter().find(differs);
        changed_instances.map_or(self.revised, |exception| exception.revised)
    }
}

impl Exception {
    /// Returns the revision number, as [`Series::sequence`] does.
    pub fn sequence(&self) -> u32 {
        sequence(&self.event, self.revised)
    }
}

impl Occurrence {
    /// Returns the UID of the event or series (see [`Series::uid`]).
    pub fn uid(&self, host: &str) -> String {
        uid(&self.series, host)
    }
}

fn uid(event: &Event, host: &str) -> String {
    let own = event.ical_uid.clone();
    own.unwrap_or_else(|| format!("{}@{host}", event.id))
}

fn sequence(event: &Event, revised: Timestamp) -> u32 {
    event.sequence.unwrap_or_else(|| revision(revised))
}

/// Returns the number of a revision: the seconds from 2020 to the time of the revision.
pub fn revision(made: Timestamp) -> u32 {
    let counted = made.as_second().saturating_sub(REVISION_EPOCH);
    // RFC 5545, section 3.3.8: an INTEGER has at most 31 bits.
    let counted = counted.clamp(0, i64::from(i32::MAX));
    u32::try_from(counted).unwrap_or_default()
}
