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
//!    [`builder`] renders every route and writes what changed, and [`deploy`] publishes it; [`server`] renders the one
//!    that was asked for.
//! 5. [`api`] holds what the server answers beside public paths, one folder an API. An API reads
//!    snapshots, and writes only through [`edit`], which changes the author's files losslessly. What
//!    changed flows back through 1 to 4.
//!
//! [`words`] holds the translations of pages, with formats of dates and numbers. [`state`] is the database with API keys,
//! sessions and the journal of writes. [`stats`] counts downloads. `webhooks` sends messages about changes. `agents`
//! serves the Model Context Protocol. [`tables`] are the site as SQL tables. [`cli`] has one file for each subcommand.
//!
//! A room uses only rooms before it, in the order of `tests/architecture/house.rs`, which the architecture test keeps.
//! Any room may use the crates, which know nothing of sites:
//! [`mustache`], [`recurrence`], [`search`], [`transcripts`], [`front_matter`], [`media_facts`] and [`warehouse`].
//!
//! `content/pages/architecture.md` is the whole map: what holds in each room, how a save and a write go
//! through them, how to add, test and change things.

// Pages of rooms lead to what is in them, for `cargo doc --document-private-items`.
#![allow(rustdoc::private_intra_doc_links)]
// A room exports its items in every build, also where no other room imports them.
#![cfg_attr(
    not(all(feature = "deploy", feature = "import", feature = "mcp", feature = "warehouse")),
    allow(unused_imports)
)]

#[cfg(feature = "mcp")]
mod agents;
#[cfg(feature = "serve")]
pub mod api;
pub mod builder;
pub mod cli;
#[cfg(feature = "deploy")]
mod deploy;
pub mod edit;
pub mod highlight;
#[cfg(feature = "import")]
pub(crate) mod import;
pub(crate) mod local;
pub mod model;
pub(crate) mod programs;
pub mod project;
pub mod render;
#[cfg(feature = "serve")]
pub mod server;
pub mod site;
pub mod source;
#[cfg(feature = "serve")]
pub mod state;
#[cfg(feature = "warehouse")]
pub mod stats;
#[cfg(feature = "warehouse")]
pub mod tables;
pub mod theme;
#[cfg(all(feature = "serve", feature = "network"))]
mod webhooks;
pub mod words;
