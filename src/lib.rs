//! feedwright turns a folder of text and media into a website, a JSON Feed, an RSS feed with
//! Podcasting 2.0 tags, chapter files, Pages and Site Files.
//!
//! ```text
//! files ─source─▶ model ─site─▶ snapshot ─render─▶ documents
//!   ▲                              │                 ├─build──▶ public/
//!   └───────── edit ◀── api ◀──────┘                 └─server─▶ browser
//! ```
//!
//! 1. [`source`] reads files into the [`model`] in parallel.
//! 2. [`site`] gathers the parts into one immutable snapshot.
//! 3. [`render`] owns the route table and renders the document behind a path, with the templates of
//!    a [`theme`].
//! 4. [`project`] reads a whole site and finds what is wrong with it, for the two rooms that show it:
//!    [`builder`] renders every route and writes what changed, and `deploy` publishes it; [`server`] renders the one
//!    that was asked for.
//! 5. [`api`] holds what the server answers beside public paths, one folder an API. An API reads
//!    snapshots, and writes only through [`edit`], which changes the author's files losslessly. What
//!    changed flows back through 1 to 4.
//!
//! [`words`] holds the translations of pages, with formats of dates and numbers. [`state`] is the database with API keys,
//! sessions and the journal of writes. [`stats`] counts downloads. `webhooks` sends messages about changes. `agents`
//! serves the Model Context Protocol. [`tables`] are the site as SQL tables. [`cli`] has one file for each subcommand.
//!
//! Each is a package, a folder of `src/`, and uses only those above it on the map, `content/pages/architecture.md`. Any
//! may use the packages of `crates/`, which know nothing of sites.
//!
//! The map says what holds in each, how a save and a write go through them, how to add, test and change things.

#[cfg(feature = "serve")]
pub use {api, server, state};
pub use {builder, cli, edit, highlight, model, project, render, site, source, theme, words};
#[cfg(feature = "warehouse")]
pub use {stats, tables};

/// Runs the program.
pub fn main() -> std::process::ExitCode {
    // Written by `build.rs`, which sees the sources of all packages.
    let sources = u64::from_str_radix(env!("FEEDWRIGHT_SOURCES"), 16);
    cli::main(sources.unwrap_or_default())
}
