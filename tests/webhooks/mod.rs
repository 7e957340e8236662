//! Outgoing webhooks, and hooks of realtime applications that come in.

mod commands;
mod kept;
mod killed;
mod realtime;
pub mod sent;
