//! The rows of frequent words, kept by a connection until the index changes.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::Connection;

use super::catalog::Row;
use super::tables::data_version;

/// Fewer rows are found as quickly as they are remembered.
const MANY: usize = 200;

/// The most rows that are kept, of 4 bytes each.
const ROWS_MAX: usize = 1_000_000;

/// Rows by the expression that finds them, in ascending order.
#[derive(Debug, Default)]
pub(super) struct KnownRows {
    data_version: i64,
    known: HashMap<String, Arc<[Row]>>,
    count: usize,
}

impl KnownRows {
    /// Forgets everything if anybody has written since. Call it within the transaction that reads.
    pub fn follow(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let data_version = data_version(connection)?;
        if data_version != self.data_version {
            *self = Self { data_version, ..Self::default() };
        }
        Ok(())
    }

    /// The rows that every expression finds.
    pub fn matching(
        &mut self,
        connection: &Connection,
        expressions: &[String],
    ) -> rusqlite::Result<Vec<Row>> {
        let mut sets = Vec::with_capacity(expressions.len());
        for expression in expressions {
            sets.push(self.of(connection, expression)?);
        }
        sets.sort_unstable_by_key(|set| set.len());
        let Some((fewest, others)) = sets.split_first() else {
            return Ok(Vec::new());
        };
        let mut rows = fewest.to_vec();
        for other in others {
            let mut rest = &other[..];
            rows.retain(|row| {
                rest = &rest[rest.partition_point(|other| other < row)..];
                rest.first() == Some(row)
            });
        }
        Ok(rows)
    }

    fn of(&mut self, connection: &Connection, expression: &str) -> rusqlite::Result<Arc<[Row]>> {
        if let Some(rows) = self.known.get(expression) {
            return Ok(Arc::clone(rows));
        }
        let rows: Arc<[Row]> = connection
            .prepare_cached("SELECT rowid FROM words WHERE words MATCH ?1")?
            .query_map([expression], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        if rows.len() >= MANY {
            if self.count + rows.len() > ROWS_MAX {
                self.known.clear();
                self.count = 0;
            }
            self.count += rows.len();
            self.known.insert(expression.to_owned(), Arc::clone(&rows));
        }
        Ok(rows)
    }
}
