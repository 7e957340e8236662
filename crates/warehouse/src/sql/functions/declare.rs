//! Declares functions, each with a signature as text and an implementation.

use std::fmt::Write;
use std::sync::Arc;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::Value;
use rusqlite::{Connection, Error};

use super::scalar_call::{ScalarCall, within_bounds};
use crate::float;
use crate::sql::expression::Part;
use crate::types::Type;

/// The declaration of a function with a single list of parameters. A function that supports several
/// lists has several declarations.
pub(super) struct Function {
    signature: &'static str,
    pub(super) takes: Takes,
    pub(super) gives: Pattern,
    /// The date parts that the function supports.
    pub(super) parts: &'static [Part],
    /// Checks of literal arguments before the statement runs, each with the index of its argument.
    pub(super) checks: Vec<(usize, Check)>,
    /// Whether the types of the arguments are passed to the function as an additional last
    /// argument.
    pub(super) receives_types: bool,
    body: Body,
    receives_null: bool,
    is_constant: bool,
}

/// A function that checks the text of a literal.
pub(super) type Check = fn(&str) -> Result<(), String>;

type Run = dyn Fn(&ScalarCall) -> Result<Value, String> + Send + Sync;

enum Body {
    /// An expression in SQLite's SQL, with the arguments as `$1`, `$2` and so on.
    Native(&'static str),
    Registered(Arc<Run>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Takes {
    parameters: Vec<Pattern>,
    /// Number of required parameters.
    required: usize,
    /// Whether the last parameter can be repeated any number of times.
    repeats: bool,
}

/// The values that a parameter accepts.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Pattern {
    Of(Type),
    /// A value of any type. The type is the same for every `T` in the signature.
    T,
    ArrayOfT,
    Any,
    /// A date part, such as `MONTH`. It is not a value.
    Part,
    /// An interval, such as `INTERVAL 1 DAY`. It is not a value.
    Interval,
}

/// Declares a function that has an exact equivalent in SQLite and cannot fail.
pub(super) fn native(signature: &'static str, sql: &'static str) -> Function {
    declare(signature, Body::Native(sql))
}

/// Declares a function that is registered in SQLite. If an argument is NULL, `run` is not called
/// and the result is NULL.
pub(super) fn call<T: Into<Value>>(
    signature: &'static str,
    run: impl Fn(&ScalarCall) -> Result<T, String> + Send + Sync + 'static,
) -> Function {
    let run = move |call: &ScalarCall| run(call).map(Into::into);
    declare(signature, Body::Registered(Arc::new(run)))
}

fn declare(signature: &'static str, body: Body) -> Function {
    let (taken, given) = signature.split_once(" -> ").unwrap_or((signature, ""));
    let list = taken.split_once('(').map_or("", |(_, list)| list);
    Function {
        signature,
        takes: Takes::parse(list.strip_suffix(')').unwrap_or(list)),
        gives: Pattern::parse(given),
        parts: &[],
        checks: Vec::new(),
        receives_types: false,
        body,
        receives_null: false,
        is_constant: true,
    }
}

impl Function {
    /// Makes SQLite call the function even if an argument is NULL.
    pub(super) fn receives_null(self) -> Self {
        Self { receives_null: true, ..self }
    }

    /// Passes the types of the arguments to the function.
    pub(super) fn argument_types(self) -> Self {
        Self { receives_types: true, ..self }
    }

    /// Marks the function as non-deterministic.
    pub(super) fn non_deterministic(self) -> Self {
        Self { is_constant: false, ..self }
    }

    /// Sets the date parts that the function supports.
    pub(super) fn parts(self, parts: &'static [Part]) -> Self {
        Self { parts, ..self }
    }

    /// Adds a check of the argument at index `at`. If the argument is a literal, an invalid value
    /// is reported before the statement runs.
    pub(super) fn checked(mut self, at: usize, check: Check) -> Self {
        self.checks.push((at, check));
        self
    }

    /// Returns the function's name, in upper case.
    pub(super) fn name(&self) -> &'static str {
        self.signature.split_once('(').map_or(self.signature, |(name, _)| name)
    }

    /// Returns the declared signature.
    pub(super) fn signature(&self) -> &'static str {
        self.signature
    }

    /// Returns the SQL of a call with these arguments.
    pub(super) fn sql(&self, arguments: &[String], is_safe: bool) -> String {
        match &self.body {
            Body::Native(template) => fill(template, arguments),
            Body::Registered(_) => {
                let prefix = if is_safe { "fw_safe" } else { "fw" };
                format!("{prefix}_{}({})", self.slug(), arguments.join(", "))
            }
        }
    }

