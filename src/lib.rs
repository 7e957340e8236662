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
//! 6. [`warehouse`] keeps tables that programs fill, and answers SQL over them and over the snapshot;
//!    [`jobs`] is the API to it.
//!
//! [`search`] finds documents by their words; [`state`] keeps keys, the journal of writes and what
//! else must outlive the program; [`cli`] holds one file a subcommand. A room uses only rooms named
//! before it: `model`, then `source`, `mustache` and `search`, then `site` and `theme`, then `render`,
//! `edit`, `state` and `warehouse`, then `project`, then `build` and `server` (with `account`, `calendar`, `hooks` and
//! `jobs`), then `cli`;
//! `mustache`, `recurrence` and `search` use none.

#![warn(missing_docs)]

pub mod account;
pub mod build;
pub mod calendar;
pub mod cli;
pub mod edit;
pub mod hooks;
pub mod jobs;
pub mod model;
pub mod project;
pub mod recurrence;
pub mod render;
pub mod search;
pub mod server;
pub mod site;
pub mod source;
pub mod state;
pub mod theme;
pub mod warehouse;
