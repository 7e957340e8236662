//! `feedwright mcp`: serves the Model Context Protocol to an agent.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::output::{fail_with, say};
use agents::Agents;
use state::State;

/// The arguments of `mcp`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Let the agent write what readers have, and publish drafts
    #[arg(long)]
    allow_publish: bool,
}

/// Answers an agent on standard input and output until the agent disconnects.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let site = super::options(root)?;
    let state = State::open(&site.root)?;
    let failed = |error| Failure::Usage(format!("the client cannot be answered: {error}"));
    let agents = Agents::new(site, state, arguments.allow_publish)
        .map_err(|report| fail_with(report, false, "; no agent is answered"))?;
    say!(
        "feedwright answers an agent on standard input and output; a client starts this by itself"
    );
    let runtime = tokio::runtime::Runtime::new().map_err(failed)?;
    let answered = runtime.block_on(agents.answer());
    runtime.shutdown_background();
    answered.map_err(failed)
}
