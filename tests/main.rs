//! One binary for all integration tests: one file a capability.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod chapters;
mod errors;
mod media;
mod mustache;
mod podcast;
mod rss;
mod xml;
mod xml_tree;
mod output;
mod small_site;
