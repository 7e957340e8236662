//! The run from files to the output folder, and what is kept in `.feedwright/` between runs.

mod incremental_builds;
mod limits;
mod fresh_clone;
mod hosting;
mod interrupted_writes;
mod library;
mod local_state;
mod concurrent_changes;
mod output;
mod crash_safety;
mod precompressed;
mod validation;
