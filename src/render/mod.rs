//! Documents: what stands behind a public path.

pub mod chapters;
mod podcast;
pub mod rss;
pub mod xml;
