//! Who is signed in to the editor: with a code that is good once, one gets a cookie and a token. Both are needed.
//!
//! A browser sends a cookie to every server of its machine, whatever the port; a token stays with the pages of this one.

use jiff::{SignedDuration, Timestamp};
use rusqlite::OptionalExtension;

use super::database::millis;
use super::secret::digest;
use super::{Secret, State, StateError};

/// How long a code is good.
pub const INVITATION: SignedDuration = SignedDuration::from_mins(15);

/// How long one stays signed in.
pub const SESSION: SignedDuration = SignedDuration::from_hours(24 * 30);

/// The secrets of someone who has signed in.
#[derive(Debug, Clone)]
pub struct Session {
    /// The browser keeps it from scripts.
    pub cookie: Secret,
    /// The page sends it by itself.
    pub token: Secret,
}

impl State {
    /// Makes a code that lets one person in, once.
    pub fn invite(&self, now: Timestamp) -> Result<Secret, StateError> {
        let code = Secret::random()?;
        let expires = millis(now + INVITATION);
        self.write(|state| {
            state.execute("DELETE FROM editor_codes WHERE expires <= ?1", [millis(now)])?;
            let sql = "INSERT INTO editor_codes (code, expires) VALUES (?1, ?2)";
            state.execute(sql, (code.digest(), expires))?;
            Ok(())
        })?;
        Ok(code)
    }

    /// Signs in with a code. None for one that is unknown, used or expired.
    pub fn sign_in(&self, code: &str, now: Timestamp) -> Result<Option<Session>, StateError> {
        let session = Session { cookie: Secret::random()?, token: Secret::random()? };
        let is_good = self.write(|state| {
            let sql = "DELETE FROM editor_codes WHERE code = ?1 AND expires > ?2";
            let is_good = state.execute(sql, (digest(code), millis(now)))? == 1;
            if is_good {
                state.execute("DELETE FROM editor_sessions WHERE expires <= ?1", [millis(now)])?;
                let sql =
                    "INSERT INTO editor_sessions (cookie, token, begun, expires) VALUES (?1, ?2, ?3, ?4)";
                let (cookie, token) = (session.cookie.digest(), session.token.digest());
                state.execute(sql, (cookie, token, millis(now), millis(now + SESSION)))?;
            }
            Ok(is_good)
        })?;
        Ok(is_good.then_some(session))
    }

    /// Whether someone with this cookie and this token is signed in.
    pub fn is_signed_in(
        &self,
        cookie: &str,
        token: &str,
        now: Timestamp,
    ) -> Result<bool, StateError> {
        // Hashes are compared, which tells nothing of the secrets by the time it takes.
        self.read(|state| {
            let sql =
                "SELECT 1 FROM editor_sessions WHERE cookie = ?1 AND token = ?2 AND expires > ?3";
            let mut statement = state.prepare_cached(sql)?;
            let found =
                statement.query_row((digest(cookie), digest(token), millis(now)), |_| Ok(()));
            Ok(found.optional()?.is_some())
        })
    }

    /// Whether someone with this cookie is signed in.
    pub fn has_session(&self, cookie: &str, now: Timestamp) -> Result<bool, StateError> {
        self.read(|state| {
            let sql = "SELECT 1 FROM editor_sessions WHERE cookie = ?1 AND expires > ?2";
            let mut statement = state.prepare_cached(sql)?;
            let found = statement.query_row((digest(cookie), millis(now)), |_| Ok(()));
            Ok(found.optional()?.is_some())
        })
    }

    pub fn sign_out(&self, cookie: &str) -> Result<(), StateError> {
        self.write(|state| {
            state.execute("DELETE FROM editor_sessions WHERE cookie = ?1", [digest(cookie)])?;
            Ok(())
        })
    }
}
