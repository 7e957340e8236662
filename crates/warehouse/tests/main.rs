//! The warehouse: statements and their functions, datasets as files, loads, exports and copies.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod copy;
mod export;
mod functions;
mod load;
mod sql;
mod store;
mod support;
