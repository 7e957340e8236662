//! The aggregate functions of the warehouse's SQL.
//!
//! Most are SQLite's own. Those over the values of a group in their order gather them as a JSON array first,
//! which another function then looks at: so DISTINCT, ORDER BY, FILTER and windows are SQLite's in all of them.
//! `APPROX_…` are exact.

mod arrays;
mod gathered;
mod moments;

use rusqlite::Connection;

use super::expression::Expression;
use crate::types::Type;

/// A call of an aggregate function.
#[derive(Debug, Clone, Copy)]
pub(super) struct AggregateCall<'a> {
    /// Its name, in any case.
    pub name: &'a str,
    /// Its arguments. `COUNT(*)` has none.
    pub arguments: &'a [Expression],
    /// Whether it takes each value once.
    pub is_distinct: bool,
    /// `ORDER BY …` in SQLite's SQL, or nothing.
    pub order: &'a str,
    /// How many values it takes at most.
    pub limit: Option<u64>,
    /// `IGNORE NULLS` or `RESPECT NULLS`.
    pub nulls: Option<Nulls>,
}

/// Whether the NULLs among its values count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nulls {
    /// They are left out.
    Ignored,
    /// They count.
    Respected,
}

/// An aggregate in SQLite's SQL: `before`, `call`, then `OVER` where there is one, then `after`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aggregate {
    /// What stands before the call.
    pub before: String,
    pub call: String,
    /// The SQL in place of `call` without a window. None where it is the same.
    pub grouped: Option<String>,
    /// What stands after the call.
    pub after: String,
    /// The type of its value.
    pub of: Type,
    /// Whether it can stand over a window.
    pub can_be_windowed: bool,
}

impl Aggregate {
    /// Its SQL, with an `OVER` clause or nothing.
    pub(super) fn sql(&self, over: &str) -> String {
        let call = match &self.grouped {
            Some(grouped) if over.is_empty() => grouped,
            _ => &self.call,
        };
        format!("{}{call}{over}{}", self.before, self.after)
    }
}

/// The names of all, in the order of the alphabet.
pub(super) const NAMES: [&str; 28] = [
    "ANY_VALUE", "APPROX_COUNT_DISTINCT", "APPROX_QUANTILES", "APPROX_TOP_COUNT", "APPROX_TOP_SUM",
    "ARRAY_AGG", "AVG", "BIT_AND", "BIT_OR", "BIT_XOR", "CORR", "COUNT", "COUNTIF", "COVAR_POP",
    "COVAR_SAMP", "LOGICAL_AND", "LOGICAL_OR", "MAX", "MAX_BY", "MIN", "MIN_BY", "PERCENTILE_CONT",
    "PERCENTILE_DISC", "STDDEV", "STRING_AGG", "SUM", "VARIANCE", "VAR_POP",
];

/// Makes the functions that aggregates need known to a connection.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    moments::register(connection)?;
    arrays::register(connection)
}

/// Translates a call to SQLite's SQL, or says why it cannot be. None where no aggregate has this name.
pub(super) fn aggregate(call: &AggregateCall<'_>) -> Option<Result<Aggregate, String>> {
    let name = call.name.to_ascii_uppercase();
    let made = match name.as_str() {
        "COUNT" => count(call),
        "APPROX_COUNT_DISTINCT" => one_argument(call, &name)
            .map(|x| native(format!("count(DISTINCT {})", x.sql), Type::Integer)),
        "COUNTIF" => countif(call, &name),
        "SUM" => sum(call, &name),
        "AVG" => numeric(call, &name).map(|x| number(call, "avg", x, Type::Float)),
        "MIN" | "MAX" => extreme(call, &name),
        "ANY_VALUE" => one_argument(call, &name).map(|x| plain(call, "min", x, known_type(x))),
        "LOGICAL_AND" => logical(call, &name, "min"),
        "LOGICAL_OR" => logical(call, &name, "max"),
        "BIT_AND" | "BIT_OR" | "BIT_XOR" => bits(call, &name),
        "STDDEV" | "STDDEV_SAMP" | "STDDEV_POP" | "VARIANCE" | "VAR_SAMP" | "VAR_POP" => {
            numeric(call, &name)
                .map(|x| own_function(call, &moments::spread(&name), &[x], Type::Float))
        }
        "CORR" | "COVAR_POP" | "COVAR_SAMP" => pair(call, &name),
        "MAX_BY" | "MIN_BY" => max_or_min_by(call, &name),
        "STRING_AGG" => gathered::string_agg(call, &name),
        "ARRAY_AGG" => gathered::array_agg(call, &name),
        "APPROX_QUANTILES" => gathered::quantiles(call, &name),
        "APPROX_TOP_COUNT" => gathered::top_count(call, &name),
        "APPROX_TOP_SUM" => gathered::top_sum(call, &name),
        "PERCENTILE_CONT" | "PERCENTILE_DISC" => gathered::percentile(call, &name),
        _ => return None,
    };
    Some(made.and_then(|made| checked(call, &name, made)))
}

