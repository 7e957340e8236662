//! Outgoing webhooks. Sends messages to the webhooks in `[[webhooks]]` of `site.toml` when
//! something in the site changes, whether through an API, in the editor or in a file.
//!
//! 1. `resource` lists the resources of a snapshot: items, pages, site files, events and the
//!    channel.
//! 2. `ledger_comparer` compares these resources with the ledger in the state database, and `changes`
//!    converts differences to events.
//! 3. The new ledger and the events are stored in one transaction ([`state`]). The queue then contains
//!    a message for each webhook.
//! 4. `sender` takes due messages from the queue, `message` formats them, and `pace` schedules
//!    retries.
//!
//! Only one process at a time compares and sends. This is ensured by a file lock, which the
//! operating system releases when the process ends. `serve` compares and sends in the background:
//! the server starts and stops [`Webhooks`] like an API that handles no paths. `build` and `deploy`
//! compare and send before they end.

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

/// Maximum depth of a chain of events in which each event is caused by the previous one. Deeper
/// events are not sent.
pub const MAX_CHAIN_DEPTH: u32 = 8;
