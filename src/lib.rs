//! feedwright turns a folder of text and media into a website, a JSON Feed, an RSS feed with
//! Podcasting 2.0 tags, chapter files, Pages and Site Files.
//!
//! ```text
//! files ──source──▶ model ──site──▶ snapshot ──render──▶ documents ──build──▶ public/
//!   ▲                                   │                     └─────server──▶ browser
//!   └────────── edit ◀── server::api ◀──┘
//! ```
//!
//! 1. [`source`] reads files into the [`model`] in parallel.
//! 2. [`site`] gathers the parts into one immutable snapshot.
//! 3. [`render`] owns the route table and renders the document behind a path,
//!    with [`mustache`](::mustache) templates from a [`theme`].
//! 4. [`project`] reads a whole site and finds what is wrong with it, for the two rooms that show it:
//!    [`build`] renders every route and writes what changed; [`server`] renders the one
//!    that was asked for.
//! 5. [`server::api`] reads snapshots, and writes only through [`edit`], which changes content files
//!    losslessly. The changed file flows back through 1 to 4. [`account`] is another API of the server,
//!    which only reads; [`hooks`] are what other services tell, written in the same way.
//! 6. [`warehouse`](::warehouse) keeps tables that programs fill, and answers SQL over them; [`tables`] puts
//!    the snapshot beside them, [`stats`] who listened. [`jobs`] is the API to it.
//!
//! [`search`](::search) finds documents by their words, and [`recurrence`](::recurrence) the times of
//! a series; [`state`] keeps keys, the journal of writes and what
//! else must outlive the program; [`cli`] holds one file a subcommand. A room uses only rooms named
//! before it: `model`, then `source`, then `site` and `theme`, then `render`,
//! `edit`, `state` and `warehouse`, then `build` and `server` (with `account`, `calendar`, `hooks` and
//! `jobs`), then `cli`;
//! the crates `mustache`, `recurrence` and `search` use none.

#![warn(missing_docs)]
// Every room is whole in every build; the generator alone does not call all of it.
#![cfg_attr(
    not(all(feature = "serve", feature = "warehouse")),
    allow(dead_code, unused_imports)
)]

#[cfg(feature = "serve")]
pub mod api;
pub mod build;
pub mod cli;
pub mod edit;
pub mod model;
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
