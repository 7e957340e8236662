//! Creates, finds, rotates and revokes the API keys of a site.

use jiff::Timestamp;
use rusqlite::{Connection, Params, Row, named_params};
use subtle::ConstantTimeEq;

use super::database::{millis, optional, parsed, time};
use super::secret::{digest, random_id};
use super::{Key, KeyError, KeyStatus, Scope, Secret, State, StateError, Window};

const COLUMNS: &str = "id, name, scopes, created, not_before, expires, revoked, show";

impl State {
    /// Creates a key. Returns the secret, which is not stored; the database contains only its hash.
    /// Times are stored to the millisecond.
    pub fn create_key(
        &self,
        name: &str,
        scopes: &[Scope],
        window: Window,
        now: Timestamp,
    ) -> Result<(Key, Secret), StateError> {
        self.create_key_for(None, (name, scopes), window, now)
    }

    /// Creates a key like [`create_key`](Self::create_key). With a `show`, the key is valid only for
    /// the API of the show with this name.
    pub fn create_key_for(
        &self,
        show: Option<&str>,
        (name, scopes): (&str, &[Scope]),
        window: Window,
        now: Timestamp,
    ) -> Result<(Key, Secret), StateError> {
        check(name, scopes, window, now)?;
        let (id, secret) = (random_id()?, Secret::generate_key()?);
        let given: Vec<&str> = Scope::ALL
            .into_iter()
            .filter(|scope| scopes.contains(scope))
            .map(Scope::as_str)
            .collect();
        let key = self.write(|state| {
            state.execute(
                "INSERT INTO keys (id, name, scopes, secret, created, not_before, expires, show)
                 VALUES (:id, :name, :scopes, :secret, :created, :not_before, :expires, :show)",
                named_params! {
                    ":id": id,
                    ":name": name,
                    ":scopes": given.join(" "),
                    ":secret": secret.digest(),
                    ":created": millis(now),
                    ":not_before": window.not_before.map(millis),
                    ":expires": window.expires.map(millis),
                    ":show": show,
                },
            )?;
            by_id(state, &id)
        })?;
        Ok((key, secret))
    }

    /// Returns the key with this secret if it is valid at `now`, otherwise `None`.
    pub fn authenticate(&self, secret: &str, now: Timestamp) -> Result<Option<Key>, StateError> {
        let key = self.find_key(secret)?;
        Ok(key.filter(|key| key.status(now) == KeyStatus::Active))
    }

    /// Returns the key with this secret. The key may be expired or revoked, so the caller must
    /// check its status.
    ///
    /// The time that this method takes reveals nothing about other secrets, because every digest is
    /// compared completely.
    pub fn find_key(&self, secret: &str) -> Result<Option<Key>, StateError> {
        let digest = digest(secret);
        let from_environment =
            self.environment.as_ref().filter(|own| own.digest.ct_eq(&digest).into());
        if let Some(own) = from_environment {
            return Ok(Some(own.key.clone()));
        }
        self.read(|state| {
            let mut statement = state.prepare_cached("SELECT id, secret FROM keys")?;
            let mut rows = statement.query([])?;
            let mut found = None;
            while let Some(row) = rows.next()? {
                let stored: [u8; 32] = row.get("secret")?;
                if stored.ct_eq(&digest).into() {
                    found = Some(row.get::<_, String>("id")?);
                }
            }
            found.map(|id| by_id(state, &id)).transpose()
        })
    }

    /// Returns all keys, oldest first, including expired and revoked ones.
    pub fn keys(&self) -> Result<Vec<Key>, StateError> {
        self.read(|state| select(state, "", ()))
    }

