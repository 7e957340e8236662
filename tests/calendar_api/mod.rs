//! The calendar API.

mod access;
mod sync_properties;
mod filters;
mod edge_cases;
mod resources;
mod served;
mod sync;
