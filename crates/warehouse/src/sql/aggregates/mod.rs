//! Translates the aggregate functions of the warehouse's SQL dialect.
//!
//! Most aggregates are translated to SQLite's built-in functions. An aggregate that needs all
//! values of a group first collects them in a JSON array, from which another function computes the
//! result. So SQLite handles DISTINCT, ORDER BY, FILTER and windows for all aggregates. The
//! `APPROX_…` functions return exact results.

mod arrays;
mod collecting;
mod moments;

use rusqlite::Connection;

use super::expression::Expression;
use crate::types::Type;

/// A call to an aggregate function.
#[derive(Debug, Clone, Copy)]
pub(super) struct AggregateCall<'a> {
    /// The function's name, in upper or lower case.
    pub name: &'a str,
    /// The arguments. Empty for `COUNT(*)`.
    pub arguments: &'a [Expression],
    /// Whether the call has DISTINCT.
    pub is_distinct: bool,
    /// An `ORDER BY …` clause in SQLite's SQL, or an empty string.
    pub order: &'a str,
    /// Maximum number of values to aggregate.
    pub limit: Option<u64>,
    /// The `IGNORE NULLS` or `RESPECT NULLS` clause.
    pub nulls: Option<Nulls>,
}

/// The treatment of NULL values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nulls {
    /// NULLs are ignored.
    Ignored,
    /// NULLs are included.
    Respected,
}

/// An aggregate in SQLite's SQL. The SQL consists of `before`, `call`, an optional `OVER` clause,
/// and `after`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aggregate {
    /// The SQL before the call.
    pub before: String,
    pub call: String,
    /// The SQL that replaces `call` if there is no `OVER` clause. `None` if `call` is not replaced.
    pub grouped: Option<String>,
    /// The SQL after the call.
    pub after: String,
    /// The type of the aggregate's result.
    pub of: Type,
    /// Whether the aggregate supports an `OVER` clause.
    pub can_be_windowed: bool,
}

impl Aggregate {
    /// Returns the SQL of the aggregate. `over` is an `OVER` clause, or empty.
    pub(super) fn sql(&self, over: &str) -> String {
        let call = match &self.grouped {
            Some(grouped) if over.is_empty() => grouped,
            _ => &self.call,
        };
        format!("{}{call}{over}{}", self.before, self.after)
    }
}

/// The names of all aggregate functions, in alphabetical order.
pub(super) const NAMES: [&str; 28] = [
    "ANY_VALUE", "APPROX_COUNT_DISTINCT", "APPROX_QUANTILES", "APPROX_TOP_COUNT", "APPROX_TOP_SUM",
    "ARRAY_AGG", "AVG", "BIT_AND", "BIT_OR", "BIT_XOR", "CORR", "COUNT", "COUNTIF", "COVAR_POP",
    "COVAR_SAMP", "LOGICAL_AND", "LOGICAL_OR", "MAX", "MAX_BY", "MIN", "MIN_BY", "PERCENTILE_CONT",
    "PERCENTILE_DISC", "STDDEV", "STRING_AGG", "SUM", "VARIANCE", "VAR_POP",
];

/// Registers on a connection the SQL functions that aggregates use.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    moments::register(connection)?;
    arrays::register(connection)
}

/// Translates a call to SQLite's SQL. Returns `None` if there is no aggregate with this name. The
/// error explains why the call is invalid.
pub(super) fn aggregate(call: &AggregateCall<'_>) -> Option<Result<Aggregate, String>> {
    let name = call.name.to_ascii_uppercase();
    let made = match name.as_str() {
        "COUNT" => count(call),
        "APPROX_COUNT_DISTINCT" => one_argument(call, &name)
            .map(|x| builtin_call(format!("count(DISTINCT {})", x.sql), Type::Integer)),
        "COUNTIF" => countif(call, &name),
        "SUM" => sum(call, &name),
        "AVG" => numeric(call, &name).map(|x| number(call, "avg", x, Type::Float)),
        "MIN" | "MAX" => min_or_max(call, &name),
        "ANY_VALUE" => {
            one_argument(call, &name).map(|x| builtin_aggregate(call, "min", x, type_or_int64(x)))
        }
        "LOGICAL_AND" => logical(call, &name, "min"),
        "LOGICAL_OR" => logical(call, &name, "max"),
        "BIT_AND" | "BIT_OR" | "BIT_XOR" => bits(call, &name),
        "STDDEV" | "STDDEV_SAMP" | "STDDEV_POP" | "VARIANCE" | "VAR_SAMP" | "VAR_POP" => {
            numeric(call, &name)
                .map(|x| registered_aggregate(call, &moments::spread(&name), &[x], Type::Float))
        }
        "CORR" | "COVAR_POP" | "COVAR_SAMP" => pair(call, &name),
        "MAX_BY" | "MIN_BY" => max_or_min_by(call, &name),
        "STRING_AGG" => collecting::string_agg(call, &name),
        "ARRAY_AGG" => collecting::array_agg(call, &name),
        "APPROX_QUANTILES" => collecting::quantiles(call, &name),
        "APPROX_TOP_COUNT" => collecting::top_count(call, &name),
        "APPROX_TOP_SUM" => collecting::top_sum(call, &name),
        "PERCENTILE_CONT" | "PERCENTILE_DISC" => collecting::percentile(call, &name),
        _ => return None,
    };
    Some(made.and_then(|made| reject_ignored_clauses(call, &name, made)))
}

