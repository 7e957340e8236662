//! Outgoing webhooks, and hooks of realtime applications that come in.

mod commands;
pub mod deliveries;
mod killed_server;
mod message_queue;
mod realtime;
