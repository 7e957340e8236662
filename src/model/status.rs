//! Which items and Pages of a site the public sees.

use borsh::{BorshDeserialize, BorshSerialize};
use jiff::Timestamp;

use super::named::words;

words! {
    /// An item's or Page's status.
    #[derive(BorshDeserialize, BorshSerialize, Default)]
    Status {
        /// Listed, in feeds, and with a page.
        #[default]
        Published = "published",
        /// Has a page and chapters, but is in no list and no feed.
        Unlisted = "unlisted",
        /// A draft: not public.
        Unpublished = "unpublished",
    }
}

impl Status {
    /// Whether a change to `next` shows content to readers who did not see it.
    pub fn is_published_by(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Unpublished, Self::Published | Self::Unlisted)
                | (Self::Unlisted, Self::Published)
        )
    }
}

/// What a run publishes beside what is public now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Visibility {
    /// The present: what is dated later waits.
    pub now: Timestamp,
    /// Whether drafts are built (`--drafts`).
    pub drafts: bool,
    /// Whether what is dated later than now is built (`--future`).
    pub future: bool,
}

impl Visibility {
    /// The status that a run gives an item or Page: what it does not publish is unpublished.
    pub fn effective(&self, status: Status, date_published: Option<Timestamp>) -> Status {
        let waits = !self.future && date_published.is_some_and(|date| date > self.now);
        match status {
            Status::Unpublished if self.drafts && !waits => Status::Published,
            _ if waits => Status::Unpublished,
            status => status,
        }
    }
}
