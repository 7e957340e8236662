//! The ledger of calendars. It contains every version of every event for as long as clients may
//! request changes.
//!
//! Each detected change creates a state with a serial number. A version contains the event as a
//! string, in a format that only the calendar API can read.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Row, Transaction, named_params};

use super::database::{millis, time};
use super::{State, StateError};

/// How long replaced versions and deleted events are stored.
pub const RETENTION: SignedDuration = SignedDuration::from_hours(24 * 30);

const COLUMNS: &str = "calendar, event, serial, noticed, fingerprint, deleted, shape";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventLedger {
    /// The serial number of the newest state, or 0 if no change has been detected yet.
    pub serial: i64,
    /// The serial number of the oldest state with complete records.
    pub forgotten: i64,
    /// A value of 256 random bits, different in each database.
    pub secret: Vec<u8>,
}

/// A version of an event, valid for a range of sync states of the calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventVersion {
    pub calendar: String,
    pub event: String,
    /// The first state with this version.
    pub serial: i64,
    /// The time when the change was detected, to the millisecond.
    pub detected: Timestamp,
    /// A fingerprint of the files that define the event.
    pub fingerprint: u64,
    /// Whether the event was deleted. The version then contains the event's last content.
    pub is_deleted: bool,
    pub shape: String,
}

/// A change to an event, to be added to the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventChange {
    pub calendar: String,
    pub event: String,
    /// A fingerprint of the files that define the event.
    pub fingerprint: u64,
    pub kind: EventChangeKind,
}

/// The kind of change to an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventChangeKind {
    /// The event is new or different. Contains the new content of the event.
    Written(String),
    /// The event was deleted. Contains the last content of the event.
    Deleted(String),
    /// The event's files changed, but the content of the event did not.
    Unchanged,
}

impl State {
    /// Returns the current state of the ledger of calendars.
    pub fn event_ledger(&self) -> Result<EventLedger, StateError> {
        self.read(|state| {
            let sql = "SELECT serial, forgotten, secret FROM event_ledger";
            let mut statement = state.prepare_cached(sql)?;
            Ok(statement.query_row((), ledger)?)
        })
    }

    /// Returns the newest version of every event, including deleted events.
    pub fn newest_events(&self) -> Result<Vec<EventVersion>, StateError> {
        self.read(|state| {
            let sql = format!("SELECT {COLUMNS} FROM event_versions WHERE until IS NULL");
            let mut statement = state.prepare_cached(&sql)?;
            let versions = statement.query_map((), version)?;
            Ok(versions.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the events of a calendar that changed after the state `serial`, each with its
    /// version in that state. The version is `None` if the event did not exist then.
    pub fn events_changed_since(
        &self,
        calendar: &str,
        serial: i64,
    ) -> Result<BTreeMap<String, Option<EventVersion>>, StateError> {
        self.read(|state| {
            let later = "SELECT DISTINCT event FROM event_versions WHERE calendar = ?1 AND serial > ?2";
            let mut statement = state.prepare_cached(later)?;
            let ids = statement.query_map((calendar, serial), |row| Ok((row.get(0)?, None)))?;
            let mut found: BTreeMap<_, _> = ids.collect::<rusqlite::Result<_>>()?;
            let then = format!(
                "SELECT {COLUMNS} FROM event_versions WHERE calendar = ?1 AND serial <= ?2 AND until > ?2"
            );
            let mut statement = state.prepare_cached(&then)?;
            for version in statement.query_map((calendar, serial), version)? {
                let version = version?;
                found.insert(version.event.clone(), Some(version));
            }
            Ok(found)
        })
    }

    /// Adds changes after the state `serial`, and removes versions that were replaced longer than
    /// [`RETENTION`] ago. Returns the resulting state of the ledger. Returns `None` and adds
    /// nothing if another process has already added changes after `serial`. Does not wait for other
    /// processes, because even requests that only read calendars call this method.
    pub fn record_events(
        &self,
        serial: i64,
        changes: &[EventChange],
        now: Timestamp,
    ) -> Result<Option<EventLedger>, StateError> {
        self.write_now(|state| {
            let found: i64 =
                state.query_row("SELECT serial FROM event_ledger", (), |row| row.get(0))?;
            if found != serial {
                return Ok(None);
            }
            let is_news = |change: &EventChange| change.kind != EventChangeKind::Unchanged;
            let next = serial + i64::from(changes.iter().any(is_news));
            for change in changes {
                record_change(state, next, change, now)?;
            }
            delete_expired(state, now)?;
            state.execute("UPDATE event_ledger SET serial = ?1", [next])?;
            let sql = "SELECT serial, forgotten, secret FROM event_ledger";
            Ok(Some(state.query_row(sql, (), ledger)?))
        })
    }
}

fn record_change(
    state: &Transaction<'_>,
    serial: i64,
    change: &EventChange,
    now: Timestamp,
) -> Result<(), StateError> {
    let EventChange { calendar, event, fingerprint, kind } = change;
    let fingerprint = fingerprint.cast_signed();
    let (shape, is_deleted) = match kind {
        EventChangeKind::Written(shape) => (shape, false),
        EventChangeKind::Deleted(shape) => (shape, true),
        EventChangeKind::Unchanged => {
            state.execute(
                "UPDATE event_versions SET fingerprint = ?3
                 WHERE calendar = ?1 AND event = ?2 AND until IS NULL",
                (calendar, event, fingerprint),
            )?;
            return Ok(());
        }
    };
    state.execute(
        "UPDATE event_versions SET until = ?3, ended = ?4
         WHERE calendar = ?1 AND event = ?2 AND until IS NULL",
        (calendar, event, serial, millis(now)),
    )?;
    state.execute(
        "INSERT INTO event_versions (calendar, event, serial, noticed, fingerprint, deleted, shape)
         VALUES (:calendar, :event, :serial, :noticed, :fingerprint, :deleted, :shape)",
        named_params! {
            ":calendar": calendar,
            ":event": event,
            ":serial": serial,
            ":noticed": millis(now),
            ":fingerprint": fingerprint,
            ":deleted": is_deleted,
            ":shape": shape,
        },
    )?;
    Ok(())
}

fn delete_expired(state: &Transaction<'_>, now: Timestamp) -> Result<(), StateError> {
    let Ok(limit) = now.checked_sub(RETENTION).map(millis) else {
        return Ok(());
    };
    state.execute(
        "UPDATE event_ledger SET forgotten = max(forgotten,
           coalesce((SELECT max(until) FROM event_versions WHERE ended < ?1), 0))",
        [limit],
    )?;
    state.execute("DELETE FROM event_versions WHERE ended < ?1", [limit])?;
    // An event that was deleted before the oldest stored state belongs to no stored state.
    state.execute(
        "DELETE FROM event_versions WHERE deleted = 1 AND until IS NULL AND noticed < ?1",
        [limit],
    )?;
    Ok(())
}

fn ledger(row: &Row<'_>) -> rusqlite::Result<EventLedger> {
    Ok(EventLedger {
        serial: row.get("serial")?,
        forgotten: row.get("forgotten")?,
        secret: row.get("secret")?,
    })
}

fn version(row: &Row<'_>) -> rusqlite::Result<EventVersion> {
    Ok(EventVersion {
        calendar: row.get("calendar")?,
        event: row.get("event")?,
        serial: row.get("serial")?,
        detected: time(row, "noticed")?,
        fingerprint: row.get::<_, i64>("fingerprint")?.cast_unsigned(),
        is_deleted: row.get("deleted")?,
        shape: row.get("shape")?,
    })
}
