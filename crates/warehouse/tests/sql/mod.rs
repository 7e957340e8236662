//! Statements in the warehouse's SQL: what they come to, run in SQLite, and what is refused.

mod arrays;
mod bench;
mod hostile;
mod queries;
mod statements;
mod wrong;
