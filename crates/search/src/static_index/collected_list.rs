//! A compact list of the documents and passages that have a token, used while words are being
//! collected.

use super::list::{Posting, Weight};

/// The documents and passages that have a token, in the order in which they were read. This order
/// is nearly the order of their numbers.
#[derive(Debug, Default)]
pub struct CollectedList {
    /// One number for each document or passage, stored as [digits](push). The lowest bit marks a
    /// passage, and the highest bits hold the gap to the previous document or passage. For a
    /// document, the gap may be negative, and the weight is stored just above the lowest bit.
    digits: Vec<u16>,
    /// Number of the last document.
    document: u32,
    /// Number of the last passage.
    passage: u32,
}

const PASSAGE_BIT: u64 = 1;

impl CollectedList {
    pub fn add_document(&mut self, number: u32, weight: Weight) {
        let gap = number.wrapping_sub(self.document).cast_signed();
        let gap = (gap << 1 ^ gap >> 31).cast_unsigned();
        self.document = number;
        push(u64::from(gap) << 3 | (weight as u64) << 1, &mut self.digits);
    }

    /// Adds a passage. Passages must be added in the order in which they were read.
    pub fn add_passage(&mut self, number: u32) {
        let gap = number - self.passage;
        self.passage = number;
        push(u64::from(gap) << 1 | PASSAGE_BIT, &mut self.digits);
    }

    /// Returns the size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.digits.len() * 2
    }

    pub fn read_both(
        &self,
        mut each_document: impl FnMut(Posting),
        mut each_passage: impl FnMut(u32),
    ) {
        let mut digits = self.digits.iter();
        let (mut document, mut passage) = (0u32, 0u32);
        while let Some(value) = next(&mut digits) {
            if value & PASSAGE_BIT == PASSAGE_BIT {
                passage += (value >> 1) as u32;
                each_passage(passage);
            } else {
                let gap = (value >> 3) as u32;
                document = document.wrapping_add(gap >> 1 ^ (gap & 1).wrapping_neg());
                each_document(Posting::new(document, Weight::from_bits((value >> 1) as u32)));
            }
        }
    }
}

/// Appends a number as digits of 15 bits, lowest first. The highest bit of a digit is set if
/// another digit follows. Most numbers take one digit, so processors predict the branch well. With
/// one byte per digit, the number of digits would be hard to predict.
fn push(mut number: u64, digits: &mut Vec<u16>) {
    while number > u64::from(DIGIT_MASK) {
        digits.push(number as u16 | !DIGIT_MASK);
        number >>= 15;
    }
    digits.push(number as u16);
}

const DIGIT_MASK: u16 = 0x7FFF;

fn next(digits: &mut std::slice::Iter<'_, u16>) -> Option<u64> {
    let (mut number, mut at) = (0, 0);
    for digit in digits {
        number |= u64::from(digit & DIGIT_MASK) << at;
        if *digit <= DIGIT_MASK {
            return Some(number);
        }
        at += 15;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn added_documents_and_passages_are_read_back(
            documents in proptest::collection::vec((0..1u32 << 30, 0..4u32), 0..50),
            mut passages in proptest::collection::vec(0..u32::MAX, 0..50),
        ) {
            passages.sort_unstable();
            let mut list = CollectedList::default();
            for at in 0..50 {
                if let Some((number, weight)) = documents.get(at) {
                    list.add_document(*number, Weight::from_bits(*weight));
                }
                if let Some(number) = passages.get(at) {
                    list.add_passage(*number);
                }
            }
            let mut read = (Vec::new(), Vec::new());
            list.read_both(
                |posting| read.0.push((posting.number(), posting.weight() as u32)),
                |passage| read.1.push(passage),
            );
            prop_assert_eq!(read, (documents, passages));
        }
    }
}
