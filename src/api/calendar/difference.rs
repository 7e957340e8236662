//! How a list changed between two states: the difference of two views.

use std::cmp::Ordering;
use std::iter::{Peekable, from_fn};

use super::list_entries::{ListEntry, ListPosition};

/// One change that a client needs to update an old list.
#[derive(Debug, Clone)]
pub enum Change {
    /// This entry is new or has changed.
    Now(ListEntry),
    /// This entry is not in the list any more.
    Gone(ListEntry),
}

/// Goes through both lists in their stable order. Yields each place of either list, with the change
/// there if any.
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

/// Which of the two lists has the next place. None at the end of both.
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
