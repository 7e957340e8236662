//! Full-text search in titles and text in any script, based on SQLite's FTS5.
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
//! A document's text is cut into tokens before SQLite sees it. Tokens are words without case and
//! diacritics, and pairs of neighbouring characters in scripts that are written without spaces. A
//! query is parsed into clauses, and each clause becomes a phrase of such tokens. SQLite returns
//! the matching rows. Kinds, statuses, dates and titles are kept in memory to filter and order the
//! rows. To mark the matches, only the text of the hits on one page is read.
//!
//! # Invariants
//!
//! - The crate does not depend on HTTP, sites or their files: callers pass documents, and hits
//!   consist of ids and text.
//! - A document has one of two kinds ([`Kind`]) and one of three statuses ([`Status`]), with the
//!   names that feedwright uses. The kind distinguishes equal ids. Queries can filter by kind, by
//!   status and by properties that callers know ([`Filter`]).
//! - The index is derived data: [`Index::open`] and [`Index::sync`] repair any damage to its file.
//! - Any query text of an allowed length is valid, and none of it reaches SQLite as syntax.
//! - Segments reproduce the author's text byte for byte, and are never cut inside a character.
//!
//! # Query syntax and matching
//!
//! - **Terms** are words without quotes. All of them must occur in the title or the content. A term
//!   of several words, such as `e-mail` or `don't`, matches where these words are consecutive. The
//!   last term may be the prefix of a word.
//! - **Phrases** in `"…"` or `'…'`, straight or curly, are consecutive words. An apostrophe is not
//!   a quote, and neither is a quote that is never closed.
//! - **Literals** are clauses with Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer or Myanmar
//!   characters. They match as substrings of one field, compared in normalization form C and lower
//!   case. A single such character matches anywhere.
//! - **Typos** are tolerated in titles if the query consists only of words: one typo in a word of 4
//!   to 7 letters, two in a longer word, none in a word with digits. Title words of fewer than 4
//!   letters are never suggested. Exact matches come first.
//! - **Accents** do not distinguish words, but documents that have every word as typed come first.
//!   A word typed with accents also counts if a longer word in the document begins with it. If some
//!   documents have a word only with accents, the word typed without accents counts only where it
//!   is a whole word. The word can be in the title or the content, whichever field is searched.
//! - **Punctuation** and symbols are ignored. A query without letters, digits or emoji finds
//!   nothing.
//!
//! Results are ordered by spelling, typos, relevance (title words weigh most), date and id.
//!
//! # Why not FTS5 alone
//!
//! FTS5's trigrams find nothing shorter than three characters, but many Chinese words have two.
//! Dense scripts are therefore cut into pairs. FTS5's columns and prefix indexes cost more than the
//! tokens that replace them here (`tokens`). FTS5's BM25 takes a microsecond for each match. If
//! more than 1,000 documents match, they are therefore ordered only by title matches and dates.
//!
//! # Why not the static index alone
//!
//! The content API could search the files that browsers read. At 10,000 items, a query after a save
//! would then take 36 times as long (0.82 s instead of 0.023 s in a debug build, medians of eight),
//! because the shards with the changed words must be compressed again. The static index also
//! contains no drafts, and does not list title matches and content matches separately. To find a
//! phrase, it needs the published document of every candidate.

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
mod pairs;
#[cfg(feature = "sqlite")]
mod position;
mod query;
#[cfg(feature = "sqlite")]
mod request;
#[cfg(feature = "sqlite")]
mod row_cache;
mod scripts;
pub mod static_index;
#[cfg(feature = "sqlite")]
mod tables;
mod text;
#[cfg(feature = "sqlite")]
mod tokens;
mod typos;
#[cfg(feature = "sqlite")]
mod unindexed;
#[cfg(feature = "sqlite")]
mod vocabulary;

pub use document::{Document, Kind, Status};
#[cfg(feature = "sqlite")]
pub use excerpts::Segment;
#[cfg(feature = "sqlite")]
pub use find::{Found, Hit, SearchError};
#[cfg(feature = "sqlite")]
pub use index::{Index, IndexError, SyncCounts};
pub use query::{Field, Filter, MAX_CURSOR_LENGTH, MAX_LIMIT, MAX_TEXT_LENGTH, Query, QueryError};
#[cfg(feature = "sqlite")]
pub use unindexed::TextQuery;
