//! Keys, the journal and durable writes.

mod cut_off;
mod full_disk;
mod journal;
mod keys;
pub mod killed;
mod locked;
mod writes;
