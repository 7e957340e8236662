//! RSS, JSON Feed, and the XML they are written in.

mod chapter_forms;
mod fields;
mod former_feeds;
mod rss;
mod tag_feeds;
mod xml;
