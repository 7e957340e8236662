//! The functions of the warehouse's SQL: their arguments and results, and how SQLite runs them.
//!
//! A function is declared beside its implementation, once for each list of arguments it takes (`declare`);
//! `resolve` finds the declaration that a call means. A function that SQLite lacks, or has with another
//! meaning, is [`register`]ed on every connection that runs plans, under a name that begins with `fw_`, and a
//! second time under one that begins with `fw_safe_`, where an error is NULL.

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
mod told_types;

use std::collections::HashMap;
use std::sync::LazyLock;

use rusqlite::Connection;

use self::declare::Function;
use super::expression::{Argument, Expression};
use crate::types::Type;

/// A function, as documentation lists it: one for each list of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// What it is about: `Strings`.
    pub group: &'static str,
    /// Its name: `SUBSTR`.
    pub name: &'static str,
    /// What it takes and gives: `SUBSTR(STRING, INT64[, INT64]) -> STRING`.
    pub signature: &'static str,
}

/// Every function, by its name in upper case.
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

/// Every function there is, in the order of groups. All but a few have a twin `SAFE.<name>`, which gives
/// NULL where the function fails for its values.
pub fn names() -> Vec<Listed> {
    let listed = |group| {
        move |function: Function| Listed {
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

/// A call of a scalar function, or why it cannot be. None where there is no function with this name.
/// Names are compared without regard to case; those in groups have their dot: `net.host`, `safe.ln`.
pub fn scalar(name: &str, arguments: &[Argument]) -> Option<Result<Expression, String>> {
    let upper = name.to_ascii_uppercase();
    let (name, is_safe) = match upper.strip_prefix("SAFE.") {
        Some(name) => (name, true),
        None => (upper.as_str(), false),
    };
    let overloads = FUNCTIONS.get(name)?;
    Some(resolve::resolve(overloads, arguments, is_safe))
}

/// The value of an expression as one of another type, or why there is no such conversion. One that fails for
/// a value ends the query; a safe one gives NULL.
pub fn cast(from: &Expression, to: &Type, is_safe: bool) -> Result<Expression, String> {
    cast::cast(from, to, is_safe)
}

/// The SQL of a string literal where a value of another type is wanted, or why it is none.
pub(crate) fn literal(text: &str, to: &Type) -> Result<String, String> {
    cast::literal(text, to)
}

/// Makes the functions known to a connection that runs plans.
pub fn register(connection: &Connection) -> rusqlite::Result<()> {
    cast::register(connection)?;
    FUNCTIONS.values().flatten().try_for_each(|function| function.register(connection))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn signatures_are_read_as_they_are_written() {
        for (_, functions) in groups() {
            for function in functions {
                assert_eq!(function.spelled(), function.signature());
            }
        }
    }

    #[test]
    fn each_registered_function_has_a_name_of_its_own() {
        let mut seen = HashSet::new();
        for function in groups().into_iter().flat_map(|(_, functions)| functions) {
            assert!(seen.insert(function.signature()), "{}", function.signature());
            if let Some(name) = function.registered_name() {
                assert!(seen.insert(Box::leak(name.into_boxed_str())), "{}", function.signature());
            }
        }
    }
}
