//! Tracks the events of all calendars, both in the current site and in earlier states kept in the
//! ledger.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::record::{LedgerEvent, Times, name};
use api_shared::{ApiError, times};
use model::calendar::Event;
use server::Moment;
use site::Snapshot;
use site::calendar::{CalendarEntry, Series};
use state::{EventChange, EventChangeKind, EventLedger, EventVersion, RETENTION, State};

/// The events of a calendar by id, including deleted events.
pub type Events = BTreeMap<Arc<str>, Arc<LedgerEvent>>;

/// The events of the most recently requested [`Moment`].
#[derive(Default)]
pub struct EventTracker(Mutex<Option<Arc<TrackedEvents>>>);

/// The events of all calendars at one state.
#[derive(Debug, Clone)]
pub struct TrackedEvents {
    /// The state of the ledger that these events belong to.
    pub ledger: EventLedger,
    /// The serial number of the newest [`Moment`] whose events are included. None if the events
    /// were only read from the ledger.
    moment: Option<u64>,
    calendars: BTreeMap<String, Arc<Events>>,
    /// For each event, a hash of its files, the site's host and the calendar's time zone.
    fingerprints: BTreeMap<(String, Arc<str>), u64>,
}

impl EventTracker {
    /// Returns the events of a [`Moment`], or of a newer one that was requested before. Writes the
    /// changes since the last call to the ledger.
    pub fn advance_to(
        &self,
        state: &State,
        root: &Path,
        moment: &Moment,
    ) -> Result<Arc<TrackedEvents>, ApiError> {
        let mut tracked_events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let ledger = state.event_ledger().map_err(ApiError::failed)?;
            let tracked = match tracked_events.take() {
                Some(tracked) if tracked.ledger == ledger => tracked,
                // This is the first call, or another process has written to the ledger.
                _ => Arc::new(TrackedEvents::read(state, ledger)?),
            };
            if tracked.moment >= Some(moment.serial) {
                *tracked_events = Some(Arc::clone(&tracked));
                return Ok(tracked);
            }
            match tracked.update_to(state, root, moment)? {
                Update::Noted(next) => {
                    let next = Arc::new(next);
                    *tracked_events = Some(Arc::clone(&next));
                    return Ok(next);
                }
                // The next call writes the changes. Until then, clients that sync do not receive
                // them.
                Update::Unnoted(next) => {
                    *tracked_events = Some(tracked);
                    return Ok(Arc::new(next));
                }
                Update::Overtaken => {}
            }
        }
    }
}

/// The result of updating the events to a newer [`Moment`].
enum Update {
    /// The changes are in the ledger.
    Noted(TrackedEvents),
    /// The changes are not in the ledger, because another program has locked it.
    Unnoted(TrackedEvents),
    /// Another process has written to the ledger in the meantime.
    Overtaken,
}

/// A change to one event since the previous update.
struct EventUpdate {
    change: EventChange,
    entry: Option<Arc<LedgerEvent>>,
}

impl TrackedEvents {
    fn read(state: &State, ledger: EventLedger) -> Result<Self, ApiError> {
        let mut calendars: BTreeMap<String, Events> = BTreeMap::new();
        let mut fingerprints = BTreeMap::new();
        for version in state.newest_events().map_err(ApiError::failed)? {
            // Skips an event that this version of the program cannot read. The next update writes
            // the event to the ledger again.
            let Some(entry) = read(&version) else {
                continue;
            };
            let id = Arc::clone(&entry.id);
            if !version.is_deleted {
                fingerprints
                    .insert((version.calendar.clone(), Arc::clone(&id)), version.fingerprint);
            }
            let events = calendars.entry(version.calendar).or_default();
            events.insert(id, Arc::new(entry));
        }
        Ok(Self {
            ledger,
            moment: None,
            calendars: calendars.into_iter().map(|(id, events)| (id, Arc::new(events))).collect(),
            fingerprints,
        })
    }

