//! The warehouse API, `/warehouse/v2`: jobs that load, query, copy and export the tables of the
//! [`warehouse`](crate::warehouse), and what clients need to follow them.
//!
//! A job is noted in the state's ledger before its client hears of it, and runs in the background. What it
//! writes is one transaction that names the job, so that after a crash it can be told whether it happened.

pub mod configuration;
mod grants;
mod job;
mod run;
mod runner;

pub use grants::Grants;
pub use job::Job;
pub use runner::{Data, Jobs, Start};
