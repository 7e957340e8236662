//! One binary for all integration tests: one file a capability.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod chapters;
mod errors;
mod front_matter;
mod media;
mod mustache;
mod other_generators;
mod output;
mod small_site;
