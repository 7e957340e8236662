//! The calendar API.

mod access;
mod edge_cases;
mod filters;
mod resources;
mod served;
mod sync;
mod sync_properties;
