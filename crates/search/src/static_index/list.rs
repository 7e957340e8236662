//! Lists of numbers in few bits: Rice codes of the gaps between them.
//!
//! A list is one byte, the Rice parameter, and then bits, the most significant first, to a whole byte. Each
//! number is the gap to the one before, less 1: its quotient by 2^k in unary, ended by a 0, then its last k
//! bits. Where a list has weights, one follows each number: `0`, `10`, `110` or `111`.

use super::Damaged;

/// How much a word matters to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Weight {
    /// Once in its content.
    Once,
    /// Two or three times.
    Several,
    /// More often.
    Often,
    /// In its title.
    Title,
}

/// A document's or passage's number with the weight of a word in it, in one number: they sort by number.
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
    /// The weight that the two lowest bits tell.
    pub fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::Once,
            1 => Self::Several,
            2 => Self::Often,
            _ => Self::Title,
        }
    }
}

/// Appends a list of postings in the order of their numbers, none of which is there twice.
pub fn write(postings: &[Posting], has_weights: bool, out: &mut Vec<u8>) {
    let Some(last) = postings.last() else { return };
    let k = parameter(postings.len(), last.number());
    out.push(k);
    let mut bits = BitWriter {
        out,
        bits: 0,
        count: 0,
    };
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

/// The parameter that suits the mean gap: the largest k whose 2^k is at most 0.69 of it.
fn parameter(count: usize, last: u32) -> u8 {
    let mean = (u64::from(last) + 1) * 69 / (count as u64 * 100);
    u8::try_from(mean.checked_ilog2().unwrap_or(0)).unwrap_or(0)
}

/// Reads a list of `count` postings from the start of some bytes. Answers the bytes after it.
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
    let mut bits = BitReader {
        bytes,
        at: 0,
        bits: 0,
        count: 0,
    };
    let mut next: u32 = 0;
    for _ in 0..count {
        let quotient = bits.ones()?;
        let high = quotient
            .checked_shl(k.into())
            .filter(|high| high >> k == quotient);
        let gap = high.ok_or(Damaged)? | bits.take(k.into())?;
        let number = next.checked_add(gap).filter(|number| *number < NUMBER_MAX);
        let number = number.ok_or(Damaged)?;
        next = number + 1;
        let weight = match has_weights {
            true if bits.take(1)? == 0 => Weight::Once,
            true if bits.take(1)? == 0 => Weight::Several,
            true if bits.take(1)? == 0 => Weight::Often,
            true => Weight::Title,
            false => Weight::Once,
        };
        each(Posting::new(number, weight));
    }
    bytes.get(bits.bytes_read()..).ok_or(Damaged)
}

/// Numbers are below this.
const NUMBER_MAX: u32 = 1 << 30;

struct BitWriter<'a> {
    out: &'a mut Vec<u8>,
    bits: u64,
    count: u32,
}

impl BitWriter<'_> {
    /// Appends a value of `count` bits, at most 52.
    fn push(&mut self, value: u64, count: u32) {
        if self.count + count > 64 {
            self.write_bytes();
        }
        self.bits = self.bits << count | value;
        self.count += count;
    }

    /// Writes the whole bytes of what was appended.
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

struct BitReader<'b> {
    bytes: &'b [u8],
    at: usize,
    /// What was read of the bytes and not yet taken, from the highest bit on.
    bits: u64,
    count: u32,
}

impl BitReader<'_> {
    fn fill(&mut self) {
        while self.count <= 56 {
            let Some(&byte) = self.bytes.get(self.at) else {
                return;
            };
            self.bits |= u64::from(byte) << (56 - self.count);
            self.at += 1;
            self.count += 8;
        }
    }

    fn take(&mut self, count: u32) -> Result<u32, Damaged> {
        if self.count < count {
            self.fill();
            if self.count < count {
                return Err(Damaged);
            }
        }
        let value = self.bits.checked_shr(64 - count).unwrap_or(0);
        self.bits <<= count;
        self.count -= count;
        Ok(value as u32)
    }

    /// How many 1 bits stand before the next 0, which is taken too.
    fn ones(&mut self) -> Result<u32, Damaged> {
        let mut ones = 0;
        loop {
            self.fill();
            let some = self.bits.leading_ones().min(self.count);
            if some < self.count {
                self.take(some)?;
                self.take(1)?;
                return Ok(ones + some);
            }
            if self.count == 0 {
                return Err(Damaged);
            }
            ones += some;
            (self.bits, self.count) = (0, 0);
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
        fn any_bytes_are_read_or_refused(
            bytes in proptest::collection::vec(any::<u8>(), 0..60),
            count in 0..200usize,
            has_weights: bool,
        ) {
            let _ = read(&bytes, count, has_weights, |_| {});
        }
    }
}
