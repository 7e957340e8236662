//! The queue of webhook messages, with their results. Until a message is delivered or abandoned,
//! later messages about the same resource to the same webhook are not sent.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{OptionalExtension, Row, Transaction, named_params};

use super::database::{millis, optional, parsed, time};
use super::{State, StateError};

/// How long a finished message is stored, and the maximum time that a message waits.
const RETENTION: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Maximum time until the next attempt. A longer time can only result from a change to the system
/// clock.
const MAX_PAUSE: SignedDuration = SignedDuration::from_hours(27);

/// Maximum number of finished messages to store.
const MAX_FINISHED: i64 = 10_000;

/// A message to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMessage {
    /// The id of the event. All messages about an event have the same id.
    pub id: String,
    pub endpoint: String,
    /// The type of the event.
    pub kind: String,
    /// The resource that the event is about. Messages about the same resource are sent in order.
    pub resource: String,
    /// The data of the event: JSON.
    pub data: String,
    /// The changed parts of the resource, for events that report them.
    pub changed: Option<BTreeSet<String>>,
    pub causation: Option<String>,
    pub correlation: Option<String>,
    pub depth: u32,
    /// Whether the message replaces an unsent message of the same type about the same resource.
    pub merges: bool,
    /// Whether the message is recorded but not sent, because its chain of events is too long.
    pub is_cut: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageState {
    Waiting,
    Sending,
    Delivered,
    /// The message was not delivered, and no more attempts are made.
    Failed,
    /// The message is part of a loop and was not sent.
    LoopBreak,
}

impl MessageState {
    const ALL: [Self; 5] =
        [Self::Waiting, Self::Sending, Self::Delivered, Self::Failed, Self::LoopBreak];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sending => "sending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
            Self::LoopBreak => "cut",
        }
    }
}

/// A message in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The message's position in the queue.
    pub number: i64,
    pub id: String,
    pub endpoint: String,
    pub kind: String,
    pub resource: String,
    /// The time when the event was detected.
    pub time: Timestamp,
    pub data: String,
    pub changed: Option<String>,
    pub causation: Option<String>,
    pub correlation: Option<String>,
    pub depth: u32,
    pub state: MessageState,
    pub attempts: u32,
    /// The earliest time for the next attempt, if the message is waiting.
    pub next: Timestamp,
    /// The result of the last attempt.
    pub answer: Option<String>,
    pub ended: Option<Timestamp>,
}

/// The result of an attempt to send a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    Delivered(String),
    /// The attempt failed. The next attempt is at this time.
    Again(String, Timestamp),
    GivenUp(String),
    /// The receiver at this address is gone, so no more messages are sent to it.
    Gone(String, String),
}

impl State {
    /// Returns the depth of an event in its chain of events, and its correlation id. Returns `None`
    /// if no message about the event is stored.
    pub fn find_event(&self, id: &str) -> Result<Option<(u32, Option<String>)>, StateError> {
        self.read(|state| {
            let sql = "SELECT depth, correlation FROM messages WHERE id = ?1 LIMIT 1";
            let mut statement = state.prepare_cached(sql)?;
            let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
            Ok(statement.query_row([id], row).optional()?)
        })
    }

    /// Adds messages to the queue.
    pub fn queue_messages(
        &self,
        messages: &[NewMessage],
        now: Timestamp,
    ) -> Result<(), StateError> {
        self.write_waiting(|state| {
            for message in messages {
                queue(state, message, now)?;
            }
            Ok(())
        })
    }

    /// Makes messages due again if their sender was killed while sending them. Only the process
    /// with the sender lock may call this method.
    pub fn resume_messages(&self) -> Result<(), StateError> {
        self.write_waiting(|state| {
            let sql = "UPDATE messages SET state = 'waiting', next = 0 WHERE state = 'sending'";
            state.execute(sql, ())?;
            Ok(())
        })
    }

