//! The webhooks that messages are queued for. A message refers to its webhook by name. If the
//! author changes the name or address of a webhook in `site.toml`, the webhook keeps its waiting
//! messages.

use rusqlite::{Row, Transaction};

use super::{State, StateError};
use model::Endpoint;

/// The last known settings of a webhook.
struct KnownEndpoint {
    name: String,
    url: String,
    secret_env: String,
}

impl State {
    /// Stores the webhooks of `site.toml`. A webhook with a new name is recognized by its address.
    /// A webhook with a new name and a new address is recognized by its secret's environment
    /// variable. Ambiguous matches are ignored.
    pub fn store_endpoints(&self, endpoints: &[Endpoint]) -> Result<(), StateError> {
        self.write_waiting(|state| {
            let mut gone = known(state)?;
            let mut new: Vec<&Endpoint> = endpoints
                .iter()
                .filter(|one| gone.iter().all(|known| known.name != one.name))
                .collect();
            gone.retain(|known| endpoints.iter().all(|one| one.name != known.name));
            move_messages(state, &mut gone, &mut new, |known, one| known.url == one.url)?;
            move_messages(state, &mut gone, &mut new, |known, one| {
                known.secret_env == one.secret_env
            })?;
            state.execute(
                "DELETE FROM endpoints WHERE name NOT IN
                 (SELECT endpoint FROM messages WHERE state IN ('waiting', 'sending'))",
                (),
            )?;
            for one in endpoints {
                let sql =
                    "INSERT OR REPLACE INTO endpoints (name, url, secret_env) VALUES (?1, ?2, ?3)";
                state.execute(sql, (&one.name, &one.url, &one.secret_env))?;
            }
            Ok(())
        })
    }

    /// Returns the names of the webhooks whose receivers are gone, each with the receiver's
    /// address.
    pub fn removed_endpoints(&self) -> Result<Vec<(String, String)>, StateError> {
        self.read(|state| {
            let mut statement = state.prepare_cached("SELECT endpoint, url FROM gone_endpoints")?;
            let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}

fn known(state: &Transaction<'_>) -> Result<Vec<KnownEndpoint>, StateError> {
    let mut statement = state.prepare_cached("SELECT name, url, secret_env FROM endpoints")?;
    let row = |row: &Row<'_>| {
        Ok(KnownEndpoint { name: row.get(0)?, url: row.get(1)?, secret_env: row.get(2)? })
    };
    Ok(statement.query_map((), row)?.collect::<rusqlite::Result<_>>()?)
}

/// Moves the messages of removed webhooks to new webhooks for which `is_same` returns true.
/// Ambiguous matches are ignored.
fn move_messages(
    state: &Transaction<'_>,
    gone: &mut Vec<KnownEndpoint>,
    new: &mut Vec<&Endpoint>,
    is_same: impl Fn(&KnownEndpoint, &Endpoint) -> bool,
) -> Result<(), StateError> {
    let names = |known: &KnownEndpoint, one: &Endpoint| (known.name.clone(), one.name.clone());
    let pairs: Vec<(String, String)> = gone
        .iter()
        .flat_map(|known| new.iter().map(move |one| (known, *one)))
        .filter(|(known, one)| is_same(known, one))
        .map(|(known, one)| names(known, one))
        .collect();
    let is_clear = |pair: &&(String, String)| {
        let others = pairs.iter().filter(|other| other.0 == pair.0 || other.1 == pair.1);
        others.count() == 1
    };
    for (former, name) in pairs.iter().filter(is_clear) {
        for table in ["messages", "gone_endpoints"] {
            let sql = format!("UPDATE OR IGNORE {table} SET endpoint = ?2 WHERE endpoint = ?1");
            state.execute(&sql, (former, name))?;
        }
        gone.retain(|known| known.name != *former);
        new.retain(|one| one.name != *name);
    }
    Ok(())
}
