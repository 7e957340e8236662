//! Writes that are noted before they are made: the journal's entry is on the disk before the first file
//! is touched. So a state that cannot be written is told while nothing is changed yet, and what was written
//! is never told as failed because of the state.
//!
//! A write that ends is struck off, which no crash of the program undoes. What a crash cut off is still
//! there when the site is next served, and is finished then, or its entry goes.

use rusqlite::named_params;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::database::Ended;
use super::idempotency::keep_answer;
use super::{Answer, JournalEntry, State, StateError, Ticket, journal};

/// What a write does to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStep {
    /// The file, from the site's root.
    pub path: String,
    /// What it held: its [`FileStep::hash`]. None where there was no file.
    pub before: Option<u64>,
    /// What it is to hold, where the step may have to be finished by another process. None for a file that
    /// goes to the trash, and for the first step, without which nothing was begun.
    pub text: Option<String>,
}

impl FileStep {
    /// Tells what a file holds from anything else it may hold.
    pub fn hash(bytes: &[u8]) -> u64 {
        xxh3_64(bytes)
    }
}

/// A write that may not have been made to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    number: i64,
    /// What it does, in this order.
    pub steps: Vec<FileStep>,
}

/// A write that is noted. Dropped, it is looked at when the site is next served.
#[must_use = "say whether it was made"]
pub struct NotedWrite {
    state: State,
    number: i64,
}

impl State {
    /// Notes a write that is about to be made: adds its entry to the journal and, for a creation that was
    /// reserved, keeps the answer for those who ask again, in one commit.
    pub fn note(
        &self,
        entry: &JournalEntry,
        steps: &[FileStep],
        reserved: Option<(&Ticket, &Answer)>,
    ) -> Result<NotedWrite, StateError> {
        let steps = json(steps)?;
        let reservation = reserved.map(|(ticket, _)| ticket.key().to_vec());
        let number = self.write(|state| {
            journal::insert(state, entry)?;
            let number = state.last_insert_rowid();
            if let Some((ticket, answer)) = reserved {
                keep_answer(state, ticket.key(), answer)?;
            }
            let mut statement = state.prepare_cached(
                "INSERT INTO intents (journal, steps, reservation) VALUES (:journal, :steps, :reservation)",
            )?;
            statement.execute(named_params! {
                ":journal": number,
                ":steps": steps,
                ":reservation": reservation,
            })?;
            Ok(number)
        })?;
        Ok(NotedWrite {
            state: self.clone(),
            number,
        })
    }

    /// The writes that are not known to be made, the oldest first. While the site is served, one that is
    /// being made is among them.
    pub fn unfinished_writes(&self) -> Result<Vec<Intent>, StateError> {
        self.read(|state| {
            let sql = "SELECT journal, steps FROM intents ORDER BY journal";
            let mut statement = state.prepare(sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let rows: Vec<(i64, String)> = rows.collect::<rusqlite::Result<_>>()?;
            Ok(rows
                .into_iter()
                .map(|(number, steps)| Intent {
                    number,
                    // What another version wrote and this one cannot read is as it is.
                    steps: serde_json::from_str(&steps).unwrap_or_default(),
                })
                .collect())
        })
    }

    /// Strikes off a write that was made.
    pub fn write_is_made(&self, intent: &Intent) -> Result<(), StateError> {
        self.note_end(Ended::Made(intent.number))
    }

    /// Takes back the entry of a write that never happened, and the answer that was kept for it.
    pub fn write_is_not_made(&self, intent: &Intent) -> Result<(), StateError> {
        self.note_end(Ended::Unmade(intent.number))
    }
}

impl NotedWrite {
    /// Notes other steps: the files were others when they were looked at again.
    pub fn change(&self, steps: &[FileStep]) -> Result<(), StateError> {
        let steps = json(steps)?;
        self.state.write(|state| {
            let sql = "UPDATE intents SET steps = ?2 WHERE journal = ?1";
            state.execute(sql, (self.number, &steps))?;
            Ok(())
        })
    }

    /// The write was made. It waits for nothing.
    pub fn made(self) {
        self.state.note_end_at_ease(Ended::Made(self.number));
    }

    /// The write was not made, and nothing is changed. Where that cannot be noted now, it is before
    /// anything else is.
    pub fn unmade(self) {
        let _ = self.state.note_end(Ended::Unmade(self.number));
    }
}

impl std::fmt::Debug for NotedWrite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Noted").field(&self.number).finish()
    }
}

fn json(steps: &[FileStep]) -> Result<String, StateError> {
    serde_json::to_string(steps).map_err(|error| StateError::Damaged(error.to_string()))
}
