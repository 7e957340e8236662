//! Edits that agents propose for published files. A proposal waits until a person accepts or
//! discards it.

use jiff::Timestamp;
use rusqlite::{Row, named_params};

use super::database::{millis, time};
use super::{State, StateError};

/// Maximum number of waiting proposals. If there were more, people would overlook important ones.
pub const MAX_PROPOSALS: usize = 100;

/// The proposed new content of a file, waiting for a person's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub id: String,
    /// The time of the proposal, stored to the millisecond.
    pub time: Timestamp,
    /// The name of the agent, as in the journal.
    pub agent: String,
    /// The path of the file, relative to the site's root.
    pub path: String,
    /// The agent's reason for the proposal.
    pub reason: Option<String>,
    /// The content of the file when the agent read it.
    pub before: String,
    /// The proposed content.
    pub after: String,
}

impl State {
    /// Stores a proposal and returns its id. If an identical proposal is waiting already, returns
    /// the id of that proposal. Returns `None` if too many proposals are waiting.
    pub fn propose(&self, proposal: &Proposal) -> Result<Option<String>, StateError> {
        self.write(|state| {
            let sql = "SELECT id, path, before, after FROM proposals";
            let mut statement = state.prepare_cached(sql)?;
            let mut rows = statement.query(())?;
            let mut count = 0;
            while let Some(row) = rows.next()? {
                let own = |column: &str| row.get::<_, String>(column);
                if own("path")? == proposal.path
                    && own("after")? == proposal.after
                    && own("before")? == proposal.before
                {
                    return Ok(Some(own("id")?));
                }
                count += 1;
            }
            if count >= MAX_PROPOSALS {
                return Ok(None);
            }
            let mut statement = state.prepare_cached(
                "INSERT INTO proposals (id, time, agent, path, reason, before, after)
                 VALUES (:id, :time, :agent, :path, :reason, :before, :after)",
            )?;
            statement.execute(named_params! {
                ":id": proposal.id,
                ":time": millis(proposal.time),
                ":agent": proposal.agent,
                ":path": proposal.path,
                ":reason": proposal.reason,
                ":before": proposal.before,
                ":after": proposal.after,
            })?;
            Ok(Some(proposal.id.clone()))
        })
    }

    /// Returns the waiting proposals, newest first.
    pub fn proposals(&self) -> Result<Vec<Proposal>, StateError> {
        self.read(|state| {
            let sql = "SELECT * FROM proposals ORDER BY time DESC, id";
            let mut statement = state.prepare_cached(sql)?;
            let rows = statement.query_map((), proposal)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn count_proposals(&self) -> Result<i64, StateError> {
        self.read(|state| {
            Ok(state.query_row("SELECT count(*) FROM proposals", (), |row| row.get(0))?)
        })
    }

    /// Removes a proposal. Returns whether it existed.
    pub fn end_proposal(&self, id: &str) -> Result<bool, StateError> {
        self.write(|state| Ok(state.execute("DELETE FROM proposals WHERE id = ?1", [id])? == 1))
    }
}

fn proposal(row: &Row<'_>) -> rusqlite::Result<Proposal> {
    Ok(Proposal {
        id: row.get("id")?,
        time: time(row, "time")?,
        agent: row.get("agent")?,
        path: row.get("path")?,
        reason: row.get("reason")?,
        before: row.get("before")?,
        after: row.get("after")?,
    })
}
