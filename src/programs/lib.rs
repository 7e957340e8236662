//! Other programs of this machine. `process` runs one in a bounded time; [`git`] asks git about a repository.

pub mod git;
pub mod git_ignore;
pub mod process;
