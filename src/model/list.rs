//! A list that is cheap to clone, and whose clones are cheap to change.
//!
//! feedwright has its own list because `imbl::Vector` (7.0.2) is slower. For 10,000 elements,
//! iteration takes 32 µs instead of 9 µs, cloning and inserting one element takes 104 µs instead of
//! 4 µs, and comparison with the original list takes 23 µs instead of 1 µs. `rpds` (1.2.1) has no
//! list with insertion in the middle.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Index, Range};
use std::slice;
use std::sync::Arc;

use rayon::prelude::*;

/// Number of elements in each piece of a new list, and in each half of a split piece.
const HALF_PIECE: usize = 64;

/// A list that is split into pieces, which its clones share. A change copies one piece, so the cost
/// of a change does not grow with the list.
#[derive(Clone)]
pub struct List<T> {
    /// Pieces, none of which is empty.
    pieces: Vec<Arc<Vec<T>>>,
    /// Index of the first element of each piece.
    starts: Vec<usize>,
    len: usize,
}

impl<T> List<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn get(&self, at: usize) -> Option<&T> {
        let piece = self.starts.partition_point(|start| *start <= at);
        let piece = piece.checked_sub(1)?;
        self.pieces[piece].get(at - self.starts[piece])
    }

    pub fn first(&self) -> Option<&T> {
        self.get(0)
    }

    pub fn iter(&self) -> Iter<'_, T> {
        Iter { piece: slice::Iter::default(), pieces: self.pieces.iter(), remaining: self.len }
    }

    /// Iterates over a range of elements. The range may extend beyond the end of the list.
    pub fn part(&self, range: Range<usize>) -> Iter<'_, T> {
        let end = range.end.min(self.len);
        if range.start >= end {
            return Iter {
                piece: slice::Iter::default(),
                pieces: slice::Iter::default(),
                remaining: 0,
            };
        }
        let piece = self.starts.partition_point(|start| *start <= range.start) - 1;
        Iter {
            piece: self.pieces[piece][range.start - self.starts[piece]..].iter(),
            pieces: self.pieces[piece + 1..].iter(),
            remaining: end - range.start,
        }
    }

    /// Searches like [`slice::binary_search_by`].
    pub fn binary_search_by(&self, compare: impl Fn(&T) -> Ordering) -> Result<usize, usize> {
        let at = self.partition_point(|element| compare(element).is_lt());
        let is_it = self.get(at).is_some_and(|element| compare(element).is_eq());
        if is_it { Ok(at) } else { Err(at) }
    }

    /// Searches like [`slice::partition_point`].
    pub fn partition_point(&self, mut is_before: impl FnMut(&T) -> bool) -> usize {
        let next = self.pieces.partition_point(|piece| is_before(&piece[0]));
        let Some(piece) = next.checked_sub(1) else {
            return 0;
        };
        self.starts[piece] + self.pieces[piece].partition_point(is_before)
    }

    /// Iterates over the elements in parallel. Collected results are in the order of the list.
    pub fn par_iter(&self) -> impl ParallelIterator<Item = &T>
    where
        T: Send + Sync,
    {
        let pieces = self.pieces.par_iter();
        pieces.flat_map_iter(|piece| piece.iter())
    }

    fn renumber_from(&mut self, piece: usize) {
        self.starts.truncate(piece);
        let mut start = match piece.checked_sub(1) {
            Some(before) => self.starts[before] + self.pieces[before].len(),
            None => 0,
        };
        for piece in &self.pieces[piece..] {
            self.starts.push(start);
            start += piece.len();
        }
        self.len = start;
    }
}

impl<T: Clone> List<T> {
    /// Returns the elements as a vector. Copies only the elements of pieces that other lists share.
    pub fn into_vec(self) -> Vec<T> {
        let pieces = self.pieces.into_iter();
        pieces.flat_map(Arc::unwrap_or_clone).collect()
    }

