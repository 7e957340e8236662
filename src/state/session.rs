//! Sessions of the editor. A user signs in with a code that works only once, and receives a cookie
//! and a token. Each request needs both the cookie and the token.
//!
//! A browser sends a cookie to every server on the same machine, regardless of the port. Therefore
//! a cookie is not sufficient. Only the pages of this server have the token.

use jiff::{SignedDuration, Timestamp};
use rusqlite::OptionalExtension;

use super::database::millis;
use super::secret::digest;
use super::{Secret, State, StateError};

/// How long a code is valid.
pub const INVITATION: SignedDuration = SignedDuration::from_mins(15);

/// How long a session lasts.
pub const SESSION: SignedDuration = SignedDuration::from_hours(24 * 30);

/// The secrets of a signed-in user.
#[derive(Debug, Clone)]
pub struct Session {
    /// The cookie. Scripts cannot read it.
    pub cookie: Secret,
    /// The token, which the editor's scripts send with each request.
    pub token: Secret,
}

impl State {
    /// Creates a sign-in code that works only once.
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

    /// Signs in with a code. Returns `None` if the code is unknown, used or expired.
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

    /// Whether a user with this cookie and this token is signed in.
    pub fn is_signed_in(
        &self,
        cookie: &str,
        token: &str,
        now: Timestamp,
    ) -> Result<bool, StateError> {
        // The database compares hashes, so the duration reveals nothing about the secrets.
        self.read(|state| {
            let sql =
                "SELECT 1 FROM editor_sessions WHERE cookie = ?1 AND token = ?2 AND expires > ?3";
            let mut statement = state.prepare_cached(sql)?;
            let found =
                statement.query_row((digest(cookie), digest(token), millis(now)), |_| Ok(()));
            Ok(found.optional()?.is_some())
        })
    }

    /// Whether a user with this cookie is signed in.
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