    /// Returns at most `max` due messages of a webhook, one for each resource. Marks them as being
    /// sent, and counts an attempt for each.
    pub fn take_messages(
        &self,
        endpoint: &str,
        max: usize,
        now: Timestamp,
    ) -> Result<Vec<Message>, StateError> {
        let due = |state: &rusqlite::Connection| {
            let mut statement = state.prepare_cached(
                "SELECT * FROM messages AS one
                 WHERE endpoint = :endpoint AND state = 'waiting'
                 AND (attempts = 0 OR next <= :now OR next > :latest) AND NOT EXISTS (
                   SELECT 1 FROM messages AS earlier WHERE earlier.endpoint = one.endpoint
                   AND earlier.resource = one.resource AND earlier.number < one.number
                   AND earlier.state IN ('waiting', 'sending'))
                 ORDER BY number LIMIT :most",
            )?;
            let found = statement.query_map(
                named_params! {
                    ":endpoint": endpoint,
                    ":now": millis(now),
                    ":latest": latest_plausible(now),
                    ":most": i64::try_from(max).unwrap_or(i64::MAX),
                },
                message,
            )?;
            Ok(found.collect::<rusqlite::Result<Vec<Message>>>()?)
        };
        // If no message is due, nothing needs to be written, because no other process sends
        // messages.
        if self.read(due)?.is_empty() {
            return Ok(Vec::new());
        }
        self.write_waiting(|state| {
            let mut taken = due(state)?;
            for message in &mut taken {
                let sql = "UPDATE messages SET state = 'sending', attempts = attempts + 1 WHERE number = ?1";
                state.prepare_cached(sql)?.execute([message.number])?;
                message.attempts += 1;
            }
            Ok(taken)
        })
    }

