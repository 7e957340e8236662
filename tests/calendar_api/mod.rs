//! The calendar API.

mod access;
mod any;
mod filters;
mod hostile;
mod resources;
mod served;
mod sync;
