//! A search index that any static host can serve. It has few files, and a browser fetches only the
//! ones that a query needs.
//!
//! [`WordCollector`] collects the words of documents. [`make`] creates the files, and reuses the files
//! of an [`PreviousIndex`] index where it can. [`Reader`] searches them as the browser's script does. All
//! files are compressed ("deflate-raw", RFC 1951):
//!
//! - `entry.bin` names all other files, see [`Entry`](entry::Entry). It is the only file whose name
//!   never changes.
//! - `shards/<hash>.bin` are of three kinds. Word shards list the documents and passages of each
//!   word (`shard`, `list`) and of each prefix that many words share (`prefixes`). Listing shards
//!   hold the data that results show, of 64 documents each ([`Listing`]). Title shards hold the
//!   words of titles by their length, to correct typos.
//!
//! The index does not contain the texts, which would be several times as large. To show an excerpt
//! or find a phrase, a reader fetches the published document that the listing names.

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
