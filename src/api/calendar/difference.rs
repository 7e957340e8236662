//! The changes of a list between two states, computed as the difference of two views.

use std::cmp::Ordering;
use std::iter::{Peekable, from_fn};

use super::list_entries::{ListEntry, ListPosition};

/// One change that a client must apply to its old list.
#[derive(Debug, Clone)]
pub enum Change {
    /// The entry is new or has changed.
    Now(ListEntry),
    /// The entry is no longer in the list.
    Gone(ListEntry),
}

/// Compares two lists that are both sorted by [`ListPosition`]. Yields each position in either
/// list, with the change at that position. The change is None if both lists have the same entry
/// there.
pub fn difference(
    old: impl Iterator<Item = (ListPosition, ListEntry)>,
    new: impl Iterator<Item = (ListPosition, ListEntry)>,
) -> impl Iterator<Item = (ListPosition, Option<Change>)> {
    let (mut old, mut new) = (old.peekable(), new.peekable());
    from_fn(move || match order(&mut old, &mut new)? {
        Ordering::Less => old.next().map(|(place, item)| (place, Some(Change::Gone(item)))),
        Ordering::Greater => new.next().map(|(place, item)| (place, Some(Change::Now(item)))),
        Ordering::Equal => {
            let before = old.next();
            let (place, item) = new.next()?;
            let is_same = before.is_some_and(|(_, before)| before.is_same(&item));
            Some((place, (!is_same).then_some(Change::Now(item))))
        }
    })
}

/// Compares the next positions of both lists. Returns None at the end of both lists.
fn order(
    old: &mut Peekable<impl Iterator<Item = (ListPosition, ListEntry)>>,
    new: &mut Peekable<impl Iterator<Item = (ListPosition, ListEntry)>>,
) -> Option<Ordering> {
    match (old.peek(), new.peek()) {
        (None, None) => None,
        (Some(_), None) => Some(Ordering::Less),
        (None, Some(_)) => Some(Ordering::Greater),
        (Some((old, _)), Some((new, _))) => Some(old.cmp(new)),
    }
}