/// Refuses clauses that the aggregate would silently ignore.
fn checked(call: &AggregateCall<'_>, name: &str, made: Aggregate) -> Result<Aggregate, String> {
    let takes_order = matches!(name, "ARRAY_AGG" | "STRING_AGG");
    let takes_nulls = matches!(name, "ARRAY_AGG" | "PERCENTILE_CONT" | "PERCENTILE_DISC");
    if (!call.order.is_empty() || call.limit.is_some()) && !takes_order {
        return Err(format!("{name} takes no ORDER BY and no LIMIT"));
    }
    if call.nulls.is_some() && !takes_nulls {
        return Err(format!("{name} takes neither IGNORE NULLS nor RESPECT NULLS"));
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
        Err(format!("{name} takes no DISTINCT"))
    } else {
        Ok(made)
    }
}

fn native(call: String, of: Type) -> Aggregate {
    Aggregate {
        before: String::new(),
        call,
        grouped: None,
        after: String::new(),
        of,
        can_be_windowed: true,
    }
}

/// SQLite's own aggregate of one value.
fn plain(call: &AggregateCall<'_>, function: &str, x: &Expression, of: Type) -> Aggregate {
    native(format!("{function}({}{})", distinct(call), x.sql), of)
}

/// SQLite's own aggregate of numbers. It is NaN where one of FLOAT64 values is, and where opposite infinities meet,
/// which SQLite makes NULL.
fn number(call: &AggregateCall<'_>, function: &str, x: &Expression, of: Type) -> Aggregate {
    let plain = plain(call, function, x, of);
    if known_type(x) != Type::Float {
        return plain;
    }
    let grouped = format!(
        "(CASE WHEN max(typeof({0}) = 'text') THEN 'NaN' ELSE coalesce({1}, CASE WHEN count({0}) > 0 THEN 'NaN' END) END)",
        x.sql, plain.call
    );
    // SQLite takes very long to prepare several calls over each window. Its max finds NaN, a text, by itself.
    let call = match function {
        "max" => plain.call,
        function => format!("{function}({}fw_number({}))", distinct(call), x.sql),
    };
    Aggregate { call, grouped: Some(grouped), ..plain }
}

/// An aggregate function of our own, which cannot stand over a window.
fn own_function(
    call: &AggregateCall<'_>,
    function: &str,
    arguments: &[&Expression],
    of: Type,
) -> Aggregate {
    let arguments: Vec<&str> = arguments.iter().map(|x| x.sql.as_str()).collect();
    Aggregate {
        can_be_windowed: false,
        ..native(format!("{function}({}{})", distinct(call), arguments.join(", ")), of)
    }
}

