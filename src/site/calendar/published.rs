//! The public part of the calendars: what is published, its revisions and UIDs.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{CalendarEntry, Calendars, Exception, Occurrence, Series};
use model::calendar::Event;

/// The time revision numbers count from, in seconds since 1970: 2020-01-01T00:00:00Z.
const COUNTED_SINCE: i64 = 1_577_836_800;

impl Calendars {
    /// The calendars that have something the site publishes.
    pub fn published(&self) -> impl Iterator<Item = &CalendarEntry> {
        self.all.iter().filter(|entry| entry.is_published())
    }
}

impl CalendarEntry {
    /// Whether it has anything that the site publishes.
    pub fn is_published(&self) -> bool {
        self.calendar.is_public && self.series.iter().any(|series| series.is_published())
    }

    /// When what is published of it was last changed.
    pub fn revised(&self) -> Option<Timestamp> {
        let series = self.series.iter().filter(|series| series.is_published());
        let times = series.flat_map(|series| {
            let differing = series.exceptions.iter().map(|exception| exception.revised);
            differing.chain([series.revised])
        });
        times.max()
    }

    /// The zone of its days.
    pub fn zone(&self) -> &TimeZone {
        &self.calendar.time_zone
    }
}

impl Series {
    /// Whether the public may see it, or one of its instances.
    pub fn is_published(&self) -> bool {
        let is_public = |event: &Arc<Event>| event.visibility().is_public();
        is_public(&self.event) || self.exceptions.iter().any(|one| is_public(&one.event))
    }

    /// Its UID in other calendar apps: the author's, or its id at the site's host. That is the host of
    /// `site.toml`, also in a preview at another address.
    pub fn uid(&self, host: &str) -> String {
        uid(&self.event, host)
    }

    /// How often it was revised: what its author counts, or the seconds from 2020 to when it last was,
    /// which rise with every change.
    pub fn sequence(&self) -> u32 {
        sequence(&self.event, self.revised)
    }

    /// When an event of this series was last changed: the exception if it is one, otherwise the series.
    pub fn revised_of(&self, event: &Event) -> Timestamp {
        let differs = |exception: &&Exception| exception.event.source == event.source;
        let differing = self.exceptions.iter().find(differs);
        differing.map_or(self.revised, |exception| exception.revised)
    }
}

impl Exception {
    /// How often it was revised, as [`Series::sequence`] has it.
    pub fn sequence(&self) -> u32 {
        sequence(&self.event, self.revised)
    }
}

impl Occurrence {
    /// The UID of its event or series; see [`Series::uid`].
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

/// The number of a revision: the seconds from 2020 to when it was made.
pub fn revision(made: Timestamp) -> u32 {
    let counted = made.as_second().saturating_sub(COUNTED_SINCE);
    // RFC 5545, section 3.3.8: an INTEGER has 31 bits.
    let counted = counted.clamp(0, i64::from(i32::MAX));
    u32::try_from(counted).unwrap_or_default()
}
