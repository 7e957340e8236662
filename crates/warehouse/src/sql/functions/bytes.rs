//! SQL functions for BYTES: text encodings and hashes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha1::Digest as _;
use sha2::Digest;

use super::declare::{Function, call};
use super::fingerprint::fingerprint;
use super::scalar_call::check_size;

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("TO_HEX(BYTES) -> STRING", |c| {
            check_size(c.bytes(0)?.len().checked_mul(2))?;
            Ok(hex(c.bytes(0)?))
        }),
        call("FROM_HEX(STRING) -> BYTES", |c| from_hex(c.text(0)?))
            .checked(0, |text| from_hex(text).map(drop)),
        call("TO_BASE64(BYTES) -> STRING", |c| Ok(base64(c.bytes(0)?))),
        call("FROM_BASE64(STRING) -> BYTES", |c| from_base64(c.text(0)?)),
        call("TO_BASE32(BYTES) -> STRING", |c| Ok(base32(c.bytes(0)?))),
        call("FROM_BASE32(STRING) -> BYTES", |c| from_base32(c.text(0)?)),
        call("SAFE_CONVERT_BYTES_TO_STRING(BYTES) -> STRING", |c| {
            Ok(String::from_utf8_lossy(c.bytes(0)?).into_owned())
        }),
        call("FARM_FINGERPRINT(STRING) -> INT64", |c| {
            Ok(fingerprint(c.text(0)?.as_bytes()).cast_signed())
        }),
        call("FARM_FINGERPRINT(BYTES) -> INT64", |c| Ok(fingerprint(c.bytes(0)?).cast_signed())),
        call("SHA1(STRING) -> BYTES", |c| Ok(sha1::Sha1::digest(c.text(0)?).to_vec())),
        call("SHA1(BYTES) -> BYTES", |c| Ok(sha1::Sha1::digest(c.bytes(0)?).to_vec())),
        call("SHA256(STRING) -> BYTES", |c| Ok(sha2::Sha256::digest(c.text(0)?).to_vec())),
        call("SHA256(BYTES) -> BYTES", |c| Ok(sha2::Sha256::digest(c.bytes(0)?).to_vec())),
        call("SHA512(STRING) -> BYTES", |c| Ok(sha2::Sha512::digest(c.text(0)?).to_vec())),
        call("SHA512(BYTES) -> BYTES", |c| Ok(sha2::Sha512::digest(c.bytes(0)?).to_vec())),
    ]
}

/// Encodes bytes as lower-case hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value & 15)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// Decodes hexadecimal digits. If the number of digits is odd, a leading zero is added.
fn from_hex(text: &str) -> Result<Vec<u8>, String> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let digits: Option<Vec<u8>> = text.bytes().map(digit).collect();
    let mut digits =
        digits.ok_or_else(|| "Failed to decode invalid hexadecimal string".to_owned())?;
    if digits.len() % 2 == 1 {
        digits.insert(0, 0);
    }
    Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Encodes bytes as base64 (RFC 4648, section 4).
pub(super) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

pub(super) fn from_base64(text: &str) -> Result<Vec<u8>, String> {
    STANDARD.decode(text).map_err(|_| "Failed to decode invalid base64 string".to_owned())
}

const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Encodes bytes as base32 (RFC 4648, section 6).
fn base32(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(5) {
        let word =
            (0..5).fold(0_u64, |word, at| word << 8 | u64::from(*chunk.get(at).unwrap_or(&0)));
        let letters = (chunk.len() * 8).div_ceil(5);
        for at in 0..8 {
            let letter = BASE32[(word >> (35 - at * 5) & 31) as usize];
            text.push(if at < letters { char::from(letter) } else { '=' });
        }
    }
    text
}

fn from_base32(text: &str) -> Result<Vec<u8>, String> {
    let invalid = || "Failed to decode invalid base32 string".to_owned();
    let letters = text.trim_end_matches('=');
    let padding = text.len() - letters.len();
    if !text.len().is_multiple_of(8) || ![0, 1, 3, 4, 6].contains(&padding) {
        return Err(invalid());
    }
    let mut bytes = Vec::with_capacity(letters.len() * 5 / 8);
    let (mut word, mut bits) = (0_u32, 0);
    for letter in letters.bytes() {
        let value = BASE32.iter().position(|known| *known == letter.to_ascii_uppercase());
        word = word << 5 | u32::try_from(value.ok_or_else(invalid)?).map_err(|_| invalid())?;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits & 0xff) as u8);
            word &= (1 << bits) - 1;
        }
    }
    Ok(bytes)
}