/// Rejects clauses that the aggregate does not support and would silently ignore.
fn reject_ignored_clauses(
    call: &AggregateCall<'_>,
    name: &str,
    made: Aggregate,
) -> Result<Aggregate, String> {
    let takes_order = matches!(name, "ARRAY_AGG" | "STRING_AGG");
    let takes_nulls = matches!(name, "ARRAY_AGG" | "PERCENTILE_CONT" | "PERCENTILE_DISC");
    if (!call.order.is_empty() || call.limit.is_some()) && !takes_order {
        return Err(format!("{name} does not support ORDER BY or LIMIT"));
    }
    if call.nulls.is_some() && !takes_nulls {
        return Err(format!("{name} does not support IGNORE NULLS or RESPECT NULLS"));
    }
    let takes_distinct = !matches!(
        name,
        "APPROX_COUNT_DISTINCT"
            | "COUNTIF"
            | "ANY_VALUE"
            | "MAX_BY"
            | "MIN_BY"
            | "APPROX_TOP_COUNT"
            | "APPROX_TOP_SUM"
            | "LOGICAL_AND"
            | "LOGICAL_OR"
            | "CORR"
            | "COVAR_POP"
            | "COVAR_SAMP"
            | "PERCENTILE_CONT"
            | "PERCENTILE_DISC"
    );
    if call.is_distinct && !takes_distinct {
        Err(format!("{name} does not support DISTINCT"))
    } else {
        Ok(made)
    }
}

fn builtin_call(call: String, of: Type) -> Aggregate {
    Aggregate {
        before: String::new(),
        call,
        grouped: None,
        after: String::new(),
        of,
        can_be_windowed: true,
    }
}

/// Returns a call to one of SQLite's built-in aggregates with one argument.
fn builtin_aggregate(
    call: &AggregateCall<'_>,
    function: &str,
    x: &Expression,
    of: Type,
) -> Aggregate {
    builtin_call(format!("{function}({}{})", distinct(call), x.sql), of)
}

/// Returns a call to one of SQLite's built-in numeric aggregates. For FLOAT64, the result is NaN if
/// a value is NaN, or if opposite infinities are added (SQLite returns NULL).
fn number(call: &AggregateCall<'_>, function: &str, x: &Expression, of: Type) -> Aggregate {
    let builtin_aggregate = builtin_aggregate(call, function, x, of);
    if type_or_int64(x) != Type::Float {
        return builtin_aggregate;
    }
    let grouped = format!(
        "(CASE WHEN max(typeof({0}) = 'text') THEN 'NaN' ELSE coalesce({1}, CASE WHEN count({0}) > 0 THEN 'NaN' END) END)",
        x.sql, builtin_aggregate.call
    );
    // In a window, a single call is used, because SQLite takes very long to prepare several calls
    // for each window. SQLite's `max` returns NaN without help, because NaN is stored as text.
    let call = match function {
        "max" => builtin_aggregate.call,
        function => format!("{function}({}fw_number({}))", distinct(call), x.sql),
    };
    Aggregate { call, grouped: Some(grouped), ..builtin_aggregate }
}

/// Returns a call to an aggregate that this crate registers. Such aggregates do not support
/// windows.
fn registered_aggregate(
    call: &AggregateCall<'_>,
    function: &str,
    arguments: &[&Expression],
    of: Type,
) -> Aggregate {
    let arguments: Vec<&str> = arguments.iter().map(|x| x.sql.as_str()).collect();
    Aggregate {
        can_be_windowed: false,
        ..builtin_call(format!("{function}({}{})", distinct(call), arguments.join(", ")), of)
    }
}

