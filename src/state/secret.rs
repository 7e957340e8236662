//! Random secrets. Each secret is shown only once. Only its SHA-256 is stored.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::StateError;

/// The SHA-256 of a secret. A secret of 256 random bits needs no slower hash, because trying all
/// values is infeasible.
pub type Digest = [u8; 32];

/// The prefix of each key's secret.
const KEY: &str = "fw_";

/// A secret that authenticates a client. `Debug` output does not contain the secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Generates a secret for a key: `fw_` and 256 random bits as 43 characters of base64url (RFC
    /// 4648, section 5).
    pub(super) fn generate_key() -> Result<Self, StateError> {
        Ok(Self(format!("{KEY}{}", random_text()?)))
    }

    /// Whether a string has the prefix of a key's secret, even if it is not a valid secret.
    pub fn has_key_prefix(text: &str) -> bool {
        text.starts_with(KEY)
    }

    /// Generates a secret without a prefix: 256 random bits as 43 characters of base64url.
    pub(super) fn random() -> Result<Self, StateError> {
        random_text().map(Self)
    }

    /// Returns the secret as a string, to be shown to its owner.
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub(super) fn digest(&self) -> Digest {
        digest(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

pub(super) fn digest(bytes: impl AsRef<[u8]>) -> Digest {
    Sha256::digest(bytes).into()
}

/// Generates a unique id: 128 random bits as 32 characters of lower-case hexadecimal.
pub fn random_id() -> Result<String, StateError> {
    let bytes: [u8; 16] = random()?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn random_text() -> Result<String, StateError> {
    Ok(URL_SAFE_NO_PAD.encode(random::<32>()?))
}

fn random<const N: usize>() -> Result<[u8; N], StateError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}
