//! One binary for all integration tests: one file a capability.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod chapters;
mod highlight;
mod media;
mod mustache;
