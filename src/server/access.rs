//! The key that a request comes with.

use std::fmt;

use jiff::Timestamp;

use super::App;
use super::http::Request;
use crate::state::{Key, StateError};

/// How to come in (RFC 6750, section 3, which wants a parameter; some clients cannot read it without).
pub const CHALLENGE: &str = "Bearer realm=\"feedwright\"";

/// Why a request is not let in.
#[derive(Debug)]
pub enum Refused {
    /// It comes without a key.
    NoKey,
    /// Its key is unknown, or lets nobody in now.
    NotValid,
    /// The keys cannot be read.
    Failed(StateError),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKey => f.write_str("this takes a key: Authorization: Bearer <key>"),
            Self::NotValid => f.write_str("this key is not valid"),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

/// The secret of the key that a request comes with (RFC 6750, section 2.1).
pub fn bearer(request: &Request) -> Option<&str> {
    let (scheme, secret) = request.header("authorization")?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| secret.trim())
        .filter(|secret| !secret.is_empty())
}

impl App {
    /// The valid key that a request comes with, whatever it may do. It blocks while the disk does.
    pub fn key_of(&self, request: &Request) -> Result<Key, Refused> {
        let secret = bearer(request).ok_or(Refused::NoKey)?;
        self.state
            .authenticate(secret, Timestamp::now())
            .map_err(Refused::Failed)?
            .ok_or(Refused::NotValid)
    }
}
