//! The preview server: connections, watching, reloading.

mod connections;
mod in_place_saves;
mod preview;
mod rate_limits;
mod watching;
