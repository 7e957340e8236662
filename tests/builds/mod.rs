//! The run from files to the output folder, and what is kept in `.feedwright/` between runs.

mod any_builds;
mod bounds;
mod fresh_clone;
mod hosting;
mod interrupted;
mod library;
mod local_state;
mod meanwhile;
mod output;
mod output_whole;
mod precompressed;
mod validation;
