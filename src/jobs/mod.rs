//! The warehouse API, `/warehouse/v2`: jobs that load, query, copy and export the tables of the
//! [`warehouse`](warehouse), and what clients need to follow them.
//!
//! A job is noted in the state's ledger before its client hears of it, and runs in the background. What it
//! writes is one transaction that names the job, so that after a crash it can be told whether it happened.
//!
//! A request becomes a [`call`] of an [`operation`], if the key's scopes give the [right](access) to it; data
//! that come with a job are an [`upload`]. Everything below [`BASE`] lies below the path that published
//! clients write by themselves, too.

mod access;
mod answer;
mod call;
mod calls;
mod columns;
pub mod configuration;
mod data;
mod datasets;
mod error;
mod facts;
mod grants;
mod insert;
mod job;
mod operation;
mod page;
mod parameters;
mod project;
mod queries;
mod reading;
mod recent;
mod rows;
mod run;
mod runner;
mod tables;
mod unkept;
mod upload;
pub mod upstream;

pub use grants::Grants;
pub use job::Job;
pub use runner::{Data, Jobs, Start, take_up};

use crate::server::mirrored::Mirrored;
use error::Refusal;

/// Where the API lies.
pub const BASE: &str = "/warehouse/v2";
/// Where clients look for it that are told the server's address and no path.
const CLIENTS_BASE: &str = "/bigquery/v2";
/// Where everything is. What clients say of it is taken.
const LOCATION: &str = "local";

/// The API as the server reaches it.
pub const MIRRORED: Mirrored = Mirrored {
    owns: |path| is_base(path) || below(path).is_some() || upload::is_upload(path),
    answer: |app, request| Box::pin(answer::answer(app, request)),
    error: |_, _, status, message| Refusal::of_server(status, message).response(),
};

fn is_base(path: &str) -> bool {
    path == BASE || path == CLIENTS_BASE
}

/// A path below the API's own, without the slash between.
fn below(path: &str) -> Option<&str> {
    let rest = path
        .strip_prefix(BASE)
        .or_else(|| path.strip_prefix(CLIENTS_BASE))?;
    rest.strip_prefix('/')
}
