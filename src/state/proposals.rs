//! Texts that agents propose for files that readers have, until a person accepts or discards them.

use jiff::Timestamp;
use rusqlite::{Row, named_params};

use super::database::{millis, time};
use super::{State, StateError};

/// Most proposals that wait: more would hide what matters.
pub const MOST_PROPOSALS: usize = 100;

/// A text that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub id: String,
    /// When it was made; kept to the millisecond.
    pub time: Timestamp,
    /// Who made it, as the journal calls it.
    pub agent: String,
    /// The file, from the site's root.
    pub path: String,
    /// Why, in the agent's words.
    pub reason: Option<String>,
    /// The text that the agent has seen.
    pub before: String,
    /// The text that it proposes.
    pub after: String,
}

impl State {
    /// Keeps a proposal. Answers the id of one that is the same and waits already, and None if too many wait.
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
            if count >= MOST_PROPOSALS {
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

    /// The proposals that wait, the newest first.
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

    /// Ends a proposal. Whether there was one.
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
