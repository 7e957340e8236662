//! One binary for all integration tests: one file a capability.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod chapters;
mod hosting;
mod media;
mod mustache;
