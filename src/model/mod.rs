//! The nouns of a site, without I/O.

pub mod chapter;
