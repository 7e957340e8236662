//! Records received hooks, so that each hook is handled only once, and stores their reports about
//! live shows.
//!
//! All attempts to deliver a hook have the same delivery id but different times. Both are signed.
//! The same id with the same time is a replay, possibly by an attacker. The same id with a
//! different time is a retry by a sender that received no answer.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension};

use super::database::millis;
use super::in_flight::Claim;
use super::secret::{Digest, digest};
use super::{State, StateError};

/// How long a delivery is remembered. Senders stop retrying, and signatures expire, before this
/// time has passed.
pub const DELIVERY_MEMORY: SignedDuration = SignedDuration::from_hours(24 * 7);

/// Whether a delivery is new, repeated or replayed.
#[derive(Debug)]
pub enum Delivery {
    /// The delivery has not been handled yet.
    New(Receipt),
    /// A retry of a delivery that was already handled. Contains the answer to repeat.
    Again(String),
    /// A replay: an attempt with the same time was received before.
    Replayed,
}

/// The right to handle a delivery. If it is dropped before [`Receipt::complete`], the delivery
/// remains unhandled, and the next attempt counts as new.
pub struct Receipt {
    state: State,
    claim: Claim,
    signed: i64,
}

/// A delivery's report about a live show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowUpdate<'a> {
    /// The app that sent the delivery.
    pub app: &'a str,
    pub show: &'a str,
    /// The meeting or stream that the report is about.
    pub session: Option<&'a str>,
    /// Everything that is known about the show after this delivery.
    pub known: &'a str,
}

impl State {
    /// Looks up a delivery to an app. `signed` is the signed time in Unix seconds. If this process
    /// is handling another attempt of the same delivery, waits until the attempt has ended. The
    /// caller must not hold a lock that the other attempt needs.
    pub fn delivery(
        &self,
        app: &str,
        id: &str,
        signed: i64,
        now: Timestamp,
    ) -> Result<Delivery, StateError> {
        // App ids contain no slash, so the combined id is unambiguous.
        let claim = self.deliveries.wait_for(digest(format!("{app}/{id}")));
        let found = self.read(|state| attempts(state, claim.operation_id()))?;
        if found.iter().any(|(known, _)| *known == signed) {
            return Ok(Delivery::Replayed);
        }
        let Some((_, answer)) = found.into_iter().next() else {
            return Ok(Delivery::New(Receipt { state: self.clone(), claim, signed }));
        };
        self.write(|state| insert(state, claim.operation_id(), signed, &answer, now))?;
        Ok(Delivery::Again(answer))
    }

    /// Returns the information about a show that an app's hooks have reported.
    pub fn show_record(&self, app: &str, show: &str) -> Result<Option<String>, StateError> {
        self.read(|state| {
            let sql = "SELECT known FROM shows WHERE app = ?1 AND show = ?2";
            let found = state.query_row(sql, [app, show], |row| row.get(0));
            Ok(found.optional()?)
        })
    }

    /// Returns the show to which a meeting or stream of an app belongs.
    pub fn show_of_session(&self, app: &str, session: &str) -> Result<Option<String>, StateError> {
        self.read(|state| {
            let sql = "SELECT show FROM sessions WHERE app = ?1 AND session = ?2";
            let found = state.query_row(sql, [app, session], |row| row.get(0));
            Ok(found.optional()?)
        })
    }
}

impl Receipt {
    /// Stores the answer, and the update of the show, in one commit.
    pub fn complete(
        self,
        answer: &str,
        update: Option<&ShowUpdate<'_>>,
        now: Timestamp,
    ) -> Result<(), StateError> {
        self.state.write(|state| {
            insert(state, self.claim.operation_id(), self.signed, answer, now)?;
            update.map_or(Ok(()), |update| store_update(state, update))
        })
    }
}

impl std::fmt::Debug for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Receipt").field(&self.signed).finish()
    }
}

fn attempts(state: &Connection, id: &Digest) -> Result<Vec<(i64, String)>, StateError> {
    let mut statement =
        state.prepare_cached("SELECT signed, answer FROM deliveries WHERE id = ?1")?;
    let rows = statement.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn insert(
    state: &Connection,
    id: &Digest,
    signed: i64,
    answer: &str,
    now: Timestamp,
) -> Result<(), StateError> {
    let past = millis(now).saturating_sub(DELIVERY_MEMORY.as_secs() * 1000);
    state.execute("DELETE FROM deliveries WHERE received <= ?1", [past])?;
    state.execute(
        "INSERT INTO deliveries (id, signed, answer, received) VALUES (?1, ?2, ?3, ?4)",
        (id, signed, answer, millis(now)),
    )?;
    Ok(())
}

fn store_update(state: &Connection, update: &ShowUpdate<'_>) -> Result<(), StateError> {
    state.execute(
        "INSERT OR REPLACE INTO shows (app, show, known) VALUES (?1, ?2, ?3)",
        [update.app, update.show, update.known],
    )?;
    if let Some(session) = update.session {
        state.execute(
            "INSERT OR REPLACE INTO sessions (app, session, show) VALUES (?1, ?2, ?3)",
            [update.app, session, update.show],
        )?;
    }
    Ok(())
}
