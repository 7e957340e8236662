//! Tests of reading any text, with the same results in the three formats, and of editing: byte for
//! byte in each format, and any edit of any front matter, checked by another TOML parser.

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
