//! Assigns numbers to repeated strings.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};
use warehouse::Fault;

/// Maximum number of bytes of strings that are cached in memory. Other strings are looked up in the
/// table.
const MAX_CACHED_BYTES: usize = 8 * 1024 * 1024;

/// A table of numbered strings: `log_paths` or `log_agents`.
pub(super) struct Dictionary<'c> {
    connection: &'c Connection,
    look_up: &'static str,
    insert: &'static str,
    known: HashMap<Box<str>, u32>,
    bytes: usize,
}

impl<'c> Dictionary<'c> {
    pub(super) fn paths(connection: &'c Connection) -> Self {
        Self::new(
            connection,
            "SELECT id FROM log_paths WHERE text = ?1",
            "INSERT INTO log_paths (text) VALUES (?1)",
        )
    }

    /// Creates a dictionary for the user agents of requests.
    pub(super) fn agents(connection: &'c Connection) -> Self {
        Self::new(
            connection,
            "SELECT id FROM log_agents WHERE text = ?1",
            "INSERT INTO log_agents (text) VALUES (?1)",
        )
    }

    fn new(connection: &'c Connection, look_up: &'static str, insert: &'static str) -> Self {
        Self { connection, look_up, insert, known: HashMap::new(), bytes: 0 }
    }

    /// Returns the number of a string. A new string is stored with the next free number.
    pub(super) fn number(&mut self, text: &str) -> Result<u32, Fault> {
        if let Some(number) = self.known.get(text) {
            return Ok(*number);
        }
        let number = self.stored(text).map_err(Fault::internal)?;
        let number = u32::try_from(number).map_err(Fault::internal)?;
        // Each entry has an overhead of approximately 64 bytes.
        self.bytes += text.len() + 64;
        if self.bytes > MAX_CACHED_BYTES {
            self.known.clear();
            self.bytes = text.len();
        }
        self.known.insert(text.into(), number);
        Ok(number)
    }

    fn stored(&self, text: &str) -> rusqlite::Result<i64> {
        let mut look_up = self.connection.prepare_cached(self.look_up)?;
        if let Some(number) = look_up.query_row([text], |row| row.get(0)).optional()? {
            return Ok(number);
        }
        self.connection.prepare_cached(self.insert)?.execute([text])?;
        Ok(self.connection.last_insert_rowid())
    }
}
