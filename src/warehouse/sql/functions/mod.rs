//! The functions of the warehouse's SQL: what each takes, what comes of it, and how SQLite is told.
//!
//! A function that SQLite has not, or has otherwise, is [`register`]ed on every connection that runs plans,
//! under a name that begins with `fw_`.

use rusqlite::Connection;

use super::expression::{Argument, Expression};
use crate::warehouse::types::Type;

/// A call of a scalar function, or why it cannot be. None where there is no function with this name.
/// Names are compared without regard to case; those in groups have their dot: `net.host`, `safe.ln`.
pub fn scalar(_name: &str, _arguments: &[Argument]) -> Option<Result<Expression, String>> {
    None
}

/// The value of an expression as one of another type, or why there is no such conversion. One that fails for
/// a value ends the query; a safe one gives NULL.
pub fn cast(_from: &Expression, _to: &Type, _is_safe: bool) -> Result<Expression, String> {
    Err(String::new())
}

/// Makes the functions known to a connection that runs plans.
pub fn register(_connection: &Connection) -> rusqlite::Result<()> {
    Ok(())
}