fn distinct(call: &AggregateCall<'_>) -> &'static str {
    if call.is_distinct { "DISTINCT " } else { "" }
}

/// The type of a value; INT64 for a NULL without a type.
fn known_type(x: &Expression) -> Type {
    x.of.clone().unwrap_or(Type::Integer)
}

fn no_match(call: &AggregateCall<'_>, supported: &str) -> String {
    let types: Vec<String> = call.arguments.iter().map(|x| known_type(x).to_string()).collect();
    format!(
        "No matching signature for aggregate function {} for argument types: {}. Supported: {supported}",
        call.name.to_ascii_uppercase(),
        if types.is_empty() { "none".to_owned() } else { types.join(", ") },
    )
}

fn one_argument<'a>(call: &AggregateCall<'a>, name: &str) -> Result<&'a Expression, String> {
    match call.arguments {
        [x] => Ok(x),
        _ => Err(no_match(call, &format!("{name}(value)"))),
    }
}

fn of_type<'a>(
    call: &AggregateCall<'a>,
    supported: &str,
    is_fit: fn(&Type) -> bool,
) -> Result<&'a Expression, String> {
    match call.arguments {
        [x] if x.of.as_ref().is_none_or(is_fit) => Ok(x),
        _ => Err(no_match(call, supported)),
    }
}

fn numeric<'a>(call: &AggregateCall<'a>, name: &str) -> Result<&'a Expression, String> {
    let supported = format!("{name}(INT64), {name}(FLOAT64)");
    of_type(call, &supported, |of| matches!(of, Type::Integer | Type::Float))
}

/// Whether values of a type can be compared and grouped.
fn is_orderable(of: &Type) -> bool {
    !matches!(of, Type::Json | Type::Array(_) | Type::Struct(_))
}

fn count(call: &AggregateCall<'_>) -> Result<Aggregate, String> {
    match call.arguments {
        [] if !call.is_distinct => Ok(native("count(*)".into(), Type::Integer)),
        [x] if call.is_distinct && !is_orderable(&known_type(x)) => Err(format!(
            "COUNT(DISTINCT …) does not take {}: TO_JSON_STRING makes a text of it",
            known_type(x)
        )),
        [x] => Ok(plain(call, "count", x, Type::Integer)),
        _ => Err(no_match(call, "COUNT(*), COUNT([DISTINCT] value)")),
    }
}

fn countif(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let x = of_type(call, &format!("{name}(BOOL)"), |of| *of == Type::Boolean)?;
    Ok(native(format!("count(CASE WHEN {} THEN 1 END)", x.sql), Type::Integer))
}

fn sum(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let x = numeric(call, name)?;
    Ok(number(call, "sum", x, known_type(x)))
}

fn extreme(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let x = of_type(call, &format!("{name}(value of a type with an order)"), is_orderable)?;
    let function = name.to_ascii_lowercase();
    Ok(match known_type(x) {
        Type::Float => number(call, &function, x, Type::Float),
        of => plain(call, &function, x, of),
    })
}

fn logical(call: &AggregateCall<'_>, name: &str, function: &str) -> Result<Aggregate, String> {
    let x = of_type(call, &format!("{name}(BOOL)"), |of| *of == Type::Boolean)?;
    Ok(plain(call, function, x, Type::Boolean))
}

fn bits(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let x = of_type(call, &format!("{name}(INT64)"), |of| *of == Type::Integer)?;
    Ok(own_function(call, &format!("fw_{}", name.to_ascii_lowercase()), &[x], Type::Integer))
}

fn pair(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    let is_number = |x: &Expression| matches!(x.of, None | Some(Type::Integer | Type::Float));
    match call.arguments {
        [x, y] if is_number(x) && is_number(y) => Ok(own_function(
            call,
            &format!("fw_{}", name.to_ascii_lowercase()),
            &[x, y],
            Type::Float,
        )),
        _ => Err(no_match(call, &format!("{name}(FLOAT64, FLOAT64)"))),
    }
}

fn max_or_min_by(call: &AggregateCall<'_>, name: &str) -> Result<Aggregate, String> {
    match call.arguments {
        [x, y] if is_orderable(&known_type(y)) => Ok(own_function(
            call,
            &format!("fw_{}", name.to_ascii_lowercase()),
            &[x, y],
            known_type(x),
        )),
        _ => Err(no_match(call, &format!("{name}(value, value of a type with an order)"))),
    }
}
