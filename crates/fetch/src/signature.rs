//! The symmetric signature of the Standard Webhooks specification: an HMAC-SHA256 of the message's id, its time and its
//! body.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Fewest bytes of a secret, as the specification has it.
const SHORTEST: usize = 24;

/// The value of the header `webhook-signature` of a message, by Standard Webhooks. None if the secret is not `whsec_` and at least 24 bytes in base64.
pub fn sign(secret: &str, id: &str, time: &str, body: &str) -> Option<String> {
    let key = STANDARD.decode(secret.strip_prefix("whsec_")?).ok()?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key)
        .ok()
        .filter(|_| key.len() >= SHORTEST)?;
    mac.update(format!("{id}.{time}.{body}").as_bytes());
    let signature = STANDARD.encode(mac.finalize().into_bytes());
    Some(format!("v1,{signature}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_signature_of_the_specification() {
        // The example of the specification's own libraries.
        let signed = sign(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            "{\"test\": 2432232314}",
        );
        assert_eq!(
            signed.unwrap(),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
        assert_eq!(sign("whsec_c2hvcnQ=", "a", "1", ""), None);
        assert_eq!(sign("secret", "a", "1", ""), None);
    }
}
