//! The events of all calendars, kept in step with the site and with the ledger: what they are now, and
//! what they were at any state that the ledger still knows.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::error::Fault;
use super::record::{LedgerEvent, Times, name};
use crate::api::shared::times;
use crate::model::calendar::Event;
use crate::server::Moment;
use crate::site::Snapshot;
use crate::site::calendar::{CalendarEntry, Series};
use crate::state::{EventChange, EventChangeKind, EventLedger, EventVersion, KEPT, State};

/// The events of a calendar by id, deleted ones too.
pub type Events = BTreeMap<Arc<str>, Arc<LedgerEvent>>;

/// The events, and the moment they are of.
#[derive(Default)]
pub struct Book(Mutex<Option<Arc<Page>>>);

/// One state of all calendars.
#[derive(Debug, Clone)]
pub struct Page {
    /// Where the ledger stands with it.
    pub ledger: EventLedger,
    /// The serial of the newest moment that is in it; None where none was looked at.
    moment: Option<u64>,
    calendars: BTreeMap<String, Arc<Events>>,
    /// What each event was read from.
    fingerprints: BTreeMap<(String, Arc<str>), u64>,
}

impl Book {
    /// The events of a moment, or of a newer one that was asked for before. What changed since the last
    /// time is noted in the ledger.
    pub fn follow(&self, state: &State, root: &Path, moment: &Moment) -> Result<Arc<Page>, Fault> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let ledger = state.event_ledger().map_err(Fault::failed)?;
            let page = match held.take() {
                Some(page) if page.ledger == ledger => page,
                // The first time, or another process has noted something.
                _ => Arc::new(Page::read(state, ledger)?),
            };
            if page.moment >= Some(moment.serial) {
                *held = Some(Arc::clone(&page));
                return Ok(page);
            }
            match page.turned(state, root, moment)? {
                Turned::Noted(next) => {
                    let next = Arc::new(next);
                    *held = Some(Arc::clone(&next));
                    return Ok(next);
                }
                // What changed is noted the next time, and told then to those who sync.
                Turned::Unnoted(next) => {
                    *held = Some(page);
                    return Ok(Arc::new(next));
                }
                Turned::Overtaken => {}
            }
        }
    }
}

/// The page of another moment.
enum Turned {
    /// What changed is in the ledger.
    Noted(Page),
    /// Another program keeps the ledger locked.
    Unnoted(Page),
    /// Another process noted something meanwhile.
    Overtaken,
}

/// What became of an event between two pages.
struct Turn {
    change: EventChange,
    entry: Option<Arc<LedgerEvent>>,
}

impl Page {
    fn read(state: &State, ledger: EventLedger) -> Result<Self, Fault> {
        let mut calendars: BTreeMap<String, Events> = BTreeMap::new();
        let mut fingerprints = BTreeMap::new();
        for version in state.newest_events().map_err(Fault::failed)? {
            // What another version of the program wrote and this one cannot read is noted anew.
            let Some(entry) = read(&version) else {
                continue;
            };
            let id = Arc::clone(&entry.id);
            if !version.is_deleted {
                fingerprints.insert(
                    (version.calendar.clone(), Arc::clone(&id)),
                    version.fingerprint,
                );
            }
            let events = calendars.entry(version.calendar).or_default();
            events.insert(id, Arc::new(entry));
        }
        Ok(Self {
            ledger,
            moment: None,
            calendars: calendars
                .into_iter()
                .map(|(id, events)| (id, Arc::new(events)))
                .collect(),
            fingerprints,
        })
    }

