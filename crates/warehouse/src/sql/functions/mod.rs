//! The scalar functions of the warehouse's SQL dialect, and their implementations in SQLite.
//!
//! Each function is declared next to its implementation, once for each list of parameters
//! (`declare`). `resolve` finds the declaration for a call. Functions that SQLite lacks or that
//! differ in SQLite are registered on every connection that runs plans ([`register`]). Their names
//! start with `fw_`. Each function is also registered with the prefix `fw_safe_`, and then returns
//! NULL instead of an error.

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

/// An entry in the documentation's list of functions. A function has an entry for each list of
/// parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionEntry {
    /// The function's group, such as `Strings`.
    pub group: &'static str,
    /// The function's name, such as `SUBSTR`.
    pub name: &'static str,
    /// The parameters and the result, such as `SUBSTR(STRING, INT64[, INT64]) -> STRING`.
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

/// Returns all functions by group. Almost every function can also be called as `SAFE.<name>`, which
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

/// Binds a call to a scalar function. The case of the name is ignored, and the name can have a
/// prefix, as in `net.host` or `safe.ln`. Returns `None` if there is no function with this name.
/// The error explains why the call is invalid.
pub fn scalar(name: &str, arguments: &[Argument]) -> Option<Result<Expression, String>> {
    let upper = name.to_ascii_uppercase();
    let (name, is_safe) = match upper.strip_prefix("SAFE.") {
        Some(name) => (name, true),
        None => (upper.as_str(), false),
    };
    let overloads = FUNCTIONS.get(name)?;
    Some(resolve::resolve(overloads, arguments, is_safe))
}

/// Casts an expression to another type. Returns an error if the types cannot be converted. When the
/// query runs, a value that cannot be converted causes an error, or NULL if `is_safe` is true.
pub fn cast(from: &Expression, to: &Type, is_safe: bool) -> Result<Expression, String> {
    cast::cast(from, to, is_safe)
}

/// Converts a string literal to another type, and returns the SQL of the converted value. Returns
/// an error if the text is invalid for this type.
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
