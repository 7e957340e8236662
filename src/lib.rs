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
//! 2. [`site`] gathers all files into one immutable snapshot.
//! 3. [`render`] owns the route table and renders the document at a path, with the templates of a
//!    [`theme`].
//! 4. [`project`] reads a whole site and finds its faults. [`builder`] renders every route and
//!    writes the documents that changed, and `deploy` publishes them. [`server`] renders only the
//!    requested document.
//! 5. [`api`] answers all requests that are not for public paths. Each API has its own folder. An
//!    API reads snapshots, and writes only through [`edit`], which changes the author's files
//!    losslessly. The changed files then pass through steps 1 to 4.
//!
//! [`words`] holds the translations of pages and the formats for dates and numbers. [`state`] is
//! the database with API keys, sessions and the journal of writes. [`stats`] counts downloads.
//! `webhooks` sends messages about changes. `agents` serves the Model Context Protocol. [`tables`]
//! exposes the site as SQL tables. [`cli`] has one file for each subcommand.
//!
//! Each of these is a package in a folder of `src/`. It uses only packages above it in the map,
//! `content/pages/architecture.md`, and any package of `crates/`. The packages of `crates/`
//! contain no code that is specific to feedwright.
//!
//! The map lists the invariants of each package. It also describes how a save and a write pass
//! through the packages, and how to add, test and change things.

#[cfg(feature = "serve")]
pub use {api, server, state};
pub use {builder, cli, edit, highlight, model, project, render, site, source, theme, words};
#[cfg(feature = "warehouse")]
pub use {stats, tables};

/// Runs the program and returns its exit code.
pub fn main() -> std::process::ExitCode {
    // `build.rs` computes this hash, because it sees the sources of all packages.
    let sources = u64::from_str_radix(env!("FEEDWRIGHT_SOURCES"), 16);
    cli::main(sources.unwrap_or_default())
}
