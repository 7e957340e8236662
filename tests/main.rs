//! One binary for all integration tests: one file a capability.

mod chapters;
mod media;
mod podcast;
mod rss;
mod xml;
mod xml_tree;
