//! The documents of a site: their paths and contents.
//!
//! [`Renderer`] renders the document at a path. `inputs` takes the data for a document from the
//! snapshot, and the document is written from that data alone. So the preview shows exactly what a
//! build writes.
//!
//! - [`addresses`]: the public paths of a site, and redirects.
//! - `pages`: HTML, site files, the sitemap, and the data for templates.
//! - [`feeds`]: RSS, JSON Feed and chapters. `calendar`: iCalendar. `view`: the fields that feeds
//!   and the API share.
//! - `search`: the search page's scripts, and the list of documents in the search index.
//! - [`pictures`]: sizes of pictures, and artwork.
//! - [`hosting`]: configuration files of static hosts.

pub mod addresses;
mod batches;
mod calendar;
mod document_cache;
pub mod feeds;
pub mod hosting;
mod inputs;
pub mod names;
pub mod pages;
pub mod pictures;
mod renderer;
pub mod search;
mod social_cards;
mod subscribe_apps;
pub mod text;
mod trace;
mod transcript_files;
pub mod view;

pub use addresses::lookup::Lookup;
pub use addresses::lookup::PathAnswer;
pub use addresses::media_type::media_type;
pub use addresses::public::{CardOf, Document};
pub use addresses::routes::{Route, Routes};
pub use batches::Batch;
pub use document_cache::DocumentCache;
pub use feeds::item_parts::ItemParts;
pub use hosting::{POLICY, is_active};
pub use inputs::{PublishedRecordings, Shared, ShownTranscript, Translation};
pub use renderer::{Body, Renderer, SearchFile};
pub use trace::{Origin, TracedPiece};
pub use transcript_files::{caption_file, local_transcripts, transcript_files, webvtt_captions};
