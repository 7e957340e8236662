//! Feeds: RSS with its namespaces, JSON Feed, and Podcasting 2.0 chapters.
//!
//! `site_rss` and `json_feed` write the documents of a site; [`rss`] and `podcast` write the
//! elements of RSS with the XML writer of [`xml`].

mod chapter_times;
pub mod chapters;
mod facet_channel;
pub(super) mod item_parts;
pub(super) mod json_feed;
pub(super) mod opml;
pub(super) mod planet;
mod podcast;
pub mod rss;
pub(super) mod site_rss;
pub mod xml;
