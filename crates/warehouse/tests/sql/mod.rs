//! Tests of SQL statements: their results in SQLite, and their errors.

mod arrays;
mod bench;
mod hostile;
mod queries;
mod statements;
mod wrong;