    /// Replaces the secret of a key. The old secret is no longer valid. The other fields of the key
    /// do not change.
    pub fn rotate_key(
        &self,
        id_or_name: &str,
        now: Timestamp,
    ) -> Result<(Key, Secret), StateError> {
        let secret = Secret::generate_key()?;
        let key = self.write(|state| {
            let key = key_named(state, id_or_name)?;
            match key.status(now) {
                KeyStatus::Revoked => return Err(KeyError::Revoked(key.name).into()),
                KeyStatus::Expired => return Err(KeyError::Expired(key.name).into()),
                KeyStatus::Active | KeyStatus::NotYetValid => {}
            }
            state
                .execute("UPDATE keys SET secret = ?2 WHERE id = ?1", (&key.id, secret.digest()))?;
            Ok(key)
        })?;
        Ok((key, secret))
    }

    /// Revokes a key permanently, and returns it. A key that is already revoked does not change.
    pub fn revoke_key(&self, id_or_name: &str, now: Timestamp) -> Result<Key, StateError> {
        self.write(|state| {
            let key = key_named(state, id_or_name)?;
            state.execute(
                "UPDATE keys SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL",
                (&key.id, millis(now)),
            )?;
            by_id(state, &key.id)
        })
    }
}

fn check(name: &str, scopes: &[Scope], window: Window, now: Timestamp) -> Result<(), KeyError> {
    let named = (1..=100).contains(&name.chars().count())
        && !name.trim().is_empty()
        && !name.contains(char::is_control);
    if !named {
        return Err(KeyError::Name(name.to_owned()));
    }
    if scopes.is_empty() {
        return Err(KeyError::NoScope);
    }
    match (window.not_before, window.expires) {
        (Some(start), Some(end)) if millis(end) <= millis(start) => {
            Err(KeyError::EndsBeforeItBegins)
        }
        (_, Some(end)) if millis(end) <= millis(now) => Err(KeyError::EndsInThePast),
        _ => Ok(()),
    }
}

/// Returns the key with this id, or else the key with this name. If several keys have the name,
/// keys that are not revoked take precedence.
fn key_named(state: &Connection, id_or_name: &str) -> Result<Key, StateError> {
    if let Some(key) = select(state, "WHERE id = ?1", [id_or_name])?.pop() {
        return Ok(key);
    }
    let mut keys = select(state, "WHERE name = ?1", [id_or_name])?;
    if keys.iter().any(|key| key.revoked.is_none()) {
        keys.retain(|key| key.revoked.is_none());
    }
    if keys.len() > 1 {
        let ids = keys.into_iter().map(|key| key.id).collect();
        let name = id_or_name.to_owned();
        return Err(KeyError::Ambiguous { name, ids }.into());
    }
    keys.pop().ok_or_else(|| KeyError::Unknown(id_or_name.to_owned()).into())
}

fn by_id(state: &Connection, id: &str) -> Result<Key, StateError> {
    let sql = format!("SELECT {COLUMNS} FROM keys WHERE id = ?1");
    Ok(state.prepare_cached(&sql)?.query_row([id], key)?)
}

fn select(state: &Connection, condition: &str, value: impl Params) -> Result<Vec<Key>, StateError> {
    let sql = format!("SELECT {COLUMNS} FROM keys {condition} ORDER BY created, rowid");
    let mut statement = state.prepare_cached(&sql)?;
    let keys = statement.query_map(value, key)?;
    Ok(keys.collect::<rusqlite::Result<_>>()?)
}

fn key(row: &Row<'_>) -> rusqlite::Result<Key> {
    // Scopes that this version does not know are dropped, so the key never gets additional
    // permissions.
    let scopes = parsed(row, "scopes", |names: String| {
        let known = names.split(' ').filter_map(|name| name.parse().ok());
        Ok::<_, super::UnknownScope>(known.collect())
    });
    Ok(Key {
        id: row.get("id")?,
        name: row.get("name")?,
        scopes: scopes?,
        show: row.get("show")?,
        created: time(row, "created")?,
        window: Window {
            not_before: optional(row, "not_before", time)?,
            expires: optional(row, "expires", time)?,
        },
        revoked: optional(row, "revoked", time)?,
    })
}
