//! The symmetric signature of the Standard Webhooks specification: an HMAC-SHA256 of the message's
//! id, time and body.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Minimum length of a secret in bytes, as the specification requires.
const MIN_SECRET_BYTES: usize = 24;

/// Returns the value of a message's `webhook-signature` header, as defined by Standard Webhooks. A
/// secret is `whsec_` followed by at least 24 bytes in base64. `secret` can contain several secrets
/// separated by spaces, which produce one signature each. Receivers then accept the old and the new
/// secret during a rotation. Returns `None` if a secret is invalid or missing.
pub fn sign(secret: &str, id: &str, time: &str, body: &str) -> Option<String> {
    let signed = |secret: &str| {
        let key = STANDARD.decode(secret.strip_prefix("whsec_")?).ok()?;
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&key).ok().filter(|_| key.len() >= MIN_SECRET_BYTES)?;
        mac.update(format!("{id}.{time}.{body}").as_bytes());
        let signature = STANDARD.encode(mac.finalize().into_bytes());
        Some(format!("v1,{signature}"))
    };
    let all: Option<Vec<String>> = secret.split_whitespace().map(signed).collect();
    all.filter(|all| !all.is_empty()).map(|all| all.join(" "))
}

/// Returns whether [`sign`] accepts this secret, or these secrets separated by spaces.
pub fn is_secret(secret: &str) -> bool {
    sign(secret, "", "", "").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_matches_the_specification() {
        // The example from the specification's own libraries.
        let signed = sign(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330",
            "{\"test\": 2432232314}",
        );
        assert_eq!(signed.unwrap(), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_eq!(sign("whsec_c2hvcnQ=", "a", "1", ""), None);
        assert_eq!(sign("secret", "a", "1", ""), None);
    }

    #[test]
    fn each_secret_adds_a_signature_and_must_be_valid() {
        let (old, new) =
            ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
        let of = |secret: &str| sign(secret, "a", "1", "{}");
        let both = format!("{} {}", of(new).unwrap(), of(old).unwrap());
        assert_eq!(of(&format!(" {new} \n{old}")), Some(both));
        for none in ["", " ", &format!("{new} c2hvcnQ="), &format!("{new},{old}"), "whsec_!"] {
            assert!(!is_secret(none), "{none}");
        }
        assert!(is_secret(old));
    }
}