    /// The page of a moment.
    fn turned(&self, state: &State, root: &Path, moment: &Moment) -> Result<Turned, Fault> {
        let now = Timestamp::from_millisecond(Timestamp::now().as_millisecond())
            .map_err(Fault::failed)?;
        let turns = self.turns(root, &moment.site.snapshot, now)?;
        let mut next = self.clone();
        next.moment = Some(moment.serial);
        if turns.is_empty() {
            return Ok(Turned::Noted(next));
        }
        let changes: Vec<EventChange> = turns.iter().map(|turn| turn.change.clone()).collect();
        let is_noted = match state.note_events(self.ledger.serial, &changes, now) {
            Ok(Some(ledger)) => {
                next.ledger = ledger;
                true
            }
            Ok(None) => return Ok(Turned::Overtaken),
            Err(error) if error.is_busy() => false,
            Err(error) => return Err(Fault::failed(error)),
        };
        for Turn { change, entry } in turns {
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
        next.forget(now);
        Ok(if is_noted {
            Turned::Noted(next)
        } else {
            Turned::Unnoted(next)
        })
    }

    /// Leaves out what the ledger no longer keeps.
    fn forget(&mut self, now: Timestamp) {
        let Ok(limit) = now.checked_sub(KEPT) else {
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

    /// How the events of a snapshot differ from these.
    fn turns(&self, root: &Path, snapshot: &Snapshot, now: Timestamp) -> Result<Vec<Turn>, Fault> {
        // Nobody saw the first ones change: their files tell when they did.
        let since = (self.ledger.serial > 0).then_some(now);
        let host = &snapshot.config.host;
        let mut turns = Vec::new();
        for calendar in &snapshot.calendars.all {
            // Of two events with one id, which is an error, the first is it: else each would take the
            // place of the other in every moment.
            let named_once = calendar
                .series
                .chunk_by(|one, next| one.event.id == next.event.id);
            for series in named_once.filter_map(|same| same.first()) {
                turns.extend(self.turn(root, host, calendar, series, since)?);
            }
        }
        for (calendar, events) in &self.calendars {
            let there = snapshot.calendars.find(calendar);
            let series = there.map_or(&[][..], |there| &there.series);
            let files: HashSet<&str> = series.iter().flat_map(|one| sources(one)).collect();
            let left = events.values().filter(|entry| {
                let is_there = there.is_some_and(|there| there.find(&entry.id).is_some());
                entry.deleted.is_none() && !is_there
            });
            for entry in left {
                // What cannot be read, and is in no moment, is what it last was.
                let is_broken =
                    !files.contains(entry.source.as_str()) && root.join(&entry.source).is_file();
                if !is_broken {
                    turns.push(gone(calendar, entry, now)?);
                }
            }
        }
        Ok(turns)
    }

    fn turn(
        &self,
        root: &Path,
        host: &str,
        calendar: &CalendarEntry,
        series: &Series,
        since: Option<Timestamp>,
    ) -> Result<Option<Turn>, Fault> {
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
        let of_file = |event: &Event| times_of(root, event, series.revised_of(event));
        let known = before.map(Arc::as_ref);
        let Some(entry) = LedgerEvent::new(series, zone, host, known, since, of_file) else {
            return Ok(None);
        };
        let kind = if known.is_some_and(|before| before.is_same(&entry)) {
            EventChangeKind::Unchanged
        } else {
            EventChangeKind::Written(entry.to_shape().map_err(Fault::failed)?)
        };
        let change = EventChange {
            calendar: id.to_owned(),
            event: event.to_string(),
            fingerprint,
            kind,
        };
        Ok(Some(Turn {
            change,
            entry: Some(Arc::new(entry)),
        }))
    }

    /// The events of a calendar.
    pub fn events(&self, calendar: &str) -> Arc<Events> {
        self.calendars.get(calendar).cloned().unwrap_or_default()
    }

    /// The events of a calendar as they were at a state, and the ids of those that changed since.
    pub fn events_at(
        &self,
        state: &State,
        calendar: &str,
        serial: i64,
    ) -> Result<(Arc<Events>, BTreeSet<Arc<str>>), Fault> {
        let mut events = self.events(calendar);
        if serial == self.ledger.serial {
            return Ok((events, BTreeSet::new()));
        }
        let changed = state
            .events_changed_since(calendar, serial)
            .map_err(Fault::failed)?;
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

/// The files of an event and of the instances that differ.
fn sources(series: &Series) -> impl Iterator<Item = &str> {
    let differing = series.exceptions.iter().map(|one| &one.event);
    let events = differing.chain([&series.event]);
    events.map(|event| event.source.as_str())
}

fn read(version: &EventVersion) -> Option<LedgerEvent> {
    let deleted = version.is_deleted.then_some(version.noticed);
    LedgerEvent::from_shape(&version.event, &version.shape, deleted)
}

fn gone(calendar: &str, entry: &Arc<LedgerEvent>, now: Timestamp) -> Result<Turn, Fault> {
    let mut entry = LedgerEvent::clone(entry);
    let shape = entry.to_shape().map_err(Fault::failed)?;
    entry.deleted = Some(now);
    Ok(Turn {
        change: EventChange {
            calendar: calendar.to_owned(),
            event: entry.id.to_string(),
            fingerprint: 0,
            kind: EventChangeKind::Deleted(shape),
        },
        entry: Some(Arc::new(entry)),
    })
}

/// When an event's file says it was made. It was changed when it was last revised: as subscribers of
/// the `.ics` are told, whose sequence numbers count from that too.
fn times_of(root: &Path, event: &Event, revised: Timestamp) -> Times {
    let file = || times::Times::of(&event.source.on_disk(root)).map(|file| file.created);
    let created = event.created.or_else(file);
    Times {
        created: created.unwrap_or(revised).min(revised),
        updated: revised,
    }
}
