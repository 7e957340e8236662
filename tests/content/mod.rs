//! The author's files: front matter, Markdown, media, links, and the errors they cause.

mod bodies;
mod chapters;
mod common_mistakes;
pub mod errors;
mod formulas;
mod front_matter;
mod hiding_keys;
mod highlight;
mod markdown;
mod media;
mod media_links;
mod names;
mod other_generators;
mod pictures;
#[path = "../../crates/front-matter/tests/pieces.rs"]
mod pieces;
#[cfg(unix)]
mod special_files;
mod unpublished_sources;
mod unsafe_addresses;
mod wiki_links;
