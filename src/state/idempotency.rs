//! The `Idempotency-Key` of the content API. If a client repeats a request to create an item, only
//! one item is created.
//!
//! A creation reserves its key together with the id of the future item. Its answer is stored
//! together with the record of the write (see [`State::record_write`]). If the creation is
//! interrupted before that, the next request with the same key looks for an item with the reserved
//! id, and continues the creation. All idempotency keys of a site share one namespace, even for
//! requests with different API keys. The API of a show adds the show's name to its keys.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{OptionalExtension, Row, Transaction};

use super::database::{millis, optional, parsed};
use super::in_flight::Claim;
use super::secret::{Digest, digest};
use super::{JournalEntry, State, StateError, journal};
use model::ItemId;

/// How long an idempotency key is remembered.
pub const RETRY_WINDOW: SignedDuration = SignedDuration::from_hours(24);

/// The result of reserving an idempotency key.
#[derive(Debug)]
pub enum Reservation {
    /// The key is new, so the item must be created.
    New(Ticket),
    /// An earlier request with this key was interrupted, and may have created an item with the
    /// ticket's id. The caller must complete that request, or create the item.
    Resumed(Ticket),
    /// The item has already been created. Contains the answer to repeat.
    Replay(Answer),
    /// The key was used with a different payload.
    Conflict,
}

/// A stored response to a request, to be repeated for later requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    pub body: String,
}

/// The right to create an item. If it is dropped, the next request with the same idempotency key
/// continues the creation.
pub struct Ticket {
    state: State,
    claim: Claim,
    item_id: ItemId,
}

struct ReservationRecord {
    /// A hash of the payload. `None` in a record of an earlier version of feedwright, which
    /// compared payloads in a different way.
    payload: Option<Digest>,
    item_id: ItemId,
    answer: Option<Answer>,
}

impl State {
    /// Reserves an idempotency key. `payload` is the request's payload in a canonical form, so that
    /// equal payloads have equal bytes. `item_id` is the id for a new item.
    ///
    /// If another request in this process is using the key, this method waits until that request
    /// has ended. The caller must not hold a lock that the other request needs, such as the lock on
    /// the content.
    pub fn reserve(
        &self,
        key: &str,
        payload: &[u8],
        item_id: &ItemId,
        now: Timestamp,
    ) -> Result<Reservation, StateError> {
        let payload = digest(payload);
        let claim = self.creations.wait_for(digest(key));
        let found = self.write(|state| {
            delete_expired(state, now)?;
            let found = record(state, claim.operation_id())?;
            if found.is_none() {
                state.execute(
                    "INSERT INTO reservations (key, payload, item_id, reserved) VALUES (?1, ?2, ?3, ?4)",
                    (claim.operation_id(), payload, item_id.as_str(), millis(now)),
                )?;
            }
            Ok(found)
        })?;
        let ticket = |item_id| Ticket { state: self.clone(), claim, item_id };
        Ok(match found {
            None => Reservation::New(ticket(item_id.clone())),
            Some(found) if found.payload.is_some_and(|own| own != payload) => Reservation::Conflict,
            Some(ReservationRecord { answer: Some(answer), .. }) => Reservation::Replay(answer),
            Some(found) => Reservation::Resumed(ticket(found.item_id)),
        })
    }
}

impl Ticket {
    /// Returns the id of the item to create.
    pub fn item_id(&self) -> &ItemId {
        &self.item_id
    }

    pub(super) fn key(&self) -> &Digest {
        self.claim.operation_id()
    }

    /// Completes the creation of an earlier request: stores the answer for repeated requests and
    /// adds the write to the journal, in one commit.
    pub fn complete(self, answer: &Answer, entry: &JournalEntry) -> Result<(), StateError> {
        self.state.write(|state| {
            store_answer(state, self.key(), answer)?;
            journal::insert(state, entry, true)
        })
    }

    /// Releases the key if nothing was written. A later request may use the key with a different
    /// payload.
    pub fn release(self) -> Result<(), StateError> {
        self.state.write(|state| {
            state
                .execute("DELETE FROM reservations WHERE key = ?1", [self.claim.operation_id()])?;
            Ok(())
        })
    }
}

impl std::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Ticket").field(&self.item_id).finish()
    }
}

/// Stores the answer for a reserved key.
pub(super) fn store_answer(
    state: &Transaction<'_>,
    key: &Digest,
    answer: &Answer,
) -> Result<(), StateError> {
    state.execute(
        "UPDATE reservations SET status = ?2, body = ?3 WHERE key = ?1",
        (key, answer.status, &answer.body),
    )?;
    Ok(())
}

fn delete_expired(state: &Transaction<'_>, now: Timestamp) -> Result<(), StateError> {
    let past = millis(now).saturating_sub(RETRY_WINDOW.as_secs() * 1000);
    state.execute("DELETE FROM reservations WHERE reserved <= ?1", [past])?;
    Ok(())
}

fn record(state: &Transaction<'_>, key: &Digest) -> Result<Option<ReservationRecord>, StateError> {
    let found = state.query_row(
        "SELECT payload, item_id, status, body FROM reservations WHERE key = ?1",
        [key],
        |row| {
            Ok(ReservationRecord {
                payload: payload(row)?,
                item_id: parsed(row, "item_id", |id: String| ItemId::parse(&id))?,
                answer: optional(row, "status", answer)?,
            })
        },
    );
    Ok(found.optional()?)
}

fn payload(row: &Row<'_>) -> rusqlite::Result<Option<Digest>> {
    let is_unknown = row.get_ref("payload")?.as_blob()?.is_empty();
    if is_unknown {
        return Ok(None);
    }
    row.get("payload").map(Some)
}

fn answer(row: &Row<'_>, status: &str) -> rusqlite::Result<Answer> {
    Ok(Answer { status: row.get(status)?, body: row.get("body")? })
}
