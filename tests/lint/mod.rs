//! The rules of `check`.

mod elsewhere;
mod page_links;
mod pairs;
pub mod rules;
mod transcripts;
