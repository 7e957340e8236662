//! `feedwright edit`: opens the editor in the browser.

use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;

use super::Failure;
use super::output::{answer, say};
use server::OtherServer;
use state::State;

/// The arguments of `edit`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright edit
  feedwright edit --print")]
pub struct Arguments {
    /// Print the sign-in link instead of opening a browser
    #[arg(long)]
    print: bool,
}

/// Opens the editor of a site that `feedwright serve` is serving.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let site = super::options(root)?;
    let link = running_link(&site.root)?;
    if arguments.print {
        answer(&link);
        return Ok(());
    }
    open(&link);
    Ok(())
}

/// Returns a sign-in link for the editor of the running server. The link works only once.
pub fn running_link(root: &Path) -> Result<String, Failure> {
    let Some(address) = OtherServer::of(root).and_then(|taken| taken.address) else {
        return Err(Failure::Usage(
            "this site is not being served: run `feedwright serve --open`".into(),
        ));
    };
    link(&State::open(root)?, &address)
}

/// Returns a sign-in link for the editor. The link works only once.
pub fn link(state: &State, address: &str) -> Result<String, Failure> {
    let code = state.invite(Timestamp::now())?;
    Ok(format!("{address}/_edit/#code={}", code.expose()))
}

/// Opens an address in the browser. Prints the address if no browser can be opened.
pub fn open(address: &str) {
    if let Err(error) = open::that_detached(address) {
        say!("the browser could not be opened ({error}): open {address}");
    }
}