    /// Returns the time of the next attempt to send a message to a webhook. Ignores messages that
    /// wait for an earlier message about the same resource.
    pub fn next_message(
        &self,
        endpoint: &str,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, StateError> {
        self.read(|state| {
            let mut statement = state.prepare_cached(
                "SELECT min(iif(attempts = 0 OR next > ?2, 0, next)) AS next FROM messages AS one
                 WHERE endpoint = ?1 AND state = 'waiting' AND NOT EXISTS (
                   SELECT 1 FROM messages AS earlier WHERE earlier.endpoint = one.endpoint
                   AND earlier.resource = one.resource AND earlier.number < one.number
                   AND earlier.state IN ('waiting', 'sending'))",
            )?;
            let row = |row: &Row<'_>| optional(row, "next", time);
            Ok(statement.query_row((endpoint, latest_plausible(now)), row)?)
        })
    }

    /// Records the result of an attempt.
    pub fn end_attempt(
        &self,
        taken: &Message,
        attempt: &Attempt,
        now: Timestamp,
    ) -> Result<(), StateError> {
        let (next_state, answer, next) = match attempt {
            Attempt::Delivered(answer) => (MessageState::Delivered, answer, None),
            Attempt::Again(answer, next) => (MessageState::Waiting, answer, Some(*next)),
            Attempt::GivenUp(answer) | Attempt::Gone(answer, _) => {
                (MessageState::Failed, answer, None)
            }
        };
        self.write_waiting(|state| {
            let sql = "UPDATE messages SET state = ?2, answer = ?3, next = ?4, ended = ?5 WHERE number = ?1";
            let ended = next.is_none().then(|| millis(now));
            let next = millis(next.unwrap_or(now));
            let mut statement = state.prepare_cached(sql)?;
            statement.execute((taken.number, next_state.as_str(), answer, next, ended))?;
            if let Attempt::Gone(_, url) = attempt {
                let sql = "INSERT OR REPLACE INTO gone_endpoints VALUES (?1, ?2, ?3)";
                state.execute(sql, (&taken.endpoint, url, millis(now)))?;
                let sql = "UPDATE messages SET state = 'failed', answer = ?2, ended = ?3
                           WHERE endpoint = ?1 AND state = 'waiting'";
                state.execute(sql, (&taken.endpoint, "not sent: the receiver is gone", millis(now)))?;
            }
            Ok(())
        })
    }

    /// Returns the number of unfinished messages for each webhook.
    pub fn count_open_messages(&self) -> Result<Vec<(String, usize)>, StateError> {
        self.read(|state| {
            let mut statement = state.prepare_cached(
                "SELECT endpoint, count(*) FROM messages WHERE state IN ('waiting', 'sending')
                 GROUP BY endpoint ORDER BY endpoint",
            )?;
            let row = |row: &Row<'_>| {
                let count: i64 = row.get(1)?;
                Ok((row.get(0)?, usize::try_from(count).unwrap_or_default()))
            };
            Ok(statement.query_map((), row)?.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns messages, newest first.
    pub fn messages(&self, max: u32) -> Result<Vec<Message>, StateError> {
        self.read(|state| {
            let sql = "SELECT * FROM messages ORDER BY number DESC LIMIT ?1";
            let mut statement = state.prepare_cached(sql)?;
            let rows = statement.query_map([max], message)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Makes the messages of an event due, or all waiting and failed messages if `id` is `None`.
    /// Receivers that were marked as gone are tried again. Returns the number of messages.
    pub fn retry_messages(&self, id: Option<&str>, now: Timestamp) -> Result<usize, StateError> {
        self.write(|state| {
            let sql = "DELETE FROM gone_endpoints WHERE ?1 IS NULL
                       OR endpoint IN (SELECT endpoint FROM messages WHERE id = ?1)";
            state.execute(sql, [id])?;
            let sql = "UPDATE messages SET state = 'waiting', next = ?2, attempts = 0, ended = NULL
                       WHERE iif(?1 IS NULL, state IN ('waiting', 'failed'), id = ?1 AND state NOT IN ('sending', 'cut'))";
            Ok(state.execute(sql, (id, millis(now)))?)
        })
    }
}

pub(super) fn queue(
    state: &Transaction<'_>,
    new: &NewMessage,
    now: Timestamp,
) -> Result<(), StateError> {
    let mut changed = new.changed.clone();
    if new.merges && !new.is_cut {
        let sql = "SELECT number, type, changed, state = 'waiting' AND attempts = 0 AND answer IS NULL FROM messages
                   WHERE endpoint = ?1 AND resource = ?2 AND state IN ('waiting', 'sending')
                   ORDER BY number DESC LIMIT 1";
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        let mut statement = state.prepare_cached(sql)?;
        let last = statement.query_row((&new.endpoint, &new.resource), row);
        let last: Option<(i64, String, Option<String>, bool)> = last.optional()?;
        if let Some((number, kind, before, true)) = last
            && kind == new.kind
        {
            if let (Some(changed), Some(before)) = (&mut changed, before) {
                changed.extend(before.split(' ').map(str::to_owned));
            }
            state.execute("DELETE FROM messages WHERE number = ?1", [number])?;
        }
    }
    let words = |words: BTreeSet<String>| words.into_iter().collect::<Vec<_>>().join(" ");
    let first = match new.is_cut {
        true => MessageState::LoopBreak,
        false => MessageState::Waiting,
    };
    state
        .prepare_cached(
            "INSERT INTO messages (id, endpoint, type, resource, time, data, changed, causation, correlation, depth, state, next, ended, answer)
             VALUES (:id, :endpoint, :type, :resource, :time, :data, :changed, :causation, :correlation, :depth, :state, :time, :ended, :answer)",
        )?
        .execute(named_params! {
            ":id": new.id,
            ":endpoint": new.endpoint,
            ":type": new.kind,
            ":resource": new.resource,
            ":time": millis(now),
            ":data": new.data,
            ":changed": changed.map(words),
            ":causation": new.causation,
            ":correlation": new.correlation,
            ":depth": new.depth,
            ":state": first.as_str(),
            ":ended": new.is_cut.then(|| millis(now)),
            ":answer": new.is_cut.then_some("not sent: it is part of a loop"),
        })?;
    Ok(())
}

fn latest_plausible(now: Timestamp) -> i64 {
    millis(now.saturating_add(MAX_PAUSE).unwrap_or(Timestamp::MAX))
}

/// Deletes old messages, and finished messages beyond the newest [`MAX_FINISHED`].
pub(super) fn delete_finished(state: &Transaction<'_>, now: Timestamp) -> Result<(), StateError> {
    let Ok(limit) = now.checked_sub(RETENTION).map(millis) else {
        return Ok(());
    };
    state.execute("DELETE FROM messages WHERE ended < ?1", [limit])?;
    // Messages that have waited this long belong to a webhook that was removed from `site.toml`, or
    // that has no secret.
    state.execute("DELETE FROM messages WHERE state = 'waiting' AND time < ?1", [limit])?;
    state.execute(
        "DELETE FROM messages WHERE ended < (SELECT ended FROM messages WHERE ended IS NOT NULL
           ORDER BY ended DESC LIMIT 1 OFFSET ?1)",
        [MAX_FINISHED],
    )?;
    Ok(())
}

fn message(row: &Row<'_>) -> rusqlite::Result<Message> {
    let state = |name: String| {
        let mut all = MessageState::ALL.into_iter();
        let found = all.find(|state| state.as_str() == name);
        found.ok_or("unknown state of a message")
    };
    Ok(Message {
        number: row.get("number")?,
        id: row.get("id")?,
        endpoint: row.get("endpoint")?,
        kind: row.get("type")?,
        resource: row.get("resource")?,
        time: time(row, "time")?,
        data: row.get("data")?,
        changed: row.get("changed")?,
        causation: row.get("causation")?,
        correlation: row.get("correlation")?,
        depth: row.get("depth")?,
        state: parsed(row, "state", state)?,
        attempts: row.get("attempts")?,
        next: time(row, "next")?,
        answer: row.get("answer")?,
        ended: optional(row, "ended", time)?,
    })
}
