//! Documents: the route table, and the document at each public path.
//!
//! `public` knows every public path of a snapshot; [`routes`] lists them for `build`, `Lookup`
//! finds one for `serve`, and [`Renderer`] renders the document behind it, so the preview is the
//! build. A kind of document is one file here and one arm in `public`.

pub(crate) mod calendar;
pub mod chapters;
mod document_cache;
pub mod hosting;
pub(crate) mod html;
pub(crate) mod json_feed;
mod lookup;
mod media_type;
pub(crate) mod names;
mod podcast;
pub(crate) mod public;
pub(crate) mod redirects;
mod renderer;
pub mod routes;
pub mod rss;
mod rss_parts;
mod search;
pub(crate) mod site_file;
pub(crate) mod sitemap;
pub(crate) mod text;
pub(crate) mod view;
pub mod xml;

pub use document_cache::DocumentCache;
pub(crate) use lookup::Lookup;
pub use lookup::PathAnswer;
pub use media_type::media_type;
pub(crate) use media_type::{POLICY, is_active};
pub use public::Document;
pub use renderer::{Body, Renderer};
pub(crate) use routes::{Route, Routes};
