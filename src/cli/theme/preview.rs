//! `feedwright theme preview`: shows every kind of page of a theme.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;

use super::load_theme;
use crate::output::say;
use crate::{Failure, options, serve};
use server::{ServeOptions, Server, THEME_VIEWS};
use state::State;

/// The arguments of `theme preview`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  feedwright theme preview mine --open")]
pub struct Arguments {
    /// Name of the theme [default: the site's theme]
    theme: Option<String>,
    /// Local port (0: any free port)
    #[arg(long, default_value_t = 8090)]
    port: u16,
    /// Open the preview in a browser
    #[arg(long)]
    open: bool,
}

/// Shows all kinds of pages of a theme with the site's content, until Ctrl+C. Listens only on this
/// machine, and writes nothing.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let (_, name, _) = load_theme(Some(root.clone()), arguments.theme.as_deref())?;
    let mut site = options(root)?;
    site.theme = Some(name.clone());
    let options = ServeOptions {
        site,
        addr: SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port)),
        state: State::in_memory()?,
        apis: Vec::new(),
    };
    serve::run_until_stopped(async {
        let addr = options.addr;
        let bound = Server::bind_read_only(options).await;
        let server = bound.map_err(|error| serve::start_failure(addr, error))?;
        let address = format!("{}{THEME_VIEWS}", server.url());
        say!("Showing the theme {name} at {address} — stop with Ctrl+C");
        if arguments.open
            && let Err(error) = open::that_detached(&address)
        {
            say!("the browser could not be opened ({error}): open {address}");
        }
        serve::run_server(server).await;
        Ok(())
    })
}
