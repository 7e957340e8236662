//! The documents of an index.

/// The kind of a document. Ids are unique within a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A post or an episode. To the index it is only the first of two kinds.
    Item,
    /// A standalone page, the second kind.
    Page,
}

/// Who can see a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Status {
    /// Everybody, also in lists.
    Published,
    /// Everybody who has the address.
    Unlisted,
    /// Its authors alone.
    Unpublished,
}

/// A document to be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// With the id, what names the document.
    pub kind: Kind,
    /// Unique within the kind.
    pub id: String,
    /// As plain text.
    pub title: String,
    /// The content as plain text.
    pub text: String,
    /// Who can see it. Only filters of queries use it.
    pub status: Status,
    /// When it was published, in Unix milliseconds.
    pub date_published_ms: Option<i64>,
    /// Tells versions of the document apart: it must differ when any other field does.
    pub fingerprint: u64,
}
