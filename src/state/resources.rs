//! The ledger of resources that webhooks report. It contains each resource as it was at the last
//! comparison. The ledger and the messages are changed in one transaction, so that each change is
//! reported exactly once.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction, named_params};

use super::database::millis;
use super::messages::{NewMessage, delete_finished, queue};
use super::{State, StateError};

/// A resource of the site in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The kind of resource, such as `item` or `page`.
    pub kind: String,
    pub id: String,
    /// The file that the resource was read from.
    pub file: String,
    /// Whether the resource is public.
    pub is_public: bool,
    /// A hash of each part of the file: JSON.
    pub keys: String,
    /// The data for messages about the resource: JSON.
    pub data: String,
    /// The number of the newest journal entry that messages about the resource have covered.
    pub journal: i64,
}

/// A change to the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerChange {
    /// The resource is new or different.
    Written(Resource),
    /// The resource is gone. Contains its kind and id.
    Gone(String, String),
}

/// The origin of a write through an API, as stated by the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The number of the write's entry in the journal.
    pub journal: i64,
    /// The event that triggered the write.
    pub causation: Option<String>,
    /// The workflow that the write belongs to.
    pub correlation: Option<String>,
}

impl State {
    /// Returns all resources of the ledger, or `None` if no comparison has been made yet.
    pub fn ledger_resources(&self) -> Result<Option<Vec<Resource>>, StateError> {
        self.read(|state| {
            let since = state
                .query_row("SELECT since FROM ledger_of_resources", (), |row| row.get::<_, i64>(0));
            if since.optional()?.is_none() {
                return Ok(None);
            }
            let mut statement = state.prepare("SELECT * FROM resources")?;
            let rows = statement.query_map((), resource)?;
            Ok(Some(rows.collect::<rusqlite::Result<_>>()?))
        })
    }

    /// Returns a resource of the ledger.
    pub fn ledger_resource(&self, kind: &str, id: &str) -> Result<Option<Resource>, StateError> {
        self.read(|state| {
            let sql = "SELECT * FROM resources WHERE kind = ?1 AND id = ?2";
            let mut statement = state.prepare_cached(sql)?;
            Ok(statement.query_row((kind, id), resource).optional()?)
        })
    }

    /// Records changes to resources, together with the messages about them.
    pub fn record_resources(
        &self,
        changes: &[LedgerChange],
        messages: &[NewMessage],
        now: Timestamp,
    ) -> Result<(), StateError> {
        self.write_waiting(|state| {
            state.execute(
                "INSERT INTO ledger_of_resources SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM ledger_of_resources)",
                [millis(now)],
            )?;
            for change in changes {
                apply_change(state, change)?;
            }
            delete_finished(state, now)?;
            for message in messages {
                queue(state, message, now)?;
            }
            Ok(())
        })
    }

    /// Deletes the ledger of a site that no longer has webhooks. If a webhook is added later, it is
    /// not notified of earlier changes.
    pub fn forget_resources(&self) -> Result<(), StateError> {
        if self.compared_since()?.is_none() {
            return Ok(());
        }
        self.write(|state| {
            state.execute_batch("DELETE FROM resources; DELETE FROM ledger_of_resources;")?;
            Ok(())
        })
    }

    fn compared_since(&self) -> Result<Option<i64>, StateError> {
        self.read(|state| {
            let sql = "SELECT since FROM ledger_of_resources";
            Ok(state.query_row(sql, (), |row| row.get(0)).optional()?)
        })
    }

    /// Returns the trace of the newest write that changed a resource or its file, among the journal
    /// entries after `after`.
    pub fn trace_of(
        &self,
        subject: &str,
        path: &str,
        after: i64,
    ) -> Result<Option<Trace>, StateError> {
        self.read(|state| {
            let mut statement = state.prepare_cached(
                "SELECT max(id) AS journal, causation, correlation FROM journal
                 WHERE id > ?3 AND (subject = ?1 OR path = ?2) AND wrote",
            )?;
            let row = |row: &Row<'_>| {
                let journal: Option<i64> = row.get("journal")?;
                let (causation, correlation) = (row.get("causation")?, row.get("correlation")?);
                Ok(journal.map(|journal| Trace { journal, causation, correlation }))
            };
            Ok(statement.query_row((subject, path, after), row)?)
        })
    }
}

fn apply_change(state: &Transaction<'_>, change: &LedgerChange) -> Result<(), StateError> {
    match change {
        LedgerChange::Written(resource) => state
            .prepare_cached(
                "INSERT OR REPLACE INTO resources (kind, id, file, public, keys, data, journal)
                 VALUES (:kind, :id, :file, :public, :keys, :data, :journal)",
            )?
            .execute(named_params! {
                ":kind": resource.kind,
                ":id": resource.id,
                ":file": resource.file,
                ":public": resource.is_public,
                ":keys": resource.keys,
                ":data": resource.data,
                ":journal": resource.journal,
            })?,
        LedgerChange::Gone(kind, id) => state
            .prepare_cached("DELETE FROM resources WHERE kind = ?1 AND id = ?2")?
            .execute((kind, id))?,
    };
    Ok(())
}

fn resource(row: &Row<'_>) -> rusqlite::Result<Resource> {
    Ok(Resource {
        kind: row.get("kind")?,
        id: row.get("id")?,
        file: row.get("file")?,
        is_public: row.get("public")?,
        keys: row.get("keys")?,
        data: row.get("data")?,
        journal: row.get("journal")?,
    })
}
