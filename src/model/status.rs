//! Which items and Pages of a site the public sees.

use borsh::{BorshDeserialize, BorshSerialize};
use jiff::Timestamp;
use serde::Serialize;

/// An item's or Page's status.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Listed, in feeds, and with a page.
    #[default]
    Published,
    /// Has a page and chapters, but is in no list and no feed.
    Unlisted,
    /// A draft: not public.
    Unpublished,
}

impl Status {
    /// The names an author can write, in the order of the documentation.
    pub const NAMES: [&str; 3] = ["published", "unlisted", "unpublished"];

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "published" => Some(Self::Published),
            "unlisted" => Some(Self::Unlisted),
            "unpublished" => Some(Self::Unpublished),
            _ => None,
        }
    }

    /// Whether a change to `next` shows content to readers who did not see it.
    pub fn is_published_by(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Unpublished, Self::Published | Self::Unlisted)
                | (Self::Unlisted, Self::Published)
        )
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Unlisted => "unlisted",
            Self::Unpublished => "unpublished",
        }
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
