//! Cache of the rows that contain frequent words. Each connection has its own cache, which is valid
//! until the index changes.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::Connection;

use super::catalog::Row;
use super::tables::data_version;

/// Only results with at least this many rows are cached. Fewer rows are found in the index as fast
/// as in the cache.
const MIN_CACHED_ROWS: usize = 200;

/// Maximum number of cached rows. Each row takes 4 bytes.
const MAX_CACHED_ROWS: usize = 1_000_000;

/// Cached rows in ascending order, by the expression that finds them.
#[derive(Debug, Default)]
pub(super) struct RowCache {
    data_version: i64,
    cached: HashMap<String, Arc<[Row]>>,
    count: usize,
}

impl RowCache {
    /// Empties the cache if another connection has written since the last call. Call this method
    /// inside the read transaction.
    pub fn clear_if_changed(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let data_version = data_version(connection)?;
        if data_version != self.data_version {
            *self = Self { data_version, ..Self::default() };
        }
        Ok(())
    }

    /// Returns the rows that match all expressions.
    pub fn matching(
        &mut self,
        connection: &Connection,
        expressions: &[String],
    ) -> rusqlite::Result<Vec<Row>> {
        let mut sets = Vec::with_capacity(expressions.len());
        for expression in expressions {
            sets.push(self.cached_rows(connection, expression)?);
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

    fn cached_rows(
        &mut self,
        connection: &Connection,
        expression: &str,
    ) -> rusqlite::Result<Arc<[Row]>> {
        if let Some(rows) = self.cached.get(expression) {
            return Ok(Arc::clone(rows));
        }
        let rows: Arc<[Row]> = connection
            .prepare_cached("SELECT rowid FROM words WHERE words MATCH ?1")?
            .query_map([expression], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        if rows.len() >= MIN_CACHED_ROWS {
            if self.count + rows.len() > MAX_CACHED_ROWS {
                self.cached.clear();
                self.count = 0;
            }
            self.count += rows.len();
            self.cached.insert(expression.to_owned(), Arc::clone(&rows));
        }
        Ok(rows)
    }
}
