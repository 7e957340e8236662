//! The calendars of a site: events with the changed instances of their series, and when they take place.

mod checks;
mod gather;
mod live;
mod lookup;
mod occurrence;
mod published;
mod realtime_apps;
mod upcoming;

pub use gather::calendars;
pub use occurrence::{Keep, Occurrence, span_at, starts};
pub use published::revision;
pub use realtime_apps::check_apps;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use model::MediaFile;
use model::calendar::{Calendar, CalendarId, Event};
use source::history::History;

/// Every calendar, by id.
#[derive(Debug, Clone)]
pub struct Calendars {
    pub all: Vec<CalendarEntry>,
    /// Whether their files do not contradict each other.
    is_sound: bool,
    /// The zone of calendars that name none, and the site's host.
    made_for: (TimeZone, String),
    /// The files they were made of: the same files make the same calendars.
    made_of: gather::Files,
    /// Tells when their files were last changed.
    history: Arc<History>,
}

/// A calendar with its events.
#[derive(Debug, Clone)]
pub struct CalendarEntry {
    pub calendar: Calendar,
    /// Its events, by id.
    pub series: Vec<Arc<Series>>,
}

/// A single event or a series, with the instances of the series that differ.
#[derive(Debug, Clone)]
pub struct Series {
    pub event: Arc<Event>,
    /// The instances that differ, each with all that its file leaves out, in the order of the times
    /// they would have started at.
    pub exceptions: Vec<Exception>,
    /// When the event itself was last changed, without its exceptions.
    pub revised: Timestamp,
    /// Changes whenever anything of it changes.
    pub fingerprint: u64,
}

/// An instance of a series that differs.
#[derive(Debug, Clone)]
pub struct Exception {
    pub event: Arc<Event>,
    /// When it, or the series, was last changed.
    pub revised: Timestamp,
    /// Changes whenever anything of its own file changes.
    pub fingerprint: u64,
}

impl Calendars {
    /// The calendar of an id; `primary` means the one that is marked so, or the only one.
    pub fn find(&self, id: &str) -> Option<&CalendarEntry> {
        match id {
            CalendarId::PRIMARY => self.primary(),
            id => self.all.iter().find(|entry| entry.calendar.id.as_str() == id),
        }
    }

    fn primary(&self) -> Option<&CalendarEntry> {
        let marked = self.all.iter().find(|entry| entry.calendar.is_primary);
        marked.or(match self.all.as_slice() {
            [only] => Some(only),
            _ => None,
        })
    }

    /// Whether a calendar is the one that `primary` means.
    pub fn is_primary(&self, id: &CalendarId) -> bool {
        self.primary().is_some_and(|entry| entry.calendar.id == *id)
    }

    /// The events that have a body of their own: all but instances with the text of their series.
    pub fn bodies(&self) -> impl Iterator<Item = &Event> {
        let series = self.all.iter().flat_map(|entry| &entry.series);
        series.flat_map(|series| {
            let differing = series.exceptions.iter().map(|exception| &*exception.event);
            let differing = differing.filter(|event| event.content != series.event.content);
            differing.chain([&*series.event])
        })
    }

    /// The calendars that the site publishes.
    pub fn public(&self) -> impl Iterator<Item = &CalendarEntry> {
        self.all.iter().filter(|entry| entry.calendar.is_public)
    }
}

/// The fingerprints of its events stand for their files and its own. When they were last changed may come
/// from the history of the repository.
impl Hash for CalendarEntry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.calendar.id.hash(state);
        for series in &self.series {
            (series.fingerprint, series.revised).hash(state);
            for exception in &series.exceptions {
                exception.revised.hash(state);
            }
        }
    }
}

impl CalendarEntry {
    /// The files that its events name and that are published with them.
    pub fn media(&self) -> impl Iterator<Item = &MediaFile> {
        let own = self.series.iter().map(|series| &series.event);
        let differing = self.series.iter().flat_map(|series| &series.exceptions);
        own.chain(differing.map(|exception| &exception.event))
            .filter(|event| event.visibility().is_public())
            .flat_map(|event| &event.media)
    }

    pub fn find(&self, id: &str) -> Option<&Arc<Series>> {
        let at = self.series.binary_search_by(|series| series.event.id.as_str().cmp(id));
        at.ok().map(|at| &self.series[at])
    }

    /// The wanted occurrences that end after `from` and start before `until`, in the order of their starts;
    /// at most `most`.
    pub fn between(
        &self,
        from: Timestamp,
        until: Timestamp,
        most: usize,
        keep: Keep<'_>,
    ) -> Vec<Occurrence> {
        let zone = &self.calendar.time_zone;
        let mut found: Vec<Occurrence> = self
            .series
            .iter()
            .flat_map(|series| series.between(zone, from, until, most, keep))
            .collect();
        found.sort_by_cached_key(|occurrence| occurrence.order(zone));
        found.truncate(most);
        found
    }
}
