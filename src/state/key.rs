//! API keys.

use jiff::Timestamp;

use super::secret::{Digest, digest};
use super::{KeyError, Scope};

/// The id and name of the key whose secret is in an environment variable.
pub const ENVIRONMENT_KEY: &str = "environment";

/// The period in which a key is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Window {
    /// The start of the period, inclusive. `None` if the period has no start.
    pub not_before: Option<Timestamp>,
    /// The end of the period, exclusive. `None` if the period has no end.
    pub expires: Option<Timestamp>,
}

/// The stored data of an API key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// 32 characters of lower-case hexadecimal, or [`ENVIRONMENT_KEY`].
    pub id: String,
    /// The name given at creation: 1 to 100 characters. Names need not be unique.
    pub name: String,
    /// The permissions of the key.
    pub scopes: Vec<Scope>,
    /// The name of the show that the key is limited to. `None` means the whole site.
    pub show: Option<String>,
    pub created: Timestamp,
    pub window: Window,
    pub revoked: Option<Timestamp>,
}

/// Whether a key is valid now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyStatus {
    Active,
    /// The key's period of validity has not begun yet.
    NotYetValid,
    /// The key's period of validity has ended.
    Expired,
    /// The key was revoked, regardless of its period of validity.
    Revoked,
}

impl Key {
    /// Returns the status of the key at `now`.
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

    /// Whether the key has a scope.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

impl KeyStatus {
    /// Returns the name of the status, as shown in lists.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::NotYetValid => "not_yet_valid",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }
}

/// The key from the environment, which is not stored.
pub struct EnvironmentKey {
    pub digest: Digest,
    pub key: Key,
}

impl EnvironmentKey {
    pub fn new(secret: &str, now: Timestamp) -> Result<Self, KeyError> {
        if secret.is_empty() || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::NotAHeaderValue);
        }
        let key = Key {
            id: ENVIRONMENT_KEY.to_owned(),
            name: ENVIRONMENT_KEY.to_owned(),
            scopes: Scope::ALL.to_vec(),
            show: None,
            created: now,
            window: Window::default(),
            revoked: None,
        };
        Ok(Self { digest: digest(secret), key })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_valid_within_its_window_unless_revoked() {
        use KeyStatus::{Active, Expired, NotYetValid, Revoked};
        let at = |second| Timestamp::from_second(second).unwrap();
        let key = |not_before: Option<i64>, expires: Option<i64>, revoked: Option<i64>| Key {
            id: String::new(),
            name: String::new(),
            scopes: vec![],
            show: None,
            created: at(0),
            window: Window { not_before: not_before.map(at), expires: expires.map(at) },
            revoked: revoked.map(at),
        };
        let (from, until) = (Some(10), Some(20));
        for (key, statuses) in [
            (key(None, None, None), [Active; 5]),
            (key(from, None, None), [NotYetValid, Active, Active, Active, Active]),
            (key(None, until, None), [Active, Active, Active, Expired, Expired]),
            (key(from, until, None), [NotYetValid, Active, Active, Expired, Expired]),
            (key(from, until, Some(15)), [Revoked; 5]),
        ] {
            for (second, status) in [9, 10, 19, 20, 21].into_iter().zip(statuses) {
                assert_eq!(key.status(at(second)), status, "{key:?} at {second}");
            }
        }
    }

    #[test]
    fn a_secret_from_the_environment_is_a_valid_header_value() {
        let now = Timestamp::UNIX_EPOCH;
        for wrong in ["", "with a space in it", "mit-umlaut-äöüäöü", "line\nend-line-end"] {
            assert_eq!(
                EnvironmentKey::new(wrong, now).err(),
                Some(KeyError::NotAHeaderValue),
                "{wrong}"
            );
        }
        let own = EnvironmentKey::new("sixteen-letters-", now).unwrap();
        assert_eq!(own.key.status(now), KeyStatus::Active);
        assert!(Scope::ALL.into_iter().all(|scope| own.key.allows(scope)));
    }
}
