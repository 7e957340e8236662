//! One binary for all integration tests. Each folder tests one part of the program.

// A whole item is one `json!`.
#![recursion_limit = "256"]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod api;
mod builds;
mod calendar_api;
mod calendars;
mod commands;
mod content;
mod counted_work;
mod deploy;
mod editor;
mod feeds;
mod import;
mod lint;
mod live;
mod pages;
mod podcast;
mod search;
mod serve;
mod state;
mod stats;
mod support;
mod themes;
mod warehouse;
mod webhooks;
mod words;
