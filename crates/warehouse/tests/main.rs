//! Tests of the warehouse: SQL statements and functions, stored datasets, loads, exports and
//! copies.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod copy;
mod export;
mod functions;
mod load;
mod sql;
mod store;
mod support;
