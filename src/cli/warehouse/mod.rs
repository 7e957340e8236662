//! `feedwright warehouse`: manages the tables of the warehouse.

mod push;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Failure;

/// The arguments of `warehouse`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  feedwright warehouse push items --to my-project.podcast.items")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Send a table to the warehouse service in site.toml
    Push(push::Arguments),
}

/// Runs a subcommand for the tables of the warehouse.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Push(own) => push::run(root, own),
    }
}
