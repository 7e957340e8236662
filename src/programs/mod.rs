//! Other programs of this machine. `process` runs one in a bounded time; [`git`] asks git about a repository.

pub(crate) mod git;
#[cfg(feature = "deploy")]
pub(crate) mod git_ignore;
#[cfg(any(feature = "deploy", feature = "serve"))]
pub(crate) mod process;