    fn update_to(&self, state: &State, root: &Path, moment: &Moment) -> Result<Update, ApiError> {
        let now = Timestamp::from_millisecond(Timestamp::now().as_millisecond())
            .map_err(ApiError::failed)?;
        let updates = self.updates(root, &moment.site.snapshot, now)?;
        let mut next = self.clone();
        next.moment = Some(moment.serial);
        if updates.is_empty() {
            return Ok(Update::Noted(next));
        }
        let changes: Vec<EventChange> =
            updates.iter().map(|update_of| update_of.change.clone()).collect();
        let is_noted = match state.record_events(self.ledger.serial, &changes, now) {
            Ok(Some(ledger)) => {
                next.ledger = ledger;
                true
            }
            Ok(None) => return Ok(Update::Overtaken),
            Err(error) if error.is_busy() => false,
            Err(error) => return Err(ApiError::failed(error)),
        };
        for EventUpdate { change, entry } in updates {
            let id: Arc<str> = change.event.as_str().into();
            let key = (change.calendar.clone(), Arc::clone(&id));
            match change.kind {
                EventChangeKind::Deleted(_) => next.fingerprints.remove(&key),
                _ => next.fingerprints.insert(key, change.fingerprint),
            };
            if let Some(entry) = entry {
                let events = next.calendars.entry(change.calendar).or_default();
                Arc::make_mut(events).insert(id, entry);
            }
        }
        next.remove_expired(now);
        Ok(if is_noted { Update::Noted(next) } else { Update::Unnoted(next) })
    }

    /// Drops deleted events that the ledger no longer keeps.
    fn remove_expired(&mut self, now: Timestamp) {
        let Ok(limit) = now.checked_sub(RETENTION) else {
            return;
        };
        let is_old =
            |entry: &Arc<LedgerEvent>| entry.deleted.is_some_and(|deleted| deleted < limit);
        for events in self.calendars.values_mut() {
            if events.values().any(is_old) {
                Arc::make_mut(events).retain(|_, entry| !is_old(entry));
            }
        }
    }

    /// Returns the changes that turn the tracked events into the events of a snapshot.
    fn updates(
        &self,
        root: &Path,
        snapshot: &Snapshot,
        now: Timestamp,
    ) -> Result<Vec<EventUpdate>, ApiError> {
        // An empty ledger has no history, so the modification times of the first events come from
        // their files.
        let since = (self.ledger.serial > 0).then_some(now);
        let host = &snapshot.config.host;
        let mut updates = Vec::new();
        for calendar in &snapshot.calendars.all {
            // Two events with the same id are an error. Only the first event is used. Otherwise,
            // the two events would replace each other in every update.
            let named_once = calendar.series.chunk_by(|one, next| one.event.id == next.event.id);
            for series in named_once.filter_map(|same| same.first()) {
                updates.extend(self.update_of(root, host, calendar, series, since)?);
            }
        }
        for (calendar, events) in &self.calendars {
            let current = snapshot.calendars.find(calendar);
            let series = current.map_or(&[][..], |current| &current.series);
            let files: HashSet<&str> = series.iter().flat_map(|one| sources(one)).collect();
            let removed = events.values().filter(|entry| {
                let is_there = current.is_some_and(|current| current.find(&entry.id).is_some());
                entry.deleted.is_none() && !is_there
            });
            for entry in removed {
                // An event whose file cannot be parsed keeps its last state.
                let is_broken =
                    !files.contains(entry.source.as_str()) && root.join(&entry.source).is_file();
                if !is_broken {
                    updates.push(deletion_of(calendar, entry, now)?);
                }
            }
        }
        Ok(updates)
    }

