//! Keys, the journal and durable writes.

mod full_disk;
mod interrupted_writes;
mod journal;
mod keys;
pub mod killed_server;
mod locked_database;
mod writes;
