//! Tests of SQL statements: their results in SQLite, and their errors.

mod arrays;
mod fixture;
mod random_statements;
mod queries;
mod statements;
mod errors;
