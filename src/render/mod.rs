//! Documents: what stands behind a public path.

pub mod chapters;
mod podcast;
pub mod rss;
mod text;
pub mod xml;
