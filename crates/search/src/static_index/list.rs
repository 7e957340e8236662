//! A compact encoding for lists of numbers: Rice codes of the gaps between the numbers.
//!
//! A list starts with one byte, the Rice parameter k. Bits follow, the most significant first,
//! padded to a whole byte. Each number is encoded as its gap to the previous number, less 1: the
//! gap's quotient by 2^k in unary, ended by a 0, then its lowest k bits. In a list with weights, a
//! weight follows each number: `0`, `10`, `110` or `111`.

use super::Damaged;

/// The weight of a word in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Weight {
    /// The word occurs once in the content.
    Once,
    /// The word occurs two or three times in the content.
    Several,
    /// The word occurs more than three times in the content.
    Often,
    Title,
}

/// The number of a document or passage and the weight of a word in it, packed into one number.
/// Postings sort by the number of the document or passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting(u32);

impl Posting {
    pub fn new(number: u32, weight: Weight) -> Self {
        Self(number << 2 | weight as u32)
    }

    pub fn number(self) -> u32 {
        self.0 >> 2
    }

    pub fn weight(self) -> Weight {
        Weight::from_bits(self.0)
    }
}

impl Weight {
    /// Returns the weight that the two lowest bits encode.
    pub fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::Once,
            1 => Self::Several,
            2 => Self::Often,
            _ => Self::Title,
        }
    }
}

/// Appends a list of postings. Their numbers must be in ascending order, without duplicates.
pub fn write(postings: &[Posting], has_weights: bool, out: &mut Vec<u8>) {
    let Some(last) = postings.last() else { return };
    let k = rice_parameter(postings.len(), last.number());
    out.push(k);
    let mut bits = BitWriter { out, bits: 0, count: 0 };
    let mut next = 0;
    for posting in postings {
        let gap = posting.number() - next;
        next = posting.number() + 1;
        let (weight, length) = match posting.weight() {
            _ if !has_weights => (0, 0),
            Weight::Once => (0b0, 1),
            Weight::Several => (0b10, 2),
            Weight::Often => (0b110, 3),
            Weight::Title => (0b111, 3),
        };
        let low = u64::from(gap & ((1 << k) - 1)) << length | weight;
        let length = u32::from(k) + 1 + length;
        let quotient = gap >> k;
        match quotient {
            0..16 => bits.push(((1 << quotient) - 1) << length | low, quotient + length),
            _ => {
                bits.ones(quotient);
                bits.push(low, length);
            }
        }
    }
    bits.finish();
}

/// Returns the Rice parameter for the mean gap: the largest k for which 2^k is at most 0.69 times
/// the mean.
fn rice_parameter(count: usize, last: u32) -> u8 {
    let mean = (u64::from(last) + 1) * 69 / (count as u64 * 100);
    u8::try_from(mean.checked_ilog2().unwrap_or(0)).unwrap_or(0)
}

/// Reads a list of `count` postings from the start of `bytes`, and calls `each` for every posting.
/// Returns the bytes after the list.
pub fn read(
    bytes: &[u8],
    count: usize,
    has_weights: bool,
    mut each: impl FnMut(Posting),
) -> Result<&[u8], Damaged> {
    if count == 0 {
        return Ok(bytes);
    }
    let (&k, bytes) = bytes.split_first().ok_or(Damaged)?;
    if k > 31 {
        return Err(Damaged);
    }
    let mut bits = BitReader { bytes, at: 0, bits: 0, count: 0 };
    let k = u32::from(k);
    let mut next = 0;
    for _ in 0..count {
        let (gap, weight) = bits.posting(k, has_weights)?;
        let number = next + gap;
        if number >= NUMBER_LIMIT {
            return Err(Damaged);
        }
        next = number + 1;
        each(Posting::new(number as u32, Weight::from_bits(weight)));
    }
    bytes.get(bits.bytes_read()..).ok_or(Damaged)
}

/// Numbers in a list are less than this limit.
const NUMBER_LIMIT: u64 = 1 << 30;

struct BitWriter<'a> {
    out: &'a mut Vec<u8>,
    bits: u64,
    count: u32,
}

