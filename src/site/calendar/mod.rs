//! The calendars of a site: events, changed instances of their series, and the times of all
//! occurrences.

mod checks;
mod gather;
mod live;
mod lookup;
mod occurrence;
mod published;
mod realtime_apps;
mod upcoming;

pub use gather::calendars;
pub use occurrence::{EventFilter, Occurrence, span_at, starts};
pub use published::revision;
pub use realtime_apps::check_apps;

use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use model::calendar::{Calendar, CalendarId, Event};
use model::{Languages, MediaFile};
use source::history::History;

/// All calendars, sorted by id.
#[derive(Debug, Clone)]
pub struct Calendars {
    pub all: Vec<CalendarEntry>,
    /// Whether the calendars' files have no errors and no conflicts.
    has_no_errors: bool,
    /// The default time zone for calendars, and the site's host.
    made_for: (TimeZone, String),
    /// The files from which the calendars were made. The same files produce the same calendars.
    made_of: gather::Files,
    /// The time of each file's last change.
    history: Arc<History>,
}

/// A calendar with its events.
#[derive(Debug, Clone)]
pub struct CalendarEntry {
    pub calendar: Calendar,
    /// The calendar's events, sorted by id.
    pub series: Vec<Arc<Series>>,
}

/// A single event or a series, with the changed instances of the series.
#[derive(Debug, Clone)]
pub struct Series {
    pub event: Arc<Event>,
    /// The changed instances, with missing fields filled in from the series. Sorted by their
    /// original start times in the series.
    pub exceptions: Vec<Exception>,
    /// The time when the event itself, without its exceptions, last changed.
    pub revised: Timestamp,
    /// A hash that changes whenever any part of the series changes.
    pub fingerprint: u64,
}

/// A changed instance of a series.
#[derive(Debug, Clone)]
pub struct Exception {
    pub event: Arc<Event>,
    /// The time when the instance or the series last changed.
    pub revised: Timestamp,
    /// A hash that changes whenever the instance's own file changes.
    pub fingerprint: u64,
}

impl Calendars {
    /// Returns the calendar with this id. The id `primary` refers to the calendar marked as
    /// primary, or else to the only calendar.
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

    /// Returns whether the id `primary` refers to this calendar.
    pub fn is_primary(&self, id: &CalendarId) -> bool {
        self.primary().is_some_and(|entry| entry.calendar.id == *id)
    }

    /// Returns the events with their own body: all except instances that use the body of their
    /// series.
    pub fn bodies(&self) -> impl Iterator<Item = &Event> {
        let series = self.all.iter().flat_map(|entry| &entry.series);
        series.flat_map(|series| {
            let changed_instances = series.exceptions.iter().map(|exception| &*exception.event);
            let changed_instances =
                changed_instances.filter(|event| event.content != series.event.content);
            changed_instances.chain([&*series.event])
        })
    }

    /// Returns the calendars of an edition in a language, given by its index. An event without a
    /// language in its file's name is shown in each language into which it is not translated.
    pub fn in_language(self: &Arc<Self>, languages: &Languages, language: usize) -> Arc<Self> {
        let named = |series: &Arc<Series>| {
            let (tag, path) = languages.of_name(series.event.source.as_str())?;
            Some((languages.index(Some(tag)), path.to_owned()))
        };
        let series = self.all.iter().flat_map(|entry| &entry.series);
        let named_files: HashSet<(usize, String)> = series.filter_map(named).collect();
        if named_files.is_empty() {
            return Arc::clone(self);
        }
        let is_shown = |series: &&Arc<Series>| match named(series) {
            Some((own, _)) => own == language,
            None => {
                let path = series.event.source.page_path().to_owned();
                !named_files.contains(&(language, path))
            }
        };
        let entry = |entry: &CalendarEntry| CalendarEntry {
            calendar: entry.calendar.clone(),
            series: entry.series.iter().filter(is_shown).cloned().collect(),
        };
        Arc::new(Self { all: self.all.iter().map(entry).collect(), ..Self::clone(self) })
    }

    /// Returns the calendars that the site publishes.
    pub fn public(&self) -> impl Iterator<Item = &CalendarEntry> {
        self.all.iter().filter(|entry| entry.calendar.is_public)
    }
}

/// Hashes the fingerprints of the events, which cover their files and the calendar's file. The
/// times of the last changes are hashed too, since these times may come from the repository's
/// history instead of the files.
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
    /// Returns the media files that public events refer to. They are published with the events.
    pub fn media(&self) -> impl Iterator<Item = &MediaFile> {
        let own = self.series.iter().map(|series| &series.event);
        let changed_instances = self.series.iter().flat_map(|series| &series.exceptions);
        own.chain(changed_instances.map(|exception| &exception.event))
            .filter(|event| event.visibility().is_public())
            .flat_map(|event| &event.media)
    }

    pub fn find(&self, id: &str) -> Option<&Arc<Series>> {
        let at = self.series.binary_search_by(|series| series.event.id.as_str().cmp(id));
        at.ok().map(|at| &self.series[at])
    }

    /// Returns up to `max` occurrences that `keep` includes and that end after `from` and start
    /// before `until`, ordered by start.
    pub fn between(
        &self,
        from: Timestamp,
        until: Timestamp,
        max: usize,
        keep: EventFilter<'_>,
    ) -> Vec<Occurrence> {
        let zone = &self.calendar.time_zone;
        let mut found: Vec<Occurrence> = self
            .series
            .iter()
            .flat_map(|series| series.between(zone, from, until, max, keep))
            .collect();
        found.sort_by_cached_key(|occurrence| occurrence.order(zone));
        found.truncate(max);
        found
    }
}
