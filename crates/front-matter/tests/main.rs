//! Reading: any text, and the three formats alike. Editing: byte for byte in each format, then any edit of any
//! front matter, with another parser of TOML as the judge.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod any_edits;
mod edits;
mod events;
mod json;
mod merges;
mod pieces;
mod random_documents;
mod reading;
mod toml;
mod yaml;