fn distinct(call: &AggregateCall<'_>) -> &'static str {
    if call.is_distinct { "DISTINCT " } else { "" }
}

/// Returns the type of a value, or INT64 for an untyped NULL.
fn type_or_int64(x: &Expression) -> Type {
    x.of.clone().unwrap_or(Type::Integer)
}

fn no_matching_signature(call: &AggregateCall<'_>, supported: &str) -> String {
    let types: Vec<String> = call.arguments.iter().map(|x| type_or_int64(x).to_string()).collect();
    format!(
        "No matching signature for aggregate function {} for argument types: {}. Supported: {supported}",
        call.name.to_ascii_uppercase(),
        if types.is_empty() { "none".to_owned() } else { types.join(", ") },
    )
}

fn one_argument<'a>(call: &AggregateCall<'a>, name: &str) -> Result<&'a Expression, String> {
    match call.arguments {
        [x] => Ok(x),
        _ => Err(no_matching_signature(call, &format!("{name}(value)"))),
    }
}

fn argument_of_type<'a>(
    call: &AggregateCall<'a>,
    supported: &str,
    is_fit: fn(&Type) -> bool,
) -> Result<&'a Expression, String> {
    match call.arguments {
        [x] if x.of.as_ref().is_none_or(is_fit) => Ok(x),
        _ => Err(no_matching_signature(call, supported)),
    }
}

fn numeric<'a>(call: &AggregateCall<'a>, name: &str) -> Result<&'a Expression, String> {
    let supported = format!("{name}(INT64), {name}(FLOAT64)");
    argument_of_type(call, &supported, |of| matches!(of, Type::Integer | Type::Float))
}

/// Returns whether values of a type can be compared and grouped.
fn is_orderable(of: &Type) -> bool {
    !matches!(of, Type::Json | Type::Array(_) | Type::Struct(_))
}

fn count(call: &AggregateCall<'_>) -> Result<Aggregate, String> {
    match call.arguments {
        [] if !call.is_distinct => Ok(builtin_call("count(*)".into(), Type::Integer)),
        [x] if call.is_distinct && !is_orderable(&type_or_int64(x)) => Err(format!(
            "COUNT(DISTINCT …) does not support {}: convert the value with TO_JSON_STRING",
            type_or_int64(x)
        )),
        [x] => Ok(builtin_aggregate(call, "count", x, Type::Integer)),
        _ => Err(no_matching_signature(call, "COUNT(*), COUNT([DISTINCT] value)")),
    }
}

fn countif(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let x = argument_of_type(call, &format!("{name}(BOOL)"), |of| *of == Type::Boolean)?;
    Ok(builtin_call(format!("count(CASE WHEN {} THEN 1 END)", x.sql), Type::Integer))
}

fn sum(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let x = numeric(call, name)?;
    Ok(number(call, "sum", x, type_or_int64(x)))
}

fn min_or_max(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let x = argument_of_type(call, &format!("{name}(value of an orderable type)"), is_orderable)?;
    let function = name.to_ascii_lowercase();
    Ok(match type_or_int64(x) {
        Type::Float => number(call, &function, x, Type::Float),
        of => builtin_aggregate(call, &function, x, of),
    })
}

fn logical(call: &AggregateCall<'_>, name: &str, function: &str) -> Result<Aggregate, String> {
    let x = argument_of_type(call, &format!("{name}(BOOL)"), |of| *of == Type::Boolean)?;
    Ok(builtin_aggregate(call, function, x, Type::Boolean))
}

fn bits(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let x = argument_of_type(call, &format!("{name}(INT64)"), |of| *of == Type::Integer)?;
    Ok(registered_aggregate(
        call,
        &format!("fw_{}", name.to_ascii_lowercase()),
        &[x],
        Type::Integer,
    ))
}

fn pair(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let is_number = |x: &Expression| matches!(x.of, None | Some(Type::Integer | Type::Float));
    match call.arguments {
        [x, y] if is_number(x) && is_number(y) => Ok(registered_aggregate(
            call,
            &format!("fw_{}", name.to_ascii_lowercase()),
            &[x, y],
            Type::Float,
        )),
        _ => Err(no_matching_signature(call, &format!("{name}(FLOAT64, FLOAT64)"))),
    }
}

fn max_or_min_by(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    match call.arguments {
        [x, y] if is_orderable(&type_or_int64(y)) => Ok(registered_aggregate(
            call,
            &format!("fw_{}", name.to_ascii_lowercase()),
            &[x, y],
            type_or_int64(x),
        )),
        _ => {
            Err(no_matching_signature(call, &format!("{name}(value, value of an orderable type)")))
        }
    }
}
