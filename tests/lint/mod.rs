//! The rules of `check`.

mod check_command;
mod directories;
mod page_links;
pub mod rules;
pub mod site_pairs;
mod transcripts;
