//! Tests of the parser, which must return the same results for all three formats, and of edits.
//! Some edits are compared byte for byte. Edits to random front matter are checked with another
//! TOML parser.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod edit_properties;
mod edits;
mod events;
mod json;
mod merge_keys;
mod pieces;
mod random_documents;
mod reading;
mod toml;
mod yaml;
