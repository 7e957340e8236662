//! One binary for all integration tests: one file a capability.

// A whole item is one `json!`.
#![recursion_limit = "256"]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bodies;
mod chapters;
mod documents;
mod errors;
mod fields;
mod front_matter;
mod highlight;
mod hosting;
mod media;
mod mustache;
mod names;
mod other_generators;
mod output;
mod podcast;
mod rss;
mod search;
mod small_site;
mod support;
mod themes;
mod validation;
mod xml;
mod xml_tree;
