//! A search index that any static host can serve: few files, of which a browser fetches what a query needs.
//!
//! [`Gathering`] takes the words of documents, [`make`] writes the files, from those of an [`Older`] index where it
//! can, and [`Reader`] searches them as the browser's script does. All files are deflated ("deflate-raw",
//! RFC 1951):
//!
//! - `entry.bin` names all others, see [`Entry`](entry::Entry). It alone keeps its name.
//! - `shards/<hash>.bin` are of three kinds. Word shards have the documents and passages of each word
//!   (`shard`, `list`) and of each beginning that many words have (`beginnings`); listing shards what a result shows
//!   of 64 documents each ([`Listing`]); title shards the words of titles by their length, for typos.
//!
//! The texts themselves are not in it: they would be several times as large. Whoever needs one, for an excerpt or
//! to look a phrase up, reads the published document, which the listing names.

mod addresses;
mod beginnings;
mod entry;
mod files;
mod gathered_list;
mod gathering;
mod ids;
mod list;
mod make;
mod new_words;
mod older;
mod reader;
mod shard;
mod titles;
mod varint;
mod words;
mod worker;

pub use entry::{Kind as DocumentKind, Listing, Passage, TranscriptFormat, TranscriptListing};
pub use files::{is_entry, is_name};
pub use gathering::{DocumentWords, Gathered, Gathering, TranscriptWords};
pub use make::{Made, Planned, Shard, make};
pub use older::{Older, ReadShard, STATE_VERSION};
pub use reader::{Found, Published, Reader};

/// A file of an index is not what it was when it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the search index is damaged")]
pub struct Damaged;
