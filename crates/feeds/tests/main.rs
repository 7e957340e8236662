//! Feeds of many makes.
