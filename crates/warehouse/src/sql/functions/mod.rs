//! The functions of the warehouse's SQL: their parameters and results, and their SQLite
//! implementations.
//!
//! Each function is declared next to its implementation, once per list of parameters (`declare`).
//! `resolve` finds the declaration for a call. Functions that SQLite lacks, or that differ in
//! SQLite, are [`register`]ed on every connection that runs plans. Their names begin with `fw_`.
//! They are also registered with the prefix `fw_safe_`: under this name, they return NULL instead
//! of an error.

mod argument_types;
mod arrays;
mod bytes;
mod cast;
mod dates;
mod declare;
mod fingerprint;
mod json;
mod json_text;
mod math;
mod nested;
mod net;
mod numbers;
mod regexp;
mod resolve;
mod scalar_call;
mod strings;

use std::collections::HashMap;
use std::sync::LazyLock;

use rusqlite::Connection;

use self::declare::Function;
use super::expression::{Argument, Expression};
use crate::types::Type;

/// A function as the documentation lists it. There is an entry for each list of parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionEntry {
    /// The function's group: `Strings`.
    pub group: &'static str,
    /// The function's name: `SUBSTR`.
    pub name: &'static str,
    /// The parameters and the result: `SUBSTR(STRING, INT64[, INT64]) -> STRING`.
    pub signature: &'static str,
}

/// All functions, by upper-case name.
static FUNCTIONS: LazyLock<HashMap<&'static str, Vec<Function>>> = LazyLock::new(|| {
    let mut functions = HashMap::<_, Vec<_>>::new();
    for function in groups().into_iter().flat_map(|(_, functions)| functions) {
        functions.entry(function.name()).or_default().push(function);
    }
    functions
});

fn groups() -> Vec<(&'static str, Vec<Function>)> {
    vec![
        ("Dates and times", dates::functions()),
        ("Strings", strings::functions()),
        ("Bytes and hashes", bytes::functions()),
        ("Regular expressions", regexp::functions()),
        ("Mathematics", math::functions()),
        ("JSON", json::functions()),
        ("Arrays", arrays::functions()),
        ("Networks", net::functions()),
    ]
}

/// Returns all functions, grouped. Almost every function also exists as `SAFE.<name>`, which
/// returns NULL if the function fails.
pub fn names() -> Vec<FunctionEntry> {
    let listed = |group| {
        move |function: Function| FunctionEntry {
            group,
            name: function.name(),
            signature: function.signature(),
        }
    };
    groups()
        .into_iter()
        .flat_map(|(group, functions)| functions.into_iter().map(listed(group)))
        .collect()
}

/// Binds a call of a scalar function. Err says why the call is invalid. None if there is no
/// function with this name. Case is ignored. Names with a group contain a dot: `net.host`,
/// `safe.ln`.
pub fn scalar(name: &str, arguments: &[Argument]) -> Option<Result<Expression, String>> {
    let upper = name.to_ascii_uppercase();
    let (name, is_safe) = match upper.strip_prefix("SAFE.") {
        Some(name) => (name, true),
        None => (upper.as_str(), false),
    };
    let overloads = FUNCTIONS.get(name)?;
    Some(resolve::resolve(overloads, arguments, is_safe))
}

/// Casts an expression to another type. Err says why there is no such conversion. If a value cannot
/// be converted, the query fails, but a safe cast returns NULL.
pub fn cast(from: &Expression, to: &Type, is_safe: bool) -> Result<Expression, String> {
    cast::cast(from, to, is_safe)
}

/// Returns the SQL of a string literal that is used as another type. Err if its value is invalid.
pub(crate) fn literal(text: &str, to: &Type) -> Result<String, String> {
    cast::literal(text, to)
}

/// Registers the functions on a connection that runs plans.
pub fn register(connection: &Connection) -> rusqlite::Result<()> {
    cast::register(connection)?;
    FUNCTIONS.values().flatten().try_for_each(|function| function.register(connection))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn signatures_are_parsed_and_printed_unchanged() {
        for (_, functions) in groups() {
            for function in functions {
                assert_eq!(function.full_signature(), function.signature());
            }
        }
    }

    #[test]
    fn registered_function_names_are_unique() {
        let mut seen = HashSet::new();
        for function in groups().into_iter().flat_map(|(_, functions)| functions) {
            assert!(seen.insert(function.signature()), "{}", function.signature());
            if let Some(name) = function.registered_name() {
                assert!(seen.insert(Box::leak(name.into_boxed_str())), "{}", function.signature());
            }
        }
    }
}