impl BitWriter<'_> {
    /// Appends the lowest `count` bits of `value`. `count` is at most 52.
    fn push(&mut self, value: u64, count: u32) {
        if self.count + count > 64 {
            self.write_bytes();
        }
        self.bits = self.bits << count | value;
        self.count += count;
    }

    /// Writes the buffered bits that form whole bytes.
    fn write_bytes(&mut self) {
        let whole = self.count / 8;
        let bytes = (self.bits << (64 - self.count)).to_be_bytes();
        self.out.extend_from_slice(&bytes[..whole as usize]);
        self.count -= 8 * whole;
    }

    fn ones(&mut self, mut count: u32) {
        while count > 0 {
            let some = count.min(24);
            self.push((1 << some) - 1, some);
            count -= some;
        }
    }

    fn finish(mut self) {
        let rest = self.count % 8;
        if rest > 0 {
            self.push(0, 8 - rest);
        }
        if self.count > 0 {
            self.write_bytes();
        }
    }
}

/// Maximum number of leading 1 bits for which the rest of a posting is also in the buffer. After
/// filling, the buffer holds at least 57 bits.
const MAX_BUFFERED_ONES: u32 = 57 - 1 - 31 - 3;

struct BitReader<'b> {
    bytes: &'b [u8],
    at: usize,
    /// Bits that were read but not yet consumed, starting at the highest bit.
    bits: u64,
    count: u32,
}

impl BitReader<'_> {
    /// Fills the buffer with as many whole bytes as fit. Bits beyond `count` may already hold the
    /// next bits of the list; filling does not change them.
    fn fill(&mut self) {
        let room = (64 - self.count) / 8;
        if room == 0 {
            return;
        }
        let rest = &self.bytes[self.at..];
        let (next, count) = match rest.first_chunk() {
            Some(next) => (*next, room),
            None => {
                let mut padded = [0; 8];
                padded[..rest.len()].copy_from_slice(rest);
                (padded, room.min(rest.len() as u32))
            }
        };
        self.bits |= u64::from_be_bytes(next) >> self.count;
        self.at += count as usize;
        self.count += 8 * count;
    }

    /// Reads the next gap, and the number of the posting's weight.
    fn posting(&mut self, k: u32, has_weights: bool) -> Result<(u64, u32), Damaged> {
        self.fill();
        let mut quotient = self.bits.leading_ones();
        if quotient <= MAX_BUFFERED_ONES {
            self.skip(quotient + 1)?;
        } else {
            quotient = self.ones()?;
            self.fill();
        }
        // The buffer contains the rest of the posting.
        let low = self.bits >> 1 >> (63 - k);
        self.skip(k)?;
        let weight = match has_weights {
            true => self.bits.leading_ones().min(3),
            false => 0,
        };
        if has_weights {
            self.skip((weight + 1).min(3))?;
        }
        Ok((u64::from(quotient) << k | low, weight))
    }

    fn skip(&mut self, count: u32) -> Result<(), Damaged> {
        self.count = self.count.checked_sub(count).ok_or(Damaged)?;
        self.bits = self.bits.checked_shl(count).unwrap_or(0);
        Ok(())
    }

    /// Counts the 1 bits before the next 0 bit, and skips all of them, including the 0.
    fn ones(&mut self) -> Result<u32, Damaged> {
        let mut ones = 0;
        loop {
            let some = self.bits.leading_ones().min(self.count);
            ones += some;
            if some < self.count {
                self.skip(some + 1)?;
                return Ok(ones);
            }
            (self.bits, self.count) = (0, 0);
            self.fill();
            if self.count == 0 {
                return Err(Damaged);
            }
        }
    }

    fn bytes_read(&self) -> usize {
        self.at - self.count as usize / 8
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_list_is_read_back(
            numbers in proptest::collection::btree_map(0..60_000u32, 0..4u8, 0..200),
            has_weights: bool,
        ) {
            let weights = [Weight::Once, Weight::Several, Weight::Often, Weight::Title];
            let weight = |of: u8| if has_weights { weights[usize::from(of)] } else { Weight::Once };
            let postings: Vec<Posting> =
                numbers.iter().map(|(number, of)| Posting::new(*number, weight(*of))).collect();
            let mut bytes = Vec::new();
            write(&postings, has_weights, &mut bytes);
            bytes.push(7);
            let mut found = Vec::new();
            let rest = read(&bytes, postings.len(), has_weights, |posting| found.push(posting));
            prop_assert_eq!(rest, Ok(&[7][..]));
            prop_assert_eq!(found, postings);
        }

        #[test]
        fn any_bytes_are_parsed_without_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..60),
            count in 0..200usize,
            has_weights: bool,
        ) {
            let _ = read(&bytes, count, has_weights, |_| {});
        }
    }
}
