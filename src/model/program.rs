//! Which program this is.

/// The hash of the program's sources: what another program left in local state may mean something else.
pub const PROGRAM: u64 = number(env!("FEEDWRIGHT_SOURCES"));

const fn number(text: &str) -> u64 {
    let digits = text.as_bytes();
    let mut number: u64 = 0;
    let mut at = 0;
    while at < digits.len() {
        number = number.wrapping_mul(10).wrapping_add((digits[at] - b'0') as u64);
        at += 1;
    }
    number
}
