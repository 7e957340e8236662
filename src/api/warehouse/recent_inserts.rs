//! Remembers recently inserted rows by their insert ids. The ids are lost when the process ends.
//! The loss is harmless, because clients repeat a row immediately or never.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_128;

use warehouse::TableName;

/// How long an insert id is remembered, and the maximum number of ids in memory.
const RETENTION: Duration = Duration::from_mins(1);
const MAX_IDS: usize = 200_000;

/// The insert ids of the last minute.
#[derive(Debug, Default)]
pub struct RecentInserts(Mutex<Rows>);

#[derive(Debug, Default)]
struct Rows {
    known: HashSet<u128>,
    order: VecDeque<(Instant, u128)>,
}

impl RecentInserts {
    /// Returns whether a row with this id was recently inserted into a table.
    pub fn has_insert_id(&self, table: &TableName, id: &str) -> bool {
        let mut rows = self.locked_rows();
        rows.remove_expired();
        rows.known.contains(&digest(table, id))
    }

    /// Records rows that were inserted into a table.
    pub fn note(&self, table: &TableName, ids: impl Iterator<Item = String>) {
        let mut rows = self.locked_rows();
        let now = Instant::now();
        for id in ids {
            let row = digest(table, &id);
            if rows.known.insert(row) {
                rows.order.push_back((now, row));
            }
        }
        rows.remove_expired();
    }

    fn locked_rows(&self) -> MutexGuard<'_, Rows> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rows {
    fn remove_expired(&mut self) {
        let is_old = |(time, _): &(Instant, u128)| time.elapsed() > RETENTION;
        while self.order.len() > MAX_IDS || self.order.front().is_some_and(is_old) {
            if let Some((_, row)) = self.order.pop_front() {
                self.known.remove(&row);
            }
        }
    }
}

fn digest(table: &TableName, id: &str) -> u128 {
    xxh3_128(format!("{table}\0{id}").as_bytes())
}
