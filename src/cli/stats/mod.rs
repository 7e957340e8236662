//! `feedwright stats`: counts downloads from access logs.

mod fit;
mod import;
mod plot;
mod report;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use warehouse::{Fault, Store};

use super::{Failure, output};
use model::Diagnostic;
use project::read_snapshot;
use stats::Episodes;
use tables::open_warehouse;

/// The arguments of `stats`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  feedwright stats --last 30
  feedwright stats --from 2026-11-01 --to 2026-11-30 --by app"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    report: report::Arguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Import access logs of web servers and CDNs
    Import(import::Arguments),
}

/// Imports access logs, or reports downloads.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Some(Command::Import(own)) => import::run(root, own),
        None => report::run(root, &arguments.report),
    }
}

/// Opens the warehouse and reads the site's episodes.
fn open(root: PathBuf) -> Result<(Store, Episodes), Failure> {
    let store = open_warehouse(&root)?;
    let options = super::options(root)?;
    let episodes = Episodes::of(&read_snapshot(&options), &options.root);
    Ok((store, episodes))
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        let mut diagnostic = Diagnostic::error(fault.message);
        if let Some(place) = fault.location {
            diagnostic = diagnostic.file(place);
        }
        output::print(&[diagnostic], None);
        Self::Errors
    }
}
