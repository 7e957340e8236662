//! The command line. Each subcommand is one file, and a thin layer over the library.
//!
//! Messages for people go to standard error, and results for scripts go to standard output.

// All output goes through `output`, which escapes terminal control characters.
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod build;
mod check;
mod colours;
mod completions;
#[cfg(feature = "deploy")]
mod deploy;
#[cfg(feature = "serve")]
mod edit;
#[cfg(feature = "import")]
mod fetch;
#[cfg(feature = "import")]
mod import;
mod init;
#[cfg(feature = "serve")]
mod keys;
#[cfg(feature = "serve")]
mod log;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod new;
mod output;
mod render;
mod schema;
#[cfg(feature = "serve")]
mod search;
#[cfg(feature = "serve")]
mod serve;
mod shows;
#[cfg(feature = "warehouse")]
mod stats;
mod table;
mod theme;
mod transcribe;
#[cfg(feature = "warehouse")]
mod warehouse;
#[cfg(feature = "serve")]
mod webhooks;
#[cfg(feature = "serve")]
mod when;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use model::SitePath;
use output::say;
use project::Options;

/// Build a website and podcast feed from a folder of files
// Help texts have at most 12 words, and each command shows examples; a test checks this. Longer
// explanations belong on the page `content/pages/command-line.md`.
#[derive(Debug, Parser)]
#[command(name = "feedwright", version, disable_help_subcommand = true)]
#[command(after_help = r#"Examples:
  feedwright init walks
  feedwright new item "Harbour walk" --site walks
  feedwright build --site walks"#)]
struct Arguments {
    /// Site folder [default: this or the nearest parent with site.toml]
    // The options of a command are listed before the global ones.
    #[arg(long, global = true, value_name = "DIR", display_order = 900)]
    site: Option<PathBuf>,
    /// Colour messages: auto (on a terminal), always or never
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "MODE",
        default_value_t,
        hide_possible_values = true,
        display_order = 901
    )]
    color: colours::Colour,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a new site in a folder
    Init(init::Arguments),
    #[cfg(feature = "import")]
    /// Import a show or blog from a feed, service or folder
    Import(import::Arguments),
    #[cfg(feature = "import")]
    /// Fetch feeds from elsewhere for the planet
    Fetch(fetch::Arguments),
    /// Build the site into the output folder
    Build(build::Arguments),
    #[cfg(feature = "serve")]
    /// Search items and pages, including drafts
    Search(search::Arguments),
    #[cfg(feature = "serve")]
    /// Serve a live preview, the editor and the APIs
    Serve(serve::Arguments),
    #[cfg(feature = "serve")]
    /// Open the editor of the running server in a browser
    Edit(edit::Arguments),
    #[cfg(feature = "mcp")]
    /// Serve tools for drafting to an AI assistant (Model Context Protocol)
    Mcp(mcp::Arguments),
    /// Create an item, page or event
    New(new::Arguments),
    /// Create draft transcripts with an installed program
    Transcribe(transcribe::Arguments),
    /// Check the site for errors and warnings
    Check(check::Arguments),
    #[cfg(feature = "deploy")]
    /// Build the site and publish it
    Deploy(deploy::Arguments),
    /// Render a template with JSON data
    Render(render::Arguments),
    /// Create, preview and test themes
    Theme(theme::Arguments),
    #[cfg(feature = "serve")]
    /// Manage API keys
    Keys(keys::Arguments),
    #[cfg(feature = "warehouse")]
    /// Send tables of the warehouse to another service
    Warehouse(warehouse::Arguments),
    #[cfg(feature = "serve")]
    /// Print the journal of API, editor, hook and agent activity
    Log(log::Arguments),
    #[cfg(feature = "serve")]
    /// List, test and retry webhook messages
    Webhooks(webhooks::Arguments),
    #[cfg(feature = "warehouse")]
    /// Count episode downloads in imported access logs
    Stats(stats::Arguments),
    /// Print JSON Schemas for site.toml and front matter
    Schema(schema::Arguments),
    /// Print shell completions
    Completions(completions::Arguments),
    /// Print or write manual pages
    Man(man::Arguments),
}

/// Returns the program's clap command with all subcommands, for manual pages, shell completions and
/// tests.
#[must_use]
pub fn command() -> clap::Command {
    Arguments::command()
}

/// The reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The input has errors, which were already reported: exit code 1.
    Errors,
    /// The command line is invalid: exit code 2, with this message.
    Usage(String),
}

impl Failure {
    fn cannot_write(path: &Path, error: &std::io::Error) -> Self {
        Self::Usage(format!("{} cannot be written: {error}", path.display()))
    }
}

