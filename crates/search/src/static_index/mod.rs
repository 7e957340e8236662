//! A search index that any static host can serve. It has few files, and a browser fetches only the
//! ones that a query needs.
//!
//! [`WordCollector`] collects the words of documents. [`make`] creates the files, and reuses the
//! files of a [`PreviousIndex`] where it can. [`Reader`] searches them like the script in the
//! browser. All files are compressed ("deflate-raw", RFC 1951):
//!
//! - `entry.bin` lists all other files, see [`Entry`](entry::Entry). It is the only file whose name
//!   never changes.
//! - `shards/<hash>.bin` files are of three kinds. Word shards list the documents and passages of
//!   each word (`shard`, `list`) and of each prefix that many words share (`prefixes`). A listing
//!   shard holds the data that search results show about 64 documents ([`Listing`]). Title shards
//!   hold the words of titles, grouped by length, to correct typos.
//!
//! The index does not contain the text of the documents, which would be several times as large. To
//! show an excerpt or find a phrase, a reader fetches the published document whose path is in the
//! listing.

mod addresses;
mod collected_list;
mod entry;
mod files;
mod ids;
mod list;
mod make;
mod new_words;
mod prefixes;
mod previous;
mod reader;
mod shard;
mod titles;
mod varint;
mod word_collector;
mod words;
mod worker;

pub use entry::{Kind as DocumentKind, Listing, Passage, TranscriptFormat, TranscriptListing};
pub use files::{is_entry, is_name};
pub use make::{BuiltIndex, PlannedDocument, Shard, make};
pub use previous::{PreviousIndex, ReadShard, STATE_VERSION};
pub use reader::{Found, Published, Reader};
pub use word_collector::{CollectedDocument, DocumentWords, TranscriptWords, WordCollector};

/// Error for an index with a missing or damaged file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the search index is damaged")]
pub struct Damaged;
