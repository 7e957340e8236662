//! A table of numbers by hash.

/// Numbers by hash. Each word that is read is looked up here, so it is small: a place is a number in
/// [`ID_BITS`] bits below so many of its hash's as there is room for.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Their count is a power of two.
    places: Vec<u64>,
    used: usize,
}

const ID_BITS: u32 = 24;
const FREE: u64 = u64::MAX;

impl Ids {
    /// The number of a hash, which is `new` if it had none.
    pub fn get_or_insert(&mut self, hash: u64, new: u32) -> u32 {
        if self.used * 3 >= self.places.len() * 2 {
            let larger = (self.places.len() * 2).max(1 << 13);
            let old = std::mem::replace(&mut self.places, vec![FREE; larger]);
            for place in old.into_iter().filter(|place| *place != FREE) {
                let at = self.place(place >> ID_BITS);
                self.places[at] = place;
            }
        }
        let tag = hash >> ID_BITS;
        let at = self.place(tag);
        if self.places[at] == FREE {
            self.places[at] = tag << ID_BITS | u64::from(new);
            self.used += 1;
        }
        (self.places[at] & ((1 << ID_BITS) - 1)) as u32
    }

    /// Where a hash is, or would be.
    fn place(&self, tag: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = tag as usize & mask;
        while self.places[at] != FREE && self.places[at] >> ID_BITS != tag {
            at = (at + 1) & mask;
        }
        at
    }
}