/// Runs the program. `sources` is a hash of its source code. The exit code is 0 for success, 1 if
/// the site has errors, and 2 for an invalid command line.
pub fn main(sources: u64) -> ExitCode {
    model::set_sources_hash(sources);
    let arguments = Arguments::parse();
    colours::choose(arguments.color);
    let site = arguments.site;
    let result = match arguments.command {
        Command::Init(own) => init::run(site, &own),
        #[cfg(feature = "import")]
        Command::Import(own) => import::run(site, &own),
        #[cfg(feature = "import")]
        Command::Fetch(own) => find_site(site).and_then(|root| fetch::run(root, &own)),
        Command::Build(own) => find_site(site).and_then(|root| build::run(root, &own)),
        #[cfg(feature = "serve")]
        Command::Search(own) => find_site(site).and_then(|root| search::run(root, &own)),
        #[cfg(feature = "serve")]
        Command::Serve(own) => find_site(site).and_then(|root| serve::run(root, &own)),
        #[cfg(feature = "serve")]
        Command::Edit(own) => find_site(site).and_then(|root| edit::run(root, &own)),
        #[cfg(feature = "mcp")]
        Command::Mcp(own) => {
            find_site(site).and_then(recover_writes).and_then(|root| mcp::run(root, &own))
        }
        Command::New(own) => {
            find_site(site).and_then(recover_writes).and_then(|root| new::run(&root, &own))
        }
        Command::Transcribe(own) => {
            find_site(site).and_then(recover_writes).and_then(|root| transcribe::run(&root, &own))
        }
        Command::Check(own) => match &own.explain {
            Some(file) if file.contains(['/', '.']) => {
                find_site(site).and_then(|root| check::explain_values(root, file, own.is_json()))
            }
            Some(rule) => check::explain(rule),
            None => find_site(site).and_then(|root| check::run(root, &own)),
        },
        #[cfg(feature = "deploy")]
        Command::Deploy(own) => find_site(site).and_then(|root| deploy::run(root, &own)),
        Command::Render(own) => render::run(&own),
        Command::Theme(own) => theme::run(site, &own),
        #[cfg(feature = "serve")]
        Command::Keys(own) => find_site(site).and_then(|root| keys::run(&root, &own)),
        #[cfg(feature = "warehouse")]
        Command::Warehouse(own) => find_site(site).and_then(|root| warehouse::run(root, &own)),
        #[cfg(feature = "serve")]
        Command::Log(own) => find_site(site).and_then(|root| log::run(&root, &own)),
        #[cfg(feature = "serve")]
        Command::Webhooks(own) => find_site(site).and_then(|root| webhooks::run(&root, &own)),
        #[cfg(feature = "warehouse")]
        Command::Stats(own) => find_site(site).and_then(|root| stats::run(root, &own)),
        Command::Schema(own) => schema::run(site, &own),
        Command::Completions(own) => completions::run(&own),
        Command::Man(own) => man::run(&own),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Errors) => ExitCode::from(1),
        Err(Failure::Usage(message)) => {
            say!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Returns the options of a command. `SOURCE_DATE_EPOCH`, if set, replaces the current time.
fn options(root: PathBuf) -> Result<Options, Failure> {
    local::restrict_to_owner(&root);
    Options::of_environment(root).map_err(Failure::Usage)
}

/// Returns the path in the site of an existing file. `name` is relative to the current folder or to
/// the site.
fn site_path(root: &Path, name: &Path) -> Option<SitePath> {
    let here = name.canonicalize().ok();
    let below = here.and_then(|path| SitePath::below(&root.canonicalize().ok()?, &path));
    let path = below.or_else(|| SitePath::parse(name.to_str()?));
    path.filter(|path| path.on_disk(root).is_file())
}

/// Completes interrupted writes to the site's files. Returns the same root.
fn recover_writes(root: PathBuf) -> Result<PathBuf, Failure> {
    match project::recover(&root) {
        Ok(()) => Ok(root),
        Err(error) => Err(output::fail(error.into(), false)),
    }
}

/// Returns the site's root: the folder `named`, or else the nearest parent folder with a
/// `site.toml`.
fn find_site(named: Option<PathBuf>) -> Result<PathBuf, Failure> {
    if let Some(folder) = named {
        return if folder.join("site.toml").is_file() {
            Ok(folder)
        } else {
            Err(Failure::Usage(format!(
                "{} has no site.toml; run `feedwright init` to create a site",
                folder.display()
            )))
        };
    }
    let here = std::env::current_dir()
        .map_err(|error| Failure::Usage(format!("the current folder cannot be read: {error}")))?;
    here.ancestors()
        .find(|folder| folder.join("site.toml").is_file())
        .map(PathBuf::from)
        .ok_or_else(|| {
            Failure::Usage(
                "site.toml not found in this folder or its parent folders; run `feedwright init` to create a site"
                    .into(),
            )
        })
}
