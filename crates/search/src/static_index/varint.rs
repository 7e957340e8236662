//! Variable-length numbers: unsigned LEB128.

use super::Damaged;

pub fn write(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number from the start of `bytes`. Returns the number and the remaining bytes.
pub fn read(bytes: &[u8]) -> Result<(u64, &[u8]), Damaged> {
    match bytes {
        [one @ 0..0x80, rest @ ..] => Ok((u64::from(*one), rest)),
        [one, two @ 0..0x80, rest @ ..] => Ok((u64::from(one & 0x7F) | u64::from(*two) << 7, rest)),
        _ => read_long(bytes),
    }
}

fn read_long(bytes: &[u8]) -> Result<(u64, &[u8]), Damaged> {
    let mut number = 0;
    for (at, byte) in bytes.iter().enumerate().take(9) {
        number |= u64::from(byte & 0x7F) << (7 * at);
        if byte & 0x80 == 0 {
            return Ok((number, &bytes[at + 1..]));
        }
    }
    Err(Damaged)
}

/// Reads a length from the start of `bytes`. Returns the length and the remaining bytes.
pub fn length(bytes: &[u8]) -> Result<(usize, &[u8]), Damaged> {
    let (length, rest) = read(bytes)?;
    Ok((usize::try_from(length).map_err(|_| Damaged)?, rest))
}
