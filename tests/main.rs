//! One binary for all integration tests: one file a capability.

// A whole item is one `json!`.
#![recursion_limit = "256"]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod api_items;
mod api_pages;
mod api_site_files;
mod bodies;
mod chapters;
mod documents;
mod edits;
mod edits_any;
mod edits_documents;
mod edits_json;
mod edits_toml;
mod edits_yaml;
mod errors;
mod fields;
mod front_matter;
mod highlight;
mod hosting;
mod keys;
mod library;
mod lookup;
mod media;
mod mustache;
mod names;
mod other_generators;
mod output;
mod podcast;
mod preview;
mod previewed;
mod redirects_and_drafts;
mod rss;
mod search_rules;
mod serve_command;
mod served;
mod small_site;
mod state;
mod support;
mod themes;
mod validation;
mod watching;
mod writes;
mod xml;
mod xml_tree;
