//! Podcasting 2.0, from front matter to the `podcast:` elements of the RSS feed.
#![allow(clippy::unwrap_used)]

mod errors;
mod every_tag;
mod example;
mod playlists;
mod random_tables;
mod schema;
pub mod site;
mod versions;
