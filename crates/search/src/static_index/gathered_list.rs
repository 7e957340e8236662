//! The documents and passages that have a token, in few bytes, while they are gathered.

use super::list::{Posting, Weight};
use super::varint;

/// In the order in which they were read, which is nearly that of their numbers.
#[derive(Debug, Default)]
pub struct GatheredList {
    /// For each a [number](varint): the gap to the one before, and in the lowest bit whether it is a passage. Gaps of
    /// documents may go back; their weight stands before the lowest bit.
    bytes: Vec<u8>,
    /// The last document.
    document: u32,
    /// The last passage.
    passage: u32,
}

const PASSAGE: u64 = 1;

impl GatheredList {
    pub fn add_document(&mut self, number: u32, weight: Weight) {
        let gap = number.wrapping_sub(self.document).cast_signed();
        let gap = (gap << 1 ^ gap >> 31).cast_unsigned();
        self.document = number;
        varint::write(u64::from(gap) << 3 | (weight as u64) << 1, &mut self.bytes);
    }

    /// Adds a passage that was read after all others.
    pub fn add_passage(&mut self, number: u32) {
        let gap = number - self.passage;
        self.passage = number;
        varint::write(u64::from(gap) << 1 | PASSAGE, &mut self.bytes);
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    pub fn read_both(
        &self,
        mut each_document: impl FnMut(Posting),
        mut each_passage: impl FnMut(u32),
    ) {
        let mut bytes = self.bytes.as_slice();
        let (mut document, mut passage) = (0u32, 0u32);
        while let Ok((value, rest)) = varint::read(bytes) {
            bytes = rest;
            if value & PASSAGE == PASSAGE {
                passage += (value >> 1) as u32;
                each_passage(passage);
            } else {
                let gap = (value >> 3) as u32;
                document = document.wrapping_add(gap >> 1 ^ (gap & 1).wrapping_neg());
                each_document(Posting::new(
                    document,
                    Weight::from_bits((value >> 1) as u32),
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_added_is_read_back(
            documents in proptest::collection::vec((0..1u32 << 30, 0..4u32), 0..50),
            mut passages in proptest::collection::vec(0..u32::MAX, 0..50),
        ) {
            passages.sort_unstable();
            let mut list = GatheredList::default();
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
