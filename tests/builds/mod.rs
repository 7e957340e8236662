//! The run from files to the output folder, and what is kept in `.feedwright/` between runs.

mod clips;
mod concurrent_changes;
mod crash_safety;
mod fresh_clone;
mod hosting;
mod incremental_builds;
mod interrupted_writes;
mod library;
mod limits;
mod local_state;
mod output;
mod precompressed;
mod recordings;
mod validation;
