//! Records writes before they are made. The journal entry is on the disk before the first file
//! changes. If the state cannot be written, the client gets an error before any file changes. After
//! a completed write, a failure of the state is never reported to the client.
//!
//! The database contains a list of unfinished writes. A finished write is removed from the list,
//! and a crash of the program does not undo the removal. A write that a crash interrupted is still
//! in the list when the site is next served. The write is then completed, or its entry is removed.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, named_params};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::database::WriteResult;
use super::idempotency::store_answer;
use super::{Answer, JournalEntry, State, StateError, Ticket, journal};
use edit::transaction::WriteMarker;
use local::FOLDER;

/// The change to one file in a write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStep {
    /// The file's path, relative to the site's root.
    pub path: String,
    /// The [`FileStep::hash`] of the previous content, or `None` if the file did not exist.
    pub before: Option<u64>,
    /// The new content, for a step that another process may have to complete. `None` if the step
    /// moves the file to the trash. Also `None` for the first step, because a write without its
    /// first step has not started.
    pub text: Option<String>,
}

impl FileStep {
    /// Returns a hash of a file's bytes, used to detect changes.
    pub fn hash(bytes: &[u8]) -> u64 {
        xxh3_64(bytes)
    }
}

/// A recorded write that may be unfinished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    number: i64,
    /// The steps of the write, in order.
    pub steps: Vec<FileStep>,
}

/// A recorded write. If it is dropped without a result, it remains recorded until the site is next
/// served.
#[must_use = "call `confirm` or `discard`"]
pub struct RecordedWrite {
    state: State,
    number: i64,
    under_way: Option<WriteMarker>,
}

impl State {
    /// Records a write before it is made. In one commit, adds a journal entry and, for a reserved
    /// creation, stores the answer for repeated requests.
    pub fn record_write(
        &self,
        entry: &JournalEntry,
        steps: &[FileStep],
        reserved: Option<(&Ticket, &Answer)>,
    ) -> Result<RecordedWrite, StateError> {
        let root = self.root.as_deref();
        let under_way = root.map(|root| WriteMarker::begin(root, steps.len() > 1));
        let steps = json(steps)?;
        let reservation = reserved.map(|(ticket, _)| ticket.key().to_vec());
        let noted = self.write(|state| {
            journal::insert(state, entry, true)?;
            let number = state.last_insert_rowid();
            if let Some((ticket, answer)) = reserved {
                store_answer(state, ticket.key(), answer)?;
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
            Ok(number) => Ok(RecordedWrite { state: self.clone(), number, under_way }),
            Err(error) => {
                end(under_way);
                Err(error)
            }
        }
    }

    /// Whether the state of a site contains unfinished writes. Opens the database read-only.
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
        // If the state cannot be read now, the error is reported when the state is next opened.
        let asked: rusqlite::Result<bool> = asked();
        asked.unwrap_or(false)
    }

    /// Returns the writes that are not marked as finished, oldest first. While the site is served,
    /// the list includes writes in progress.
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
                    // If another version of feedwright wrote the steps in an unknown format, none
                    // of them are performed.
                    steps: serde_json::from_str(&steps).unwrap_or_default(),
                })
                .collect())
        })
    }

    /// Marks a write as done.
    pub fn mark_written(&self, intent: &Intent) -> Result<(), StateError> {
        self.save_result(WriteResult::Made(intent.number))
    }

    /// Removes the journal entry and the stored answer of a write that was not made.
    pub fn discard_write(&self, intent: &Intent) -> Result<(), StateError> {
        self.save_result(WriteResult::Unmade(intent.number))
    }
}

impl RecordedWrite {
    /// Replaces the recorded steps. Called if a file has changed since the write was recorded.
    pub fn change(&self, steps: &[FileStep]) -> Result<(), StateError> {
        let steps = json(steps)?;
        self.state.write(|state| {
            let sql = "UPDATE intents SET steps = ?2 WHERE journal = ?1";
            state.execute(sql, (self.number, &steps))?;
            Ok(())
        })
    }

    /// Marks the write as made, without waiting for other processes or the disk.
    pub fn confirm(self) {
        self.state.save_result_unsynced(WriteResult::Made(self.number));
        end(self.under_way);
    }

    /// Marks the write as not made. If that fails, the mark is saved with the next change to the
    /// database.
    pub fn discard(self) {
        let _ = self.state.save_result(WriteResult::Unmade(self.number));
        end(self.under_way);
    }
}

impl std::fmt::Debug for RecordedWrite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Noted").field(&self.number).finish()
    }
}

fn end(under_way: Option<WriteMarker>) {
    if let Some(under_way) = under_way {
        under_way.end();
    }
}

fn json(steps: &[FileStep]) -> Result<String, StateError> {
    serde_json::to_string(steps).map_err(|error| StateError::Damaged(error.to_string()))
}
