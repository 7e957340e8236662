//! `feedwright serve`: serves the site, its editor and its APIs.

use std::io::ErrorKind;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;

use super::output::{count, duration, print_warnings, say};
use super::{Failure, edit};
use server::{BindError, ServeEvent, ServeOptions, Server};
use source::config::parse_base_url;
use state::State;

/// The environment variable for the secret of a key that has every scope.
const ENVIRONMENT_KEY: &str = "FEEDWRIGHT_API_KEY";

/// The arguments of `serve`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright serve --open
  feedwright serve --drafts --future
  feedwright serve --addr 0.0.0.0:8080 --base-url http://192.168.1.20:8080")]
pub struct Arguments {
    /// Address to listen on (port 0: any free port)
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    addr: String,
    /// Base URL of links, such as behind a proxy
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Include unpublished items and pages
    #[arg(long)]
    drafts: bool,
    /// Include items and pages with a future date
    #[arg(long)]
    future: bool,
    /// Open the editor in a browser
    #[arg(long)]
    open: bool,
    /// Check files every second, for network folders and containers
    #[arg(long)]
    poll: bool,
    /// Disable writes and APIs, for a second server or read-only disk
    #[arg(long)]
    read_only: bool,
}

/// Serves the site until Ctrl+C.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let mut site = super::options(root)?;
    site.visibility.drafts = arguments.drafts;
    site.visibility.future = arguments.future;
    if let Some(url) = &arguments.base_url {
        let base_url = parse_base_url(url)
            .map_err(|help| Failure::Usage(format!("invalid --base-url {url:?}: {help}")))?;
        site.base_url = Some(base_url);
    }
    let mut state =
        if arguments.read_only { State::in_memory()? } else { State::open(&site.root)? };
    if let Some(secret) = std::env::var(ENVIRONMENT_KEY).ok().filter(|secret| !secret.is_empty()) {
        state = state
            .with_environment_key(&secret, Timestamp::now())
            .map_err(|error| Failure::Usage(format!("{ENVIRONMENT_KEY}: {error}")))?;
    }
    let apis = api::all(&site.root);
    let options = ServeOptions { site, addr: address(&arguments.addr)?, state, apis };
    run_until_stopped(serve(options, arguments))
}

pub(super) fn run_until_stopped(
    serving: impl Future<Output = Result<(), Failure>>,
) -> Result<(), Failure> {
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|error| Failure::Usage(format!("the server cannot start: {error}")))?;
    let result = runtime.block_on(serving);
    // Do not wait for responses that are still being sent.
    runtime.shutdown_background();
    result
}

async fn serve(options: ServeOptions, arguments: &Arguments) -> Result<(), Failure> {
    let addr = options.addr;
    let state = options.state.clone();
    let bound = if arguments.read_only {
        Server::bind_read_only(options).await
    } else {
        Server::bind(options).await
    };
    let mut server = bound.map_err(|error| start_failure(addr, error))?;
    if arguments.poll {
        server = server.polling();
    }
    let url = server.url();
    say!("Serving {url}/ — stop with Ctrl+C");
    if addr.ip().is_unspecified() && arguments.base_url.is_none() {
        say!(
            "links on the site point to localhost; to open them on other devices, set --base-url http://<address>"
        );
    }
    let editor = match arguments.read_only {
        true => None,
        false => {
            let (people, is_apart) = server.sign_in_url();
            if !is_apart {
                say!(
                    "the editor and the site share a host name: scripts in the site's pages can use the editor with your rights"
                );
            }
            Some(edit::link(&state, &people)?)
        }
    };
    if let Some(link) = &editor {
        say!("Edit at {link}");
        say!("The link works once, within 15 minutes; run `feedwright edit` to open a new one.");
    }
    if arguments.open {
        edit::open(editor.as_ref().unwrap_or(&url));
    }
    run_server(server).await;
    Ok(())
}

/// Runs a server until Ctrl+C, and prints its events.
pub(super) async fn run_server(server: Server) {
    server.on_event(print_event);
    let stopped = async {
        // Without signals, the process can only be ended from outside.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    server.run(Box::pin(stopped)).await;
}

/// Prints an event, on one line for each change.
fn print_event(event: ServeEvent) {
    match event {
        ServeEvent::Changed { paths, everything, took } => {
            let took = duration(took);
            match paths.as_slice() {
                [path] => say!("changed {path}: {took}"),
                [path, rest @ ..] => {
                    say!("changed {path} and {}: {took}", count(rest.len(), "other", "others"))
                }
                [] if everything => say!("reloaded the site: {took}"),
                [] => {}
            }
        }
        ServeEvent::Faults(faults) => print_warnings(&faults),
        ServeEvent::Refused(why) => say!("{why}"),
        ServeEvent::ErrorsFixed => say!("all errors are fixed"),
        ServeEvent::Polling(why) => {
            say!("{why}: checking for changes every second");
        }
    }
}

fn address(text: &str) -> Result<SocketAddr, Failure> {
    let found = text.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| {
        Failure::Usage(format!(
            "invalid --addr {text:?}: write a host and a port, such as 127.0.0.1:8080"
        ))
    })
}

pub(super) fn start_failure(addr: SocketAddr, error: BindError) -> Failure {
    Failure::Usage(match error {
        BindError::OtherServer(taken) => {
            format!("{taken}\n  help: stop that process, or serve the site with --read-only")
        }
        BindError::Site(diagnostic) => {
            say!("{diagnostic}");
            return Failure::Errors;
        }
        BindError::Io(error) => cannot_listen(addr, &error),
    })
}

/// Returns the error message for an address that the server cannot listen on. The message suggests
/// an alternative.
fn cannot_listen(addr: SocketAddr, error: &std::io::Error) -> String {
    let why = match error.kind() {
        ErrorKind::AddrInUse => format!("another program is already listening on {addr}"),
        _ => format!("cannot listen on {addr}: {error}"),
    };
    match free_port(addr) {
        Some(port) => format!("{why}; try --addr {}", SocketAddr::new(addr.ip(), port)),
        None => why,
    }
}

/// Returns an unused port, if possible one of the next 20 ports.
fn free_port(addr: SocketAddr) -> Option<u16> {
    let near = (1..=20).filter_map(|step| addr.port().checked_add(step));
    near.chain([0]).find_map(|port| {
        let listener = std::net::TcpListener::bind(SocketAddr::new(addr.ip(), port)).ok()?;
        Some(listener.local_addr().ok()?.port())
    })
}
