//! Outgoing webhooks. Sends a message to each of `[[webhooks]]` in `site.toml` when something in
//! the site changes, through an API, in the editor or in a file.
//!
//! 1. `resource` lists the resources of a snapshot: items, pages, site files, events and the
//!    channel.
//! 2. `ledger_comparer` compares these resources with the ledger in the state database; `changes`
//!    converts a difference to events.
//! 3. The events and the new ledger are stored in one transaction ([`state`]): each webhook has its
//!    message in the queue.
//! 4. `sender` takes due messages from the queue, `message` formats them, and `pace` schedules
//!    retries.
//!
//! Only one process at a time compares and sends. A file lock ensures this; the system releases the
//! lock when the process ends. `serve` compares and sends in the background ([`Webhooks`] is
//! started and stopped like an API, and owns no path). `build` and `deploy` compare and send before
//! they end.

mod changes;
mod client;
mod command;
mod ledger_comparer;
mod message;
mod object;
mod pace;
mod payload;
mod resource;
mod sample;
mod sender;
mod serving;
mod visibility;

pub use client::delivery_headers;
pub use command::{NotifyResult, has_secret, send_queued, tell, test};
pub use message::AdditionalData;
pub use payload::{Build, Deploy, NAVIGATION_UPDATED, schema_of};
pub use sample::sample;
pub use serving::Webhooks;

/// Maximum depth of a chain of events, each caused by the previous one. Deeper events are not sent.
pub const MAX_CHAIN_DEPTH: u32 = 8;
