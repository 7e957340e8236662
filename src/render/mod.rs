//! Documents: the route table, and the document at each public path.
//!
//! `public` decides which public paths a snapshot has. [`routes`] lists them for `build`, `Lookup` finds one
//! for the server, and [`Renderer`] renders the document behind it, so the preview shows what a build
//! writes: `inputs` takes from the snapshot what the document may read, and the document is written from that
//! alone. A kind of document has one file here, its inputs, and its variant in `public`.

pub mod artwork;
mod batches;
pub(crate) mod calendar;
pub mod chapters;
pub(crate) mod context;
mod document_cache;
mod embed;
mod facet_channel;
pub mod hosting;
pub(crate) mod html;
mod inputs;
mod item_parts;
pub(crate) mod json_feed;
mod json_text;
mod lookup;
mod media_type;
pub(crate) mod names;
mod picture;
mod podcast;
pub(crate) mod public;
pub(crate) mod redirects;
mod renderer;
pub mod routes;
pub mod rss;
mod rss_parts;
mod search;
pub(crate) mod search_index;
pub(crate) mod site_file;
mod site_rss;
pub(crate) mod sitemap;
pub(crate) mod text;
mod trace;
pub(crate) mod view;
pub mod xml;

pub use batches::Batch;
pub use document_cache::DocumentCache;
pub(crate) use inputs::{Shared, ShownTranscript, own_transcripts, transcript_files};
pub use item_parts::ItemParts;
pub(crate) use lookup::Lookup;
pub use lookup::PathAnswer;
pub use media_type::media_type;
pub(crate) use media_type::{POLICY, is_active};
pub use public::Document;
pub use renderer::{Body, Renderer};
pub(crate) use routes::{Route, Routes};
pub(crate) use trace::{Origin, TracedPiece};
