//! A hash table of numbers, and the hashes of tokens.

use xxhash_rust::xxh3::xxh3_64;

/// Hash table of numbers. Every word that is read is looked up here, so the table is compact: a
/// slot holds a number and the higher bits of its hash, and the lower bits determine the slot.
/// Among a hundred thousand tokens, the probability that two are confused is 2 in a million.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Slots of the table. Their count is a power of two.
    slots: Vec<u64>,
    used: usize,
}

const ID_BITS: u32 = 30;
const FREE_SLOT: u64 = u64::MAX;

impl Ids {
    /// Returns the number stored for a hash. If there is none, stores and returns `new`. `hash_of`
    /// returns the hash of a number that was stored earlier.
    pub fn get_or_insert(&mut self, hash: u64, new: u32, hash_of: impl Fn(u32) -> u64) -> u32 {
        if self.used * 3 >= self.slots.len() * 2 {
            let larger = (self.slots.len() * 2).max(1 << 13);
            let old = std::mem::replace(&mut self.slots, vec![FREE_SLOT; larger]);
            for slot in old.into_iter().filter(|slot| *slot != FREE_SLOT) {
                let at = self.slot(hash_of(id_of(slot)));
                self.slots[at] = slot;
            }
        }
        let at = self.slot(hash);
        if self.slots[at] == FREE_SLOT {
            self.slots[at] = hash >> ID_BITS << ID_BITS | u64::from(new);
            self.used += 1;
        }
        id_of(self.slots[at])
    }

    /// Returns the slot that holds the hash, or the free slot where it belongs.
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != FREE_SLOT && self.slots[at] >> ID_BITS != hash >> ID_BITS {
            at = (at + 1) & mask;
        }
        at
    }
}

fn id_of(slot: u64) -> u32 {
    (slot & ((1 << ID_BITS) - 1)) as u32
}

/// Hashes a token.
pub fn hash(token: &str) -> u64 {
    let bytes = token.as_bytes();
    if bytes.len() > CHUNK_BYTES {
        return xxh3_64(bytes);
    }
    let mut padded = [0; CHUNK_BYTES];
    padded[..bytes.len()].copy_from_slice(bytes);
    let [low, high] = numbers(&padded);
    mix(low, high, bytes.len())
}

/// Maximum size, in bytes, of the tokens that are hashed as two 64-bit numbers.
const CHUNK_BYTES: usize = 16;

/// Reads the ASCII word at the start of `bytes`. Returns its length, at most `most`, and the hash
/// of the word in lower case. Scans eight bytes at a time.
pub fn ascii_word(bytes: &[u8], most: usize) -> (usize, u64) {
    let mut padded = [0; CHUNK_BYTES];
    let chunk = match bytes.first_chunk() {
        Some(chunk) => chunk,
        None => {
            padded[..bytes.len()].copy_from_slice(bytes);
            &padded
        }
    };
    let [low, high] = numbers(chunk);
    let length = match count_letters(low) {
        8 => 8 + count_letters(high),
        length => length,
    };
    if length == CHUNK_BYTES {
        let all = bytes.iter().position(|byte| !byte.is_ascii_alphanumeric());
        let all = all.unwrap_or(bytes.len()).min(most);
        let lower = bytes[..all].to_ascii_lowercase();
        let hash = match all {
            CHUNK_BYTES => mix(low | CASE_BITS, high | CASE_BITS, all),
            _ => xxh3_64(&lower),
        };
        return (all, hash);
    }
    let low = (low | CASE_BITS) & mask(length);
    let high = (high | CASE_BITS) & mask(length.saturating_sub(8));
    (length, mix(low, high, length))
}

/// In each byte, the bit that distinguishes a lower-case letter from an upper-case letter. The bit
/// is also set in digits.
const CASE_BITS: u64 = LOW_BITS * 0x20;

/// A number with the lowest bit of each byte set.
const LOW_BITS: u64 = 0x0101_0101_0101_0101;

fn numbers(chunk: &[u8; CHUNK_BYTES]) -> [u64; 2] {
    let (halves, _) = chunk.as_chunks::<8>();
    [u64::from_le_bytes(halves[0]), u64::from_le_bytes(halves[1])]
}

/// Returns the number of ASCII letters and digits at the start of eight bytes.
fn count_letters(bytes: u64) -> usize {
    const HIGH_BITS: u64 = LOW_BITS * 0x80;
    let is_at_least = |bytes: u64, byte: u8| bytes + LOW_BITS * u64::from(0x80 - byte);
    let is_between =
        |bytes: u64, first: u8, last: u8| is_at_least(bytes, first) & !is_at_least(bytes, last + 1);
    let ascii = bytes & !HIGH_BITS;
    let letters = is_between(ascii | CASE_BITS, b'a', b'z');
    let digits = is_between(ascii, b'0', b'9');
    let others = !((letters | digits) & !bytes) & HIGH_BITS;
    others.trailing_zeros() as usize / 8
}

/// Returns a mask of the lowest `bytes` bytes.
fn mask(bytes: usize) -> u64 {
    match bytes {
        0..8 => (1 << (8 * bytes)) - 1,
        _ => u64::MAX,
    }
}

fn mix(low: u64, high: u64, length: usize) -> u64 {
    let low = low ^ 0x9E37_79B9_7F4A_7C15;
    let high = high ^ 0xC2B2_AE3D_27D4_EB4F ^ (length as u64) << 56;
    let product = u128::from(low) * u128::from(high);
    let folded = product as u64 ^ (product >> 64) as u64;
    folded.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_ascii_word_hashes_like_its_lower_case(
            word in "[a-zA-Z0-9]{0,40}",
            rest in "([ -/:-@\\[-`{-~é].{0,20})?",
        ) {
            let (length, found) = ascii_word(format!("{word}{rest}").as_bytes(), 100);
            prop_assert_eq!(length, word.len());
            prop_assert_eq!(found, hash(&word.to_ascii_lowercase()));
        }
    }
}