    /// Registers the function on a connection.
    pub(super) fn register(&self, connection: &Connection) -> rusqlite::Result<()> {
        let Body::Registered(run) = &self.body else {
            return Ok(());
        };
        let mut flags = FunctionFlags::SQLITE_UTF8;
        if self.is_constant {
            flags |= FunctionFlags::SQLITE_DETERMINISTIC;
        }
        for (prefix, is_safe) in [("fw", false), ("fw_safe", true)] {
            let (run, receives_null) = (Arc::clone(run), self.receives_null);
            let call = move |context: &Context| {
                let arguments = ScalarCall::new(context);
                if !receives_null && arguments.has_null() {
                    return Ok(Value::Null);
                }
                to_sqlite_result(run(&arguments).and_then(within_bounds), is_safe)
            };
            let name = format!("{prefix}_{}", self.slug());
            connection.create_scalar_function(name.as_str(), -1, flags, call)?;
        }
        Ok(())
    }

    /// Returns the signature as an identifier, such as `substr_string_int64_int64_string`.
    fn slug(&self) -> String {
        let words = self.signature.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        words.join("_").to_ascii_lowercase()
    }

    #[cfg(test)]
    pub(super) fn registered_name(&self) -> Option<String> {
        matches!(self.body, Body::Registered(_)).then(|| self.slug())
    }

    #[cfg(test)]
    pub(super) fn full_signature(&self) -> String {
        format!("{}({}) -> {}", self.name(), self.takes, self.gives)
    }
}

/// Converts the outcome of a call to a result for SQLite. If `is_safe` is true, an error becomes
/// NULL.
pub(super) fn to_sqlite_result(
    outcome: Result<Value, String>,
    is_safe: bool,
) -> rusqlite::Result<Value> {
    match outcome {
        Err(_) if is_safe => Ok(Value::Null),
        Ok(Value::Real(value)) => Ok(float::to_stored(value)),
        outcome => outcome.map_err(|message| Error::UserFunctionError(message.into())),
    }
}

fn fill(template: &str, arguments: &[String]) -> String {
    let mut pieces = template.split('$');
    let mut sql = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.len() - piece.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = piece.split_at(digits);
        let argument = number.parse::<usize>().ok().and_then(|at| arguments.get(at - 1));
        sql.push_str(argument.map_or("NULL", String::as_str));
        sql.push_str(rest);
    }
    sql
}

impl Takes {
    /// Parses a list of parameters such as `STRING, INT64[, INT64]` or `STRING[, ...]`.
    fn parse(list: &str) -> Self {
        let mut takes = Self { parameters: Vec::new(), required: 0, repeats: false };
        let mut is_optional = false;
        for piece in list.split_inclusive([',', '[']) {
            let word = piece.trim_matches([',', '[', ']', ' ']);
            match word {
                "" => {}
                "..." => takes.repeats = true,
                word => {
                    takes.parameters.push(Pattern::parse(word));
                    takes.required += usize::from(!is_optional);
                }
            }
            is_optional |= piece.ends_with('[');
        }
        takes
    }

    /// Returns a parameter for each of `count` arguments, or `None` if this number of arguments is
    /// invalid.
    pub(super) fn parameters_for(&self, count: usize) -> Option<impl Iterator<Item = &Pattern>> {
        let most = if self.repeats { usize::MAX } else { self.parameters.len() };
        let fits = (self.required..=most).contains(&count);
        let last = self.parameters.last();
        fits.then(|| self.parameters.iter().chain(last.into_iter().cycle()).take(count))
    }
}

impl Pattern {
    fn parse(word: &str) -> Self {
        match word {
            "T" => Self::T,
            "ARRAY<T>" => Self::ArrayOfT,
            "PART" => Self::Part,
            "INTERVAL" => Self::Interval,
            word => {
                let element = word.strip_prefix("ARRAY<").and_then(|rest| rest.strip_suffix('>'));
                let of = match element {
                    Some(element) => Type::parse(element).map(|of| Type::Array(Box::new(of))),
                    None => Type::parse(word),
                };
                of.map_or(Self::Any, Self::Of)
            }
        }
    }
}

impl std::fmt::Display for Takes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut is_open = false;
        for (at, parameter) in self.parameters.iter().enumerate() {
            if at >= self.required && !is_open {
                is_open = true;
                f.write_char('[')?;
            }
            let separator = if at == 0 { "" } else { ", " };
            write!(f, "{separator}{parameter}")?;
        }
        if self.repeats {
            f.write_str(if is_open { ", ..." } else { "[, ..." })?;
        }
        f.write_str(if is_open || self.repeats { "]" } else { "" })
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Of(of) => of.fmt(f),
            Self::T => f.write_str("T"),
            Self::ArrayOfT => f.write_str("ARRAY<T>"),
            Self::Any => f.write_str("ANY"),
            Self::Part => f.write_str("PART"),
            Self::Interval => f.write_str("INTERVAL"),
        }
    }
}
