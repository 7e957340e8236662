//! Visibility of a site's items and pages to the public.

use borsh::{BorshDeserialize, BorshSerialize};
use jiff::Timestamp;

use super::named::words;

words! {
    /// Status of an item or page.
    #[derive(BorshDeserialize, BorshSerialize, Default)]
    Status {
        /// Appears in lists and feeds, and has an HTML page.
        #[default]
        Published = "published",
        /// Has an HTML page and chapters, but appears in no list and no feed.
        Unlisted = "unlisted",
        /// A draft: not public.
        Unpublished = "unpublished",
    }
}

impl Status {
    /// Returns whether a change from this status to `next` makes content visible to more readers.
    pub fn is_published_by(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Unpublished, Self::Published | Self::Unlisted)
                | (Self::Unlisted, Self::Published)
        )
    }
}

/// The settings of a run that decide which items and pages it publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Visibility {
    /// Current time. Items and pages dated later are not published yet.
    pub now: Timestamp,
    /// Whether drafts are built (`--drafts`).
    pub drafts: bool,
    /// Whether items and pages dated later than `now` are built (`--future`).
    pub future: bool,
}

impl Visibility {
    /// Returns the status of an item or page in this run. Content that the run does not publish is
    /// unpublished.
    pub fn effective(&self, status: Status, date_published: Option<Timestamp>) -> Status {
        let waits = !self.future && date_published.is_some_and(|date| date > self.now);
        match status {
            Status::Unpublished if self.drafts && !waits => Status::Published,
            _ if waits => Status::Unpublished,
            status => status,
        }
    }
}
