//! feedwright's capabilities, one module each.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod mustache;
