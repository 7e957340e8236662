//! What is indexed.

/// What kind of content a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// An item of the feed.
    Item,
    /// A standalone Page.
    Page,
}

/// Who can see a document. Deleted content is never in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Status {
    /// In the feed and its lists.
    Published,
    /// Reachable by its address alone.
    Unlisted,
    /// Not public.
    Unpublished,
}

impl Kind {
    pub(super) fn from_number(number: u8) -> Option<Self> {
        [Self::Item, Self::Page].into_iter().nth(number.into())
    }
}

impl Status {
    pub(super) fn from_number(number: u8) -> Option<Self> {
        [Self::Published, Self::Unlisted, Self::Unpublished]
            .into_iter()
            .nth(number.into())
    }
}

/// An item or Page to be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// What it is. Ids are unique within a kind.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// Its title as plain text.
    pub title: String,
    /// Its content as plain text.
    pub text: String,
    /// Who can see it.
    pub status: Status,
    /// When it was published, in Unix milliseconds.
    pub date_published_ms: Option<i64>,
    /// Tells versions of the document apart: it must differ when any other field does.
    pub fingerprint: u64,
}
