//! One binary for all integration tests: one file a capability.

// A whole item is one `json!`.
#![recursion_limit = "256"]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod chapters;
mod documents;
mod fields;
mod media;
mod mustache;
mod support;
mod themes;
mod validation;
