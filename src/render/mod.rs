//! Documents: the route table, and what stands behind each public path.
//!
//! [`public`] knows every public path of a snapshot; [`routes`] lists them for `build`, [`Lookup`]
//! finds one for `serve`, and [`Renderer`] renders the document behind it, so the preview is the
//! build. A kind of document is one file here and one arm in [`public`].

pub mod calendar;
pub mod chapters;
mod common;
pub mod hosting;
pub mod html;
pub mod json_feed;
mod lookup;
mod media_type;
pub(crate) mod names;
mod podcast;
pub mod public;
pub mod redirects;
mod renderer;
pub mod routes;
pub mod rss;
mod rss_parts;
mod search;
pub mod site_file;
pub mod sitemap;
pub mod text;
pub mod view;
pub mod xml;

pub use common::Common;
pub use lookup::{Found, Lookup};
pub use media_type::{POLICY, is_active, media_type};
pub use public::Document;
pub use renderer::{Body, Renderer};
pub use routes::{Route, Routes};
