//! Documents: the route table, and what stands behind each public path.
//!
//! [`routes`] lists every public path of a snapshot; [`Renderer`] renders the document behind one.
//! Both `build` and `serve` go through them, so the preview is the build. A kind of document is one
//! file here and one arm in the table.

pub mod chapters;
pub mod hosting;
pub mod html;
pub mod json_feed;
mod media_type;
mod podcast;
pub mod redirects;
mod renderer;
pub mod routes;
pub mod rss;
mod search;
pub mod site_file;
pub mod sitemap;
pub mod text;
pub mod view;
pub mod xml;

pub use media_type::media_type;
pub use redirects::Redirect;
pub use renderer::{Body, Renderer};
pub use routes::{Document, Route, Routes};
