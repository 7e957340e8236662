//! Other programs of this machine. [`process`] runs one in a bounded time; [`git`] asks git about a repository.

pub(crate) mod git;
pub(crate) mod process;
