//! An API key.

use jiff::Timestamp;

use super::secret::{Digest, digest};
use super::{KeyError, Scope};

/// The id and name of the key whose secret an environment variable holds.
pub const ENVIRONMENT_KEY: &str = "environment";

/// When a key is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Window {
    /// From this moment on; None: from the beginning.
    pub not_before: Option<Timestamp>,
    /// Up to this moment, and no longer at it; None: for ever.
    pub expires: Option<Timestamp>,
}

/// What is known of an API key. Its secret is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// 32 characters of lower-case hexadecimal, or [`ENVIRONMENT_KEY`].
    pub id: String,
    /// What its maker calls it: 1 to 100 characters. Several keys may have the same.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// When it was made.
    pub created: Timestamp,
    /// When it is valid.
    pub window: Window,
    /// When it was revoked.
    pub revoked: Option<Timestamp>,
}

/// Whether a key lets anybody in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyStatus {
    /// It does.
    Active,
    /// Not before its window begins.
    NotYetValid,
    /// Its window has ended.
    Expired,
    /// It was revoked, whatever its window says.
    Revoked,
}

impl Key {
    /// Whether it lets anybody in at `now`.
    pub fn status(&self, now: Timestamp) -> KeyStatus {
        if self.revoked.is_some() {
            KeyStatus::Revoked
        } else if self.window.expires.is_some_and(|end| end <= now) {
            KeyStatus::Expired
        } else if self.window.not_before.is_some_and(|start| now < start) {
            KeyStatus::NotYetValid
        } else {
            KeyStatus::Active
        }
    }

    /// Whether it has a scope.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

impl KeyStatus {
    /// Its name, as lists show it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::NotYetValid => "not yet valid",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }
}

/// A key that is not stored.
pub struct EnvironmentKey {
    pub digest: Digest,
    pub key: Key,
}

impl EnvironmentKey {
    pub fn new(secret: &str, now: Timestamp) -> Result<Self, KeyError> {
        if secret.len() < 16 || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::Weak);
        }
        let key = Key {
            id: ENVIRONMENT_KEY.to_owned(),
            name: ENVIRONMENT_KEY.to_owned(),
            scopes: Scope::ALL.to_vec(),
            created: now,
            window: Window::default(),
            revoked: None,
        };
        Ok(Self {
            digest: digest(secret),
            key,
        })
    }
}
