//! The documents that callers pass to an index.

/// The kind of a document. Ids are unique within a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A post or an episode.
    Item,
    /// A standalone page.
    Page,
}

/// The visibility of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Status {
    /// Visible to everyone, and included in lists.
    Published,
    /// Visible to everyone who has the address.
    Unlisted,
    /// Visible only to its authors.
    Unpublished,
}

/// A document to index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Kind of the document. Kind and id together identify a document.
    pub kind: Kind,
    /// Id of the document, unique within its kind.
    pub id: String,
    /// Title, as plain text.
    pub title: String,
    /// Content, as plain text.
    pub text: String,
    /// Visibility. It only affects which queries include the document.
    pub status: Status,
    /// Publication date, in Unix milliseconds.
    pub date_published_ms: Option<i64>,
    /// Identifier of this version of the document. Must change whenever another field changes.
    pub fingerprint: u64,
}
