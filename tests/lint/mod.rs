//! The rules of `check`.

mod check_command;
mod page_links;
pub mod rules;
pub mod site_pairs;
mod transcripts;