    /// Inserts an element before the element at an index, or at the end.
    pub fn insert(&mut self, at: usize, element: T) {
        let piece = self.starts.partition_point(|start| *start < at);
        let Some(piece) = piece.checked_sub(1).or((!self.pieces.is_empty()).then_some(0)) else {
            self.pieces.push(Arc::new(vec![element]));
            return self.renumber_from(0);
        };
        let elements = Arc::make_mut(&mut self.pieces[piece]);
        elements.insert(at - self.starts[piece], element);
        if elements.len() > 2 * HALF_PIECE {
            let rest = elements.split_off(HALF_PIECE);
            self.pieces.insert(piece + 1, Arc::new(rest));
        }
        self.renumber_from(piece);
    }

    /// Removes the element at an index, which must be less than the length of the list.
    pub fn remove(&mut self, at: usize) -> T {
        let piece = self.starts.partition_point(|start| *start <= at) - 1;
        let elements = Arc::make_mut(&mut self.pieces[piece]);
        let element = elements.remove(at - self.starts[piece]);
        if elements.is_empty() {
            self.pieces.remove(piece);
        }
        self.renumber_from(piece);
        element
    }

    /// Replaces the element at an index, which must be less than the length of the list.
    pub fn replace(&mut self, at: usize, element: T) {
        let piece = self.starts.partition_point(|start| *start <= at) - 1;
        Arc::make_mut(&mut self.pieces[piece])[at - self.starts[piece]] = element;
    }
}

impl<T> List<T> {
    /// Returns the elements that are only in `before`, and the elements that are only in this list.
    /// Both lists must be sorted by `key`, which must be unique. Shared pieces are skipped.
    pub fn changes<'l, K: Ord>(
        &'l self,
        before: &'l Self,
        key: impl Fn(&'l T) -> K,
        is_same: impl Fn(&T, &T) -> bool,
    ) -> (Vec<&'l T>, Vec<&'l T>) {
        let (mut removed, mut new) = (Vec::new(), Vec::new());
        let mut old = Cursor::new(before);
        let mut own = Cursor::new(self);
        loop {
            if let (Some(a), Some(b)) = (old.whole_piece(), own.whole_piece())
                && Arc::ptr_eq(a, b)
            {
                old.skip_piece();
                own.skip_piece();
                continue;
            }
            match (old.element(), own.element()) {
                (None, None) => return (removed, new),
                (Some(a), Some(b)) if is_same(a, b) => {
                    old.step();
                    own.step();
                }
                (Some(a), Some(b)) if key(a) == key(b) => {
                    removed.push(a);
                    new.push(b);
                    old.step();
                    own.step();
                }
                (Some(a), b) if b.is_none_or(|b| key(a) < key(b)) => {
                    removed.push(a);
                    old.step();
                }
                (_, Some(b)) => {
                    new.push(b);
                    own.step();
                }
                (Some(_), None) => return (removed, new),
            }
        }
    }

    /// Returns whether the lists are clones that have not changed since.
    pub fn is_unchanged_clone_of(&self, other: &Self) -> bool {
        let mut pieces = self.pieces.iter().zip(&other.pieces);
        self.pieces.len() == other.pieces.len() && pieces.all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

/// A position in a list.
struct Cursor<'l, T> {
    list: &'l List<T>,
    piece: usize,
    at: usize,
}

impl<'l, T> Cursor<'l, T> {
    fn new(list: &'l List<T>) -> Self {
        Self { list, piece: 0, at: 0 }
    }

    /// Returns the piece that starts at this position.
    fn whole_piece(&self) -> Option<&'l Arc<Vec<T>>> {
        self.list.pieces.get(self.piece).filter(|_| self.at == 0)
    }

    fn skip_piece(&mut self) {
        self.piece += 1;
        self.at = 0;
    }

