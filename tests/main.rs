//! One binary for all integration tests: one file a capability.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod chapters;
mod documents;
mod media;
mod mustache;
mod support;
mod themes;
