//! Runs other programs on this machine. `process` runs a program with limits on time and output.
//! [`git`] reads from a repository.

pub mod git;
pub mod git_ignore;
pub mod process;