    fn element(&self) -> Option<&'l T> {
        self.list.pieces.get(self.piece)?.get(self.at)
    }

    fn step(&mut self) {
        self.at += 1;
        if self.list.pieces[self.piece].len() == self.at {
            self.skip_piece();
        }
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { pieces: Vec::new(), starts: Vec::new(), len: 0 }
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut elements = elements.into_iter();
        let pieces = std::iter::from_fn(|| {
            let piece: Vec<T> = elements.by_ref().take(HALF_PIECE).collect();
            (!piece.is_empty()).then(|| Arc::new(piece))
        });
        let mut list = Self { pieces: pieces.collect(), ..Self::default() };
        list.renumber_from(0);
        list
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(elements: Vec<T>) -> Self {
        elements.into_iter().collect()
    }
}

impl<T> Index<usize> for List<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        let piece = self.starts.partition_point(|start| *start <= at) - 1;
        &self.pieces[piece][at - self.starts[piece]]
    }
}

impl<T: PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other)
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<'l, T> IntoIterator for &'l List<T> {
    type Item = &'l T;
    type IntoIter = Iter<'l, T>;

    fn into_iter(self) -> Iter<'l, T> {
        self.iter()
    }
}

/// An iterator over a list, or over a part of it.
#[derive(Debug)]
pub struct Iter<'l, T> {
    piece: slice::Iter<'l, T>,
    pieces: slice::Iter<'l, Arc<Vec<T>>>,
    remaining: usize,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Self { piece: self.piece.clone(), pieces: self.pieces.clone(), remaining: self.remaining }
    }
}

impl<'l, T> Iterator for Iter<'l, T> {
    type Item = &'l T;

    fn next(&mut self) -> Option<&'l T> {
        self.remaining = self.remaining.checked_sub(1)?;
        match self.piece.next() {
            Some(element) => Some(element),
            None => {
                self.piece = self.pieces.next()?.iter();
                self.piece.next()
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn insert_sorted(list: &mut List<u32>, element: u32) {
        let at = list.partition_point(|one| *one < element);
        if list.get(at) != Some(&element) {
            list.insert(at, element);
        }
    }

    proptest! {
        #[test]
        fn a_changed_list_equals_a_vector_and_its_changes_are_found(
            start in prop::collection::btree_set(0_u32..600, 0..500),
            steps in prop::collection::vec((any::<bool>(), 0_u32..600), 0..300),
            part in (0_usize..600, 0_usize..600),
        ) {
            let before: List<u32> = start.iter().copied().collect();
            let mut list = before.clone();
            let mut plain = start.clone();
            for (inserts, element) in steps {
                if inserts {
                    plain.insert(element);
                    insert_sorted(&mut list, element);
                } else if plain.remove(&element) {
                    let at = list.partition_point(|one| *one < element);
                    prop_assert_eq!(list.remove(at), element);
                }
            }
            let plain_list: Vec<u32> = plain.iter().copied().collect();
            prop_assert_eq!(list.iter().copied().collect::<Vec<_>>(), plain_list.clone());
            prop_assert_eq!(list.len(), plain.len());
            prop_assert!(list.pieces.iter().all(|piece| !piece.is_empty()));
            for (at, element) in plain_list.iter().enumerate() {
                prop_assert_eq!(list.get(at), Some(element));
                prop_assert_eq!(list[at], *element);
            }
            prop_assert_eq!(list.get(plain.len()), None);
            let end = part.1.min(plain_list.len());
            let of_vector = plain_list.get(part.0..end).unwrap_or_default();
            prop_assert_eq!(list.part(part.0..part.1).copied().collect::<Vec<_>>(), of_vector);
            let (removed, new) = list.changes(&before, |one| *one, |a, b| a == b);
            prop_assert_eq!(removed, start.difference(&plain).collect::<Vec<_>>());
            prop_assert_eq!(new, plain.difference(&start).collect::<Vec<_>>());
            prop_assert_eq!(&before, &start.into_iter().collect::<List<u32>>());
        }
    }
}
