//! Writes that are noted before they are made: the journal's entry is on the disk before the first file is
//! touched. So if the state cannot be written, the client learns it before any file changes, and a write
//! that was made is never reported as failed because of the state.
//!
//! A write that is finished is removed from the list; no crash of the program undoes that. A write that a
//! crash interrupted is still in the list when the site is next served: then it is finished, or its entry is
//! removed.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, named_params};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::database::Ended;
use super::idempotency::keep_answer;
use super::{Answer, JournalEntry, State, StateError, Ticket, journal};
use edit::transaction::UnderWay;
use local::FOLDER;

/// What a write does to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStep {
    /// The file, from the site's root.
    pub path: String,
    /// The [`FileStep::hash`] of what it held. None where there was no file.
    pub before: Option<u64>,
    /// What it is to hold, for a step that another process may have to finish. None for a file that goes to
    /// the trash, and for the first step: until that is done, nothing was begun.
    pub text: Option<String>,
}

impl FileStep {
    /// A hash of a file's bytes, to see whether they are still the same.
    pub fn hash(bytes: &[u8]) -> u64 {
        xxh3_64(bytes)
    }
}

/// A write that was noted and may be unfinished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    number: i64,
    /// What it does to each file, in this order.
    pub steps: Vec<FileStep>,
}

/// A write that is noted. Dropped without an answer, it stays noted until the site is next served.
#[must_use = "say whether it was made"]
pub struct NotedWrite {
    state: State,
    number: i64,
    under_way: Option<UnderWay>,
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
        let root = self.root.as_deref();
        let under_way = root.map(|root| UnderWay::begin(root, steps.len() > 1));
        let steps = json(steps)?;
        let reservation = reserved.map(|(ticket, _)| ticket.key().to_vec());
        let noted = self.write(|state| {
            journal::insert(state, entry, true)?;
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
        });
        match noted {
            Ok(number) => Ok(NotedWrite { state: self.clone(), number, under_way }),
            Err(error) => {
                end(under_way);
                Err(error)
            }
        }
    }

    /// Whether the state of a site may name writes that are not finished. Opens nothing for writing.
    pub fn has_unfinished_writes(root: &Path) -> bool {
        let file = root.join(FOLDER).join("state.sqlite");
        if !file.is_file() {
            return false;
        }
        let asked = || {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let state = Connection::open_with_flags(&file, flags)?;
            state.query_row("SELECT EXISTS (SELECT 1 FROM intents)", [], |row| row.get(0))
        };
        // A state that cannot be read now is reported where it is opened.
        let asked: rusqlite::Result<bool> = asked();
        asked.unwrap_or(false)
    }

    /// The writes that are not known to be finished, the oldest first. While the site is served, writes that
    /// are under way are among them.
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
                    // Steps that another version wrote and this one cannot read are left alone.
                    steps: serde_json::from_str(&steps).unwrap_or_default(),
                })
                .collect())
        })
    }

    /// Notes that a write was made.
    pub fn write_is_made(&self, intent: &Intent) -> Result<(), StateError> {
        self.note_end(Ended::Made(intent.number))
    }

    /// Takes back the entry of a write that never happened, and the answer that was kept for it.
    pub fn write_is_not_made(&self, intent: &Intent) -> Result<(), StateError> {
        self.note_end(Ended::Unmade(intent.number))
    }
}

impl NotedWrite {
    /// Replaces the steps, because the files had changed when they were looked at again.
    pub fn change(&self, steps: &[FileStep]) -> Result<(), StateError> {
        let steps = json(steps)?;
        self.state.write(|state| {
            let sql = "UPDATE intents SET steps = ?2 WHERE journal = ?1";
            state.execute(sql, (self.number, &steps))?;
            Ok(())
        })
    }

    /// Notes that the write was made, without waiting for other processes or the disk.
    pub fn made(self) {
        self.state.note_end_at_ease(Ended::Made(self.number));
        end(self.under_way);
    }

    /// Notes that the write was not made. If that cannot be noted now, it is noted together with the next
    /// change.
    pub fn unmade(self) {
        let _ = self.state.note_end(Ended::Unmade(self.number));
        end(self.under_way);
    }
}

impl std::fmt::Debug for NotedWrite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Noted").field(&self.number).finish()
    }
}

fn end(under_way: Option<UnderWay>) {
    if let Some(under_way) = under_way {
        under_way.end();
    }
}

fn json(steps: &[FileStep]) -> Result<String, StateError> {
    serde_json::to_string(steps).map_err(|error| StateError::Damaged(error.to_string()))
}
