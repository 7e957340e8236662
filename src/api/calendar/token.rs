//! Tokens that continue a list. A page token records where the next page begins. A sync token
//! records the state that the client has. Each token has a seal, computed with a secret from the
//! state database, so that clients cannot forge or change tokens.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::filter::Filter;
use super::list_entries::ListPosition;

/// Length of a seal, in bytes.
const SEAL: usize = 16;

/// The content of `nextSyncToken`: a list, and the state of the list that the client has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SyncToken {
    pub calendar: String,
    /// The key's access, from [`super::access::CalendarAccess::code`].
    pub sight: u8,
    /// The filter of the list.
    pub filter: Filter,
    /// The ledger's serial number when the token was issued.
    pub serial: i64,
    /// The time up to which the list contained instances of series.
    pub horizon: Timestamp,
}

/// The content of `nextPageToken`: a list, and the position where its next page begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageToken {
    pub list: u64,
    /// The state of the ledger.
    pub serial: i64,
    /// The end time for the instances of series.
    pub horizon: Timestamp,
    /// The position of the previous page's last entry.
    pub after: ListPosition,
}

/// A type of token. A token of one type is not valid as another type.
pub trait SealedToken: Serialize + DeserializeOwned {
    /// The name of the type, which is part of the seal.
    const KIND: &'static [u8];
}

impl SealedToken for SyncToken {
    const KIND: &'static [u8] = b"sync";
}

impl SealedToken for PageToken {
    const KIND: &'static [u8] = b"page";
}

/// Encodes a token with its seal, in the format that clients receive.
pub fn write<T: SealedToken>(secret: &[u8], token: &T) -> Result<String, serde_json::Error> {
    let json = serde_json::to_vec(token)?;
    let mut bytes = seal::<T>(secret, &json).to_vec();
    bytes.extend_from_slice(&json);
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Decodes a token and checks its seal. Returns None if this site did not issue the token.
pub fn read<T: SealedToken>(secret: &[u8], text: &str) -> Option<T> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (own, json) = bytes.split_at_checked(SEAL)?;
    let is_own: bool = own.ct_eq(&seal::<T>(secret, json)).into();
    is_own.then(|| serde_json::from_slice(json).ok()).flatten()
}

/// Returns the first half of a SHA-256 digest. Truncating the digest prevents length extension
/// attacks.
fn seal<T: SealedToken>(secret: &[u8], json: &[u8]) -> [u8; SEAL] {
    let digest =
        Sha256::new().chain_update(secret).chain_update(T::KIND).chain_update(json).finalize();
    std::array::from_fn(|at| digest[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next_sync_token() -> SyncToken {
        SyncToken {
            calendar: "shows".into(),
            sight: 0,
            filter: Filter { q: Some("a \"b\"".into()), ..Filter::default() },
            serial: 7,
            horizon: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_token_is_valid_only_at_its_site() {
        let text = write(b"secret", &next_sync_token()).unwrap();
        assert_eq!(read::<SyncToken>(b"secret", &text), Some(next_sync_token()));
        assert_eq!(read::<SyncToken>(b"other", &text), None);
        assert_eq!(read::<PageToken>(b"secret", &text), None);
    }

    #[test]
    fn changing_any_character_invalidates_a_token() {
        let text = write(b"secret", &next_sync_token()).unwrap();
        for at in 0..text.len() {
            let mut other = text.clone().into_bytes();
            other[at] = if other[at] == b'A' { b'B' } else { b'A' };
            let other = String::from_utf8(other).unwrap();
            assert_eq!(read::<SyncToken>(b"secret", &other), None, "{at}");
        }
        for short in 0..text.len() {
            assert_eq!(read::<SyncToken>(b"secret", &text[..short]), None);
        }
    }
}
