//! The journal of writes: the time, the key, the subject and the trigger of each write. Entries are
//! never removed. Each row takes about 150 bytes.

use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::database::{millis, time};
use super::{State, StateError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalEntry {
    /// The time of the write, stored to the millisecond.
    pub time: Timestamp,
    /// The operation, such as `items.create`.
    pub operation: String,
    /// The subject of the change: the id of an item, page or site file, or the name of another
    /// resource.
    pub subject: String,
    /// The path of the written file, relative to the site's root.
    pub path: Option<String>,
    /// The id of the key that was used.
    pub key_id: String,
    /// The id of the event that triggered the write, as the client sent it.
    pub causation: Option<String>,
    /// The id of the workflow that the write belongs to, as the client sent it.
    pub correlation: Option<String>,
}

/// The filter for journal entries. The default includes all entries.
#[derive(Debug, Clone, Copy, Default)]
pub struct JournalQuery<'a> {
    /// Maximum number of entries. The newest entries are returned.
    pub limit: Option<u32>,
    /// Only entries from this time or later.
    pub since: Option<Timestamp>,
    /// Only entries with this subject or this path.
    pub subject: Option<&'a str>,
    /// Only entries whose key id matches this pattern. `*` matches any characters.
    pub by: Option<&'a str>,
    /// Only entries that contain this string in their operation, subject or path, or in the id or
    /// name of their key.
    pub text: Option<&'a str>,
}

impl State {
    /// Adds an entry for an operation that changed no file.
    pub fn append(&self, entry: &JournalEntry) -> Result<(), StateError> {
        self.write(|state| insert(state, entry, false))
    }

    /// Returns entries in the order they were added, newest last.
    pub fn journal(&self, query: JournalQuery<'_>) -> Result<Vec<JournalEntry>, StateError> {
        self.read(|state| {
            let mut statement = state.prepare_cached(
                "SELECT * FROM journal
                 WHERE (:since IS NULL OR time >= :since)
                   AND (:subject IS NULL OR subject = :subject OR path = :subject)
                   AND (:by IS NULL OR key_id GLOB :by)
                   AND (:text IS NULL
                     OR instr(lower(concat_ws(' ', operation, subject, path, key_id)), lower(:text))
                     OR key_id IN (SELECT id FROM keys WHERE instr(lower(name), lower(:text))))
                 ORDER BY id DESC LIMIT :limit",
            )?;
            let rows = statement.query_map(
                named_params! {
                    ":since": query.since.map(millis),
                    ":subject": query.subject,
                    ":by": query.by,
                    ":text": query.text,
                    ":limit": query.limit.map_or(-1, i64::from),
                },
                entry,
            )?;
            let mut entries: Vec<JournalEntry> = rows.collect::<rusqlite::Result<_>>()?;
            entries.reverse();
            Ok(entries)
        })
    }
}

/// Adds an entry as part of a transaction.
pub(super) fn insert(
    state: &Connection,
    entry: &JournalEntry,
    wrote: bool,
) -> Result<(), StateError> {
    let mut statement = state.prepare_cached(
        "INSERT INTO journal (time, operation, subject, path, key_id, causation, correlation, wrote)
         VALUES (:time, :operation, :subject, :path, :key_id, :causation, :correlation, :wrote)",
    )?;
    statement.execute(named_params! {
        ":time": millis(entry.time),
        ":operation": entry.operation,
        ":subject": entry.subject,
        ":path": entry.path,
        ":key_id": entry.key_id,
        ":causation": entry.causation,
        ":correlation": entry.correlation,
        ":wrote": wrote,
    })?;
    Ok(())
}

fn entry(row: &Row<'_>) -> rusqlite::Result<JournalEntry> {
    Ok(JournalEntry {
        time: time(row, "time")?,
        operation: row.get("operation")?,
        subject: row.get("subject")?,
        path: row.get("path")?,
        key_id: row.get("key_id")?,
        causation: row.get("causation")?,
        correlation: row.get("correlation")?,
    })
}
