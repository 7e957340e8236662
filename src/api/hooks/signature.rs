//! Verifies the sender of a hook with the symmetric signatures of the Standard Webhooks
//! specification. Three headers contain the delivery's id, the sending time, and an HMAC-SHA256 of
//! the id, the time and the body.

use std::fmt;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use sha2::Sha256;

use server::http::Request;

/// Maximum difference between a hook's time and the current time, in either direction.
pub const TOLERANCE: SignedDuration = SignedDuration::from_mins(5);

/// Maximum length of a delivery's id, in bytes.
const MAX_ID_LENGTH: usize = 256;

/// Minimum length of a secret, in bytes, as the specification requires.
const MIN_SECRET_LENGTH: usize = 24;

/// Base64 (RFC 4648, section 4), with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The shared secret of an app and this site: `whsec_` and at least 24 random bytes in base64. Its
/// `Debug` output does not reveal the secret.
pub struct Secret(Vec<u8>);

impl Secret {
    /// Parses a secret. The error describes the problem without quoting the secret.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let encoded = text.trim();
        let encoded = encoded.strip_prefix("whsec_").ok_or("it does not start with whsec_")?;
        let bytes =
            BASE64.decode(encoded).map_err(|_| "the text after whsec_ is not valid base64")?;
        match bytes.len() {
            0..MIN_SECRET_LENGTH => Err("it has fewer than 24 bytes"),
            _ => Ok(Self(bytes)),
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedHook {
    /// The delivery's id. All attempts to deliver the same hook use the same id.
    pub id: String,
    /// The time when this attempt was sent, in Unix seconds.
    pub at: i64,
    /// The time exactly as sent, because the signature covers its text.
    time: String,
    signatures: String,
}

impl SignedHook {
    /// Reads the signature headers of a request. Returns None if a header is missing, repeated or
    /// invalid, or if the time is too far from `now`.
    pub fn read(request: &Request, now: Timestamp) -> Option<Self> {
        let id = only_header(request, "webhook-id")?;
        let time = only_header(request, "webhook-timestamp")?;
        let is_id = (1..=MAX_ID_LENGTH).contains(&id.len());
        let is_time = time.bytes().all(|byte| byte.is_ascii_digit());
        let at: i64 = time.parse().ok().filter(|_| is_id && is_time)?;
        let off = at.checked_sub(now.as_second())?.unsigned_abs();
        (off <= TOLERANCE.as_secs().unsigned_abs()).then_some(Self {
            id,
            at,
            time,
            signatures: only_header(request, "webhook-signature")?,
        })
    }

    /// Returns whether one of the signatures was made with this secret. While a secret is being
    /// replaced, the sender adds several signatures. The comparison takes constant time.
    pub fn is_signed_with(&self, secret: &Secret, body: &[u8]) -> bool {
        let signatures = self.signatures.split(' ');
        signatures
            .filter_map(|signature| signature.strip_prefix("v1,"))
            .filter_map(|signature| BASE64.decode(signature).ok())
            .any(|signature| self.matches(secret, body, &signature))
    }

    fn matches(&self, secret: &Secret, body: &[u8], signature: &[u8]) -> bool {
        // An HMAC key can have any length (RFC 2104, section 2), so this cannot fail.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&secret.0) else {
            return false;
        };
        for part in [self.id.as_bytes(), b".", self.time.as_bytes(), b".", body] {
            mac.update(part);
        }
        mac.verify_slice(signature).is_ok()
    }
}

fn only_header(request: &Request, name: &str) -> Option<String> {
    let mut values = request.headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example secret of the specification, and a signature made by one of its libraries.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    fn signed(signatures: &str) -> SignedHook {
        SignedHook {
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek".into(),
            at: 1_614_265_330,
            time: "1614265330".into(),
            signatures: signatures.into(),
        }
    }

    #[test]
    fn a_signature_of_another_library_is_valid() {
        let secret = Secret::parse(SECRET).unwrap();
        let body = br#"{"test": 2432232314}"#;
        let right = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert!(signed(right).is_signed_with(&secret, body));
        assert!(signed(&format!("v1,AAAA v1a,zzzz {right}")).is_signed_with(&secret, body));
        for wrong in ["", "v1", "v1,", "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "v1,g0hM"]
        {
            assert!(!signed(wrong).is_signed_with(&secret, body), "{wrong}");
        }
        assert!(!signed(right).is_signed_with(&secret, br#"{"test": 2432232315}"#));
        let other = Secret::parse("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").unwrap();
        assert!(!signed(right).is_signed_with(&other, body));
    }

    #[test]
    fn a_secret_is_24_bytes_or_more() {
        for text in ["", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ", "whsec_!!"] {
            assert!(Secret::parse(text).is_err(), "{text}");
        }
        let secret = Secret::parse(&format!(" {SECRET}\n")).unwrap();
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }
}
