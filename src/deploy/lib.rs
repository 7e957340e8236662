//! Publishing: copies the output of a build to its destination, and sends as little as possible.
//! [`run()`] in `order.rs` defines the order of the steps. The caller only has to notify the site's
//! own webhooks.
//!
//! ```text
//! local (files here) ───┐
//! place (files there) ──├─plan─▶ steps ─run─▶ place
//! record (past deploys) ┘
//! ```
//!
//! 1. [`local`] lists the files of the output folder with their hashes and HTTP header fields.
//! 2. A [`Target`] lists the files at the destination. Each kind of destination has a file in
//!    [`destinations`].
//! 3. The [`Record`] of earlier deploys is stored at the destination too, so that any machine can
//!    continue. An entry of the record is used only if the listing confirms it.
//! 4. [`plan`] performs no I/O. From these three inputs, it computes which files to upload and which
//!    to delete.
//! 5. [`run`](mod@run) executes the plan: it uploads media first, then assets, then pages, and last
//!    the files that link to pages. It deletes removed files when readers no longer need them.
//!
//! A [`host`] with its own API publishes a whole site at once, without these steps. A [`Place`] is
//! either kind of destination.
//!
//! After that, [`notify`] sends notices to the services in the site's configuration.
//!
//! A deploy can be interrupted at any time. Even then, each published file is complete: either the
//! former or the new version. No published file refers to a file that is not published yet. The
//! next deploy completes the remaining steps.

mod destinations;
mod fault;
mod foreign_files;
mod host;
mod local;
pub mod notify;
mod order;
mod part;
mod place;
mod plan;
mod record;
mod run;
#[cfg(test)]
mod simulated;
pub mod stored;

#[cfg(test)]
use destinations::ProgressCallback;
pub use destinations::{RemoteFile, Target};
pub use fault::Fault;
pub use local::{LocalFile, Stage, local_files, without_copies};
pub use order::{Listener, Request, State, Stopped, run};
pub use part::{Part, Published};
pub use place::Place;
pub use plan::{Plan, Put, Stored, Terms};
pub use record::{Entry, RECORD, Record};
pub use run::Deployed;
