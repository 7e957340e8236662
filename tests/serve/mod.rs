//! The preview server: connections, watching, reloading.

mod connections;
mod preview;
mod saved_in_place;
mod slowed;
mod watching;
