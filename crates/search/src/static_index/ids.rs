//! A hash table of numbers, and the hashes of tokens.

use xxhash_rust::xxh3::xxh3_64;

/// Hash table of numbers. Each word that is read is looked up here, so the table is compact: a slot
/// holds a number and the higher bits of its hash, and the lower bits find the slot. Among a
/// hundred thousand tokens, the probability of confusing two is 2 in a million.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Slots of the table. Their count is a power of two.
    places: Vec<u64>,
    used: usize,
}

const ID_BITS: u32 = 30;
const FREE: u64 = u64::MAX;

impl Ids {
    /// Returns the number of a hash. If the hash has none, stores and returns `new`. `hash_of`
    /// returns the hash of a number that was stored before.
    pub fn get_or_insert(&mut self, hash: u64, new: u32, hash_of: impl Fn(u32) -> u64) -> u32 {
        if self.used * 3 >= self.places.len() * 2 {
            let larger = (self.places.len() * 2).max(1 << 13);
            let old = std::mem::replace(&mut self.places, vec![FREE; larger]);
            for place in old.into_iter().filter(|place| *place != FREE) {
                let at = self.place(hash_of(id_of(place)));
                self.places[at] = place;
            }
        }
        let at = self.place(hash);
        if self.places[at] == FREE {
            self.places[at] = hash >> ID_BITS << ID_BITS | u64::from(new);
            self.used += 1;
        }
        id_of(self.places[at])
    }

    /// Returns the slot that a hash has, or would get.
    fn place(&self, hash: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while self.places[at] != FREE && self.places[at] >> ID_BITS != hash >> ID_BITS {
            at = (at + 1) & mask;
        }
        at
    }
}

fn id_of(place: u64) -> u32 {
    (place & ((1 << ID_BITS) - 1)) as u32
}

/// Hashes a token.
pub fn hash(token: &str) -> u64 {
    let bytes = token.as_bytes();
    if bytes.len() > CHUNKS {
        return xxh3_64(bytes);
    }
    let mut padded = [0; CHUNKS];
    padded[..bytes.len()].copy_from_slice(bytes);
    let [low, high] = numbers(&padded);
    mixed(low, high, bytes.len())
}

/// Maximum size, in bytes, of the tokens that are hashed as two numbers.
const CHUNKS: usize = 16;

/// Reads the ASCII word at the start of `bytes`. Returns its length, at most `most`, and the hash
/// of its lower case. Letters and digits are found eight at a time.
pub fn ascii_word(bytes: &[u8], most: usize) -> (usize, u64) {
    let mut padded = [0; CHUNKS];
    let chunk = match bytes.first_chunk() {
        Some(chunk) => chunk,
        None => {
            padded[..bytes.len()].copy_from_slice(bytes);
            &padded
        }
    };
    let [low, high] = numbers(chunk);
    let length = match letters_of(low) {
        8 => 8 + letters_of(high),
        length => length,
    };
    if length == CHUNKS {
        let all = bytes.iter().position(|byte| !byte.is_ascii_alphanumeric());
        let all = all.unwrap_or(bytes.len()).min(most);
        let lower = bytes[..all].to_ascii_lowercase();
        let hash = match all {
            CHUNKS => mixed(low | CASE, high | CASE, all),
            _ => xxh3_64(&lower),
        };
        return (all, hash);
    }
    let low = (low | CASE) & mask(length);
    let high = (high | CASE) & mask(length.saturating_sub(8));
    (length, mixed(low, high, length))
}

/// The bit that distinguishes a lower-case letter from an upper-case one, in each byte. Digits have
/// it too.
const CASE: u64 = EACH * 0x20;

/// A number with the lowest bit of each byte set.
const EACH: u64 = 0x0101_0101_0101_0101;

fn numbers(chunk: &[u8; CHUNKS]) -> [u64; 2] {
    let (halves, _) = chunk.as_chunks::<8>();
    [u64::from_le_bytes(halves[0]), u64::from_le_bytes(halves[1])]
}

/// Returns the number of ASCII letters and digits at the start of eight bytes.
fn letters_of(bytes: u64) -> usize {
    const HIGH: u64 = EACH * 0x80;
    let is_at_least = |bytes: u64, byte: u8| bytes + EACH * u64::from(0x80 - byte);
    let is_between =
        |bytes: u64, first: u8, last: u8| is_at_least(bytes, first) & !is_at_least(bytes, last + 1);
    let ascii = bytes & !HIGH;
    let letters = is_between(ascii | CASE, b'a', b'z');
    let digits = is_between(ascii, b'0', b'9');
    let others = !((letters | digits) & !bytes) & HIGH;
    others.trailing_zeros() as usize / 8
}

/// Returns a mask of the lowest `bytes` bytes.
fn mask(bytes: usize) -> u64 {
    match bytes {
        0..8 => (1 << (8 * bytes)) - 1,
        _ => u64::MAX,
    }
}

fn mixed(low: u64, high: u64, length: usize) -> u64 {
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
        fn a_word_of_ascii_has_the_hash_of_its_lower_case(
            word in "[a-zA-Z0-9]{0,40}",
            rest in "([ -/:-@\\[-`{-~é].{0,20})?",
        ) {
            let (length, found) = ascii_word(format!("{word}{rest}").as_bytes(), 100);
            prop_assert_eq!(length, word.len());
            prop_assert_eq!(found, hash(&word.to_ascii_lowercase()));
        }
    }
}
