//! Tests of SQL statements, their results and their errors.

mod arrays;
mod errors;
mod fixture;
mod queries;
mod random_statements;
mod statements;
