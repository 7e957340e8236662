//! Full-text search on SQLite's FTS5: titles and texts in any script.
//!
//! ```
//! use search::{Document, Index, Kind, Query, Status};
//!
//! let index = Index::in_memory()?;
//! let document = Document {
//!     kind: Kind::Item,
//!     id: "a1".into(),
//!     title: "Café 東京".into(),
//!     text: "Coffee in Tokyo, and where to drink it.".into(),
//!     status: Status::Published,
//!     date_published_ms: None,
//!     fingerprint: 1,
//! };
//! index.sync([(Kind::Item, "a1", 1)], |_, _| Some(document.clone()))?;
//!
//! for text in ["cafe drin", "東京", "\"in tokyo\"", "caef"] {
//!     assert_eq!(index.search(&Query::new(text))?.hits[0].id, "a1");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A document's text is cut into tokens before SQLite sees it: words folded of case and diacritics, and
//! pairs of neighbouring characters of the scripts that write no spaces. A query is read into clauses, and
//! each clause becomes a phrase of such tokens. SQLite answers rows. Kinds, statuses, dates and titles are kept in
//! memory to filter and order the rows, and only the texts of one page of hits are read, to mark what matched.
//!
//! # What holds here
//!
//! - It knows nothing of HTTP, sites or their files: documents are given, hits are ids and text.
//! - A document has one of two kinds ([`Kind`]) and one of three states ([`Status`]), named as feedwright names
//!   them. A kind tells equal ids apart, and both filter queries.
//! - The index is derived data: [`Index::open`] and [`Index::sync`] repair any damage to its file.
//! - No query text is an error but for its length, and none reaches SQLite as syntax.
//! - Segments reproduce the author's text byte for byte, and are never cut inside a character.
//!
//! # What a query means
//!
//! - **Terms** without quotes must all be found, in the title or the content. A term of several words, as
//!   `e-mail` or `don't`, is found where they follow each other. The last term may be the beginning of a word.
//! - **Phrases** in `"…"` or `'…'`, straight or curly, are consecutive words. An apostrophe is no quote, and
//!   neither is a quote that is never closed.
//! - **Literals** are clauses with Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer or Myanmar: substrings
//!   of one field, in normalization form C and lower case. A single such character is found wherever it
//!   stands.
//! - **Typos** are tolerated in a title when the query is words only: one in a word of 4 to 7 letters,
//!   two from 8 on, none in a word with digits, and none that leads to a title's word of fewer than 4. Exact matches
//!   come first.
//! - **Accents** do not tell words apart, but documents that have every word as it was typed come first. Where a
//!   word is typed without the accents that some documents give it, these are the ones that have it as a whole word;
//!   where it is typed with accents, also those with a longer word that begins so. Where in the document the word
//!   stands does not count, neither does which field is searched.
//! - **Signs** alone are ignored; a query of nothing else finds nothing.
//!
//! Results are ordered by spelling, typos, relevance (a title's words weigh most), date and id.
//!
//! # Why not FTS5 alone
//!
//! FTS5's trigrams find nothing shorter than three characters, but many Chinese words have two, so dense
//! scripts are cut into pairs. Its columns and prefix indexes cost more than the tokens of our own that replace
//! them (`tokens`). Its BM25 takes a microsecond for each match, so where more than 1,000 documents match,
//! titles and dates alone order them.
//!
//! # Why not the static index alone
//!
//! The content API could search the files that browsers read. At 10,000 items, a query after a save would then take 36
//! times as long (0.82 s instead of 0.023 s in a debug build, medians of eight), because the shards with the changed
//! words are compressed anew. The static index also has no drafts, has one list for
//! titles and contents, and needs the published document of every candidate to find a phrase.

#[cfg(feature = "sqlite")]
mod catalog;
mod document;
#[cfg(feature = "sqlite")]
mod excerpts;
#[cfg(feature = "sqlite")]
mod expression;
#[cfg(feature = "sqlite")]
mod find;
mod highlight;
#[cfg(feature = "sqlite")]
mod index;
#[cfg(feature = "sqlite")]
mod known_rows;
mod pairs;
#[cfg(feature = "sqlite")]
mod position;
mod query;
#[cfg(feature = "sqlite")]
mod request;
mod scripts;
pub mod static_index;
#[cfg(feature = "sqlite")]
mod tables;
mod text;
#[cfg(feature = "sqlite")]
mod tokens;
mod typos;
#[cfg(feature = "sqlite")]
mod vocabulary;

pub use document::{Document, Kind, Status};
#[cfg(feature = "sqlite")]
pub use excerpts::Segment;
#[cfg(feature = "sqlite")]
pub use find::{Found, Hit, SearchError};
#[cfg(feature = "sqlite")]
pub use index::{Index, IndexError, Synced};
pub use query::{CURSOR_MAX, Field, LIMIT_MAX, Query, QueryError, TEXT_MAX};
