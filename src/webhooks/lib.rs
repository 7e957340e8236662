//! Outgoing webhooks: sends a message to each of `[[webhooks]]` in `site.toml` when something of the site changes, by an
//! API, in the editor or in a file.
//!
//! 1. `resource` sees what a snapshot holds: items, Pages, Site Files, events and the channel.
//! 2. `keeper` compares that with the ledger in the state; `changes` says which events a difference is.
//! 3. The events and the new ledger are one transaction ([`state`]): each webhook has its message in the queue.
//! 4. `sender` takes from the queue what is due, `message` writes and signs it, `pace` says when to try again.
//!
//! One process at a time compares and sends, by a lock that ends with it. `serve` does so in the background
//! ([`Webhooks`] is started and stopped as an API is, and owns no path), `build` and `deploy` before they end.

mod changes;
mod client;
mod command;
mod keeper;
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
pub use command::{Told, has_secret, send_queued, tell, test};
pub use message::AdditionalData;
pub use payload::{Build, Deploy, NAVIGATION_UPDATED, schema_of};
pub use sample::sample;
pub use serving::Webhooks;

/// An event that more events than this led to is not sent: each was caused by the one before.
pub const DEEPEST: u32 = 8;