    fn update_of(
        &self,
        root: &Path,
        host: &str,
        calendar: &CalendarEntry,
        series: &Series,
        since: Option<Timestamp>,
    ) -> Result<Option<EventUpdate>, ApiError> {
        let id = calendar.calendar.id.as_str();
        let zone = &calendar.calendar.time_zone;
        let around = format!("{host} {}", name(zone));
        let fingerprint = xxh3_64_with_seed(around.as_bytes(), series.fingerprint);
        let event: Arc<str> = series.event.id.as_str().into();
        let before = self.calendars.get(id).and_then(|events| events.get(&event));
        let key = (id.to_owned(), Arc::clone(&event));
        if self.fingerprints.get(&key) == Some(&fingerprint) {
            return Ok(None);
        }
        let of_file = |event: &Event| file_times(root, event, series.revised_of(event));
        let known = before.map(Arc::as_ref);
        let Some(entry) = LedgerEvent::new(series, zone, host, known, since, of_file) else {
            return Ok(None);
        };
        let kind = if known.is_some_and(|before| before.is_same(&entry)) {
            EventChangeKind::Unchanged
        } else {
            EventChangeKind::Written(entry.to_ledger_json().map_err(ApiError::failed)?)
        };
        let change =
            EventChange { calendar: id.to_owned(), event: event.to_string(), fingerprint, kind };
        Ok(Some(EventUpdate { change, entry: Some(Arc::new(entry)) }))
    }

    pub fn events(&self, calendar: &str) -> Arc<Events> {
        self.calendars.get(calendar).cloned().unwrap_or_default()
    }

    /// Returns the events of a calendar at an earlier state, and the ids of the events that have
    /// changed since then.
    pub fn events_at(
        &self,
        state: &State,
        calendar: &str,
        serial: i64,
    ) -> Result<(Arc<Events>, BTreeSet<Arc<str>>), ApiError> {
        let mut events = self.events(calendar);
        if serial == self.ledger.serial {
            return Ok((events, BTreeSet::new()));
        }
        let changed = state.events_changed_since(calendar, serial).map_err(ApiError::failed)?;
        let mut ids = BTreeSet::new();
        for (id, version) in changed {
            let id: Arc<str> = id.into();
            match version.as_ref().and_then(read) {
                Some(entry) => Arc::make_mut(&mut events).insert(Arc::clone(&id), Arc::new(entry)),
                None => Arc::make_mut(&mut events).remove(&id),
            };
            ids.insert(id);
        }
        Ok((events, ids))
    }
}

/// Returns the paths of the files of a series and of its exceptions.
fn sources(series: &Series) -> impl Iterator<Item = &str> {
    let changed_instances = series.exceptions.iter().map(|one| &one.event);
    let events = changed_instances.chain([&series.event]);
    events.map(|event| event.source.as_str())
}

fn read(version: &EventVersion) -> Option<LedgerEvent> {
    let deleted = version.is_deleted.then_some(version.detected);
    LedgerEvent::from_ledger_json(&version.event, &version.shape, deleted)
}

fn deletion_of(
    calendar: &str,
    entry: &Arc<LedgerEvent>,
    now: Timestamp,
) -> Result<EventUpdate, ApiError> {
    let mut entry = LedgerEvent::clone(entry);
    let shape = entry.to_ledger_json().map_err(ApiError::failed)?;
    entry.deleted = Some(now);
    Ok(EventUpdate {
        change: EventChange {
            calendar: calendar.to_owned(),
            event: entry.id.to_string(),
            fingerprint: 0,
            kind: EventChangeKind::Deleted(shape),
        },
        entry: Some(Arc::new(entry)),
    })
}

/// Returns the creation and modification times of an event. The modification time is the time of
/// the event's last revision. The sequence number in the `.ics` file is derived from the same time.
fn file_times(root: &Path, event: &Event, revised: Timestamp) -> Times {
    let file = || times::Times::of(&event.source.on_disk(root)).map(|file| file.created);
    let created = event.created.or_else(file);
    Times { created: created.unwrap_or(revised).min(revised), updated: revised }
}
