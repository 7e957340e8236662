//! `feedwright mcp`: serves the Model Context Protocol to an agent.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::output::{fail_with, say};
use agents::Agents;
use state::State;

/// The arguments of `mcp`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  feedwright mcp --site ~/walks")]
pub struct Arguments {
    /// Allow the assistant to edit published content and publish drafts
    #[arg(long)]
    allow_publish: bool,
}

/// Serves an agent on standard input and output until the agent disconnects.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let site = super::options(root)?;
    let state = State::open(&site.root)?;
    let failed = |error| Failure::Usage(format!("the MCP server failed: {error}"));
    let agents = Agents::new(site, state, arguments.allow_publish)
        .map_err(|report| fail_with(report, false, "; the MCP server did not start"))?;
    say!(
        "The MCP server is running on standard input and output; MCP clients start this command automatically"
    );
    let runtime = tokio::runtime::Runtime::new().map_err(failed)?;
    let answered = runtime.block_on(agents.answer());
    runtime.shutdown_background();
    answered.map_err(failed)
}
