//! Operators on FLOAT64 values, which can be NaN. SQLite does not support NaN (see
//! [`crate::float`]).

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Error};
use sqlparser::ast::BinaryOperator;

use super::expression::Expression;
use crate::float::{read, text, to_stored};
use crate::types::Type;

/// Returns whether an expression can be NaN. FLOAT64 literals and converted integers cannot be NaN.
fn may_be_nan(value: &Expression) -> bool {
    let is_number = value.sql.trim_matches(['(', ')']).parse::<f64>().is_ok();
    let was_integer = value.sql.starts_with("CAST(") && value.sql.ends_with(" AS REAL)");
    value.of == Some(Type::Float) && !is_number && !was_integer
}

/// Returns the SQL of a comparison of two values of the same type.
pub(super) fn comparison(op: &BinaryOperator, a: &Expression, b: &Expression) -> String {
    use BinaryOperator as Op;
    let ordered =
        |name: &str, a: &Expression, b: &Expression| format!("{name}({}, {})", a.sql, b.sql);
    match op {
        Op::Eq | Op::NotEq => format!("({} {op} {})", for_equality(a, &[b]), b.sql),
        // NaN is stored as text, which SQLite sorts after numbers. So SQLite's result is wrong only
        // if the side that must be greater is NaN.
        Op::Lt if may_be_nan(b) => ordered("fw_less", a, b),
        Op::LtEq if may_be_nan(b) => ordered("fw_at_most", a, b),
        Op::Gt if may_be_nan(a) => ordered("fw_less", b, a),
        Op::GtEq if may_be_nan(a) => ordered("fw_at_most", b, a),
        _ => format!("({} {op} {})", a.sql, b.sql),
    }
}

/// Returns SQL for a value that is compared with other values for equality. NaN is not equal to any
/// value, including NaN.
pub(super) fn for_equality(value: &Expression, others: &[&Expression]) -> String {
    if may_be_nan(value) && others.iter().any(|other| may_be_nan(other)) {
        format!("fw_unequal({})", value.sql)
    } else {
        value.sql.clone()
    }
}

/// Returns the SQL of `value BETWEEN low AND high`.
pub(super) fn between(value: &Expression, low: &Expression, high: &Expression) -> String {
    let sql = format!("{} BETWEEN {} AND {}", value.sql, low.sql, high.sql);
    if may_be_nan(high) {
        format!("({sql} AND fw_is_number({}))", high.sql)
    } else {
        format!("({sql})")
    }
}

/// Returns the SQL function that implements an operator on FLOAT64, or `None` if SQLite's operator
/// is correct.
pub(super) fn arithmetic(
    op: &BinaryOperator,
    a: &Expression,
    b: &Expression,
) -> Option<&'static str> {
    let name = match op {
        BinaryOperator::Plus => "fw_plus",
        BinaryOperator::Minus => "fw_minus",
        BinaryOperator::Multiply => "fw_times",
        _ => return None,
    };
    (may_be_nan(a) || may_be_nan(b)).then_some(name)
}

/// Returns the SQL of `-value`.
pub(super) fn negated(value: &Expression) -> String {
    if may_be_nan(value) {
        format!("fw_negate({})", value.sql)
    } else {
        format!("(-{})", value.sql)
    }
}

/// Returns an ORDER BY term that must precede a FLOAT64 term, so that NaN comes after NULL and
/// before all numbers. Returns `None` if the values cannot be NaN.
pub(super) fn rank(value: &Expression, nulls_are_greatest: bool) -> Option<String> {
    let null = if nulls_are_greatest { 3 } else { 0 };
    // A call to a window function is not repeated, because SQLite would take very long to prepare
    // the statement.
    let is_repeatable = !value.sql.contains(" OVER (");
    (may_be_nan(value) && is_repeatable).then(|| {
        format!(
            "(CASE typeof({}) WHEN 'null' THEN {null} WHEN 'text' THEN 1 ELSE 2 END)",
            value.sql
        )
    })
}

type Binary = fn(f64, f64) -> Value;
type Unary = fn(f64) -> Value;

/// Registers the functions of this module on a connection.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    let binary: [(&str, Binary); 5] = [
        ("fw_less", |a, b| Value::from(a < b)),
        ("fw_at_most", |a, b| Value::from(a <= b)),
        ("fw_plus", |a, b| to_stored(a + b)),
        ("fw_minus", |a, b| to_stored(a - b)),
        ("fw_times", |a, b| to_stored(a * b)),
    ];
    for (name, run) in binary {
        connection.create_scalar_function(name, 2, flags, move |context| {
            let (a, b) = (read(context.get_raw(0)), read(context.get_raw(1)));
            Ok(a.zip(b).map_or(Value::Null, |(a, b)| run(a, b)))
        })?;
    }
    let unary: [(&str, Unary); 3] = [
        ("fw_negate", |value| to_stored(-value)),
        ("fw_real", to_stored),
        ("fw_is_number", |value| Value::from(!value.is_nan())),
    ];
    for (name, run) in unary {
        connection.create_scalar_function(name, 1, flags, move |context| {
            Ok(read(context.get_raw(0)).map_or(Value::Null, run))
        })?;
    }
    connection.create_scalar_function("fw_number", 1, flags, number)?;
    connection.create_scalar_function("fw_unequal", 1, flags, unequal)?;
    connection.create_scalar_function("fw_float_element", 1, flags, element)
}

/// Returns the value, or an error for NaN, because SQLite's window aggregates would treat NaN as 0.
fn number(context: &Context<'_>) -> rusqlite::Result<Value> {
    match context.get_raw(0) {
        ValueRef::Text(_) => Err(Error::UserFunctionError(
            "NaN is not supported in SUM, AVG and MIN with OVER: filter it out in a subquery"
                .into(),
        )),
        value => Ok(value.try_into()?),
    }
}

/// Returns the value, or an empty BLOB for NaN, because no FLOAT64 is equal to a BLOB.
fn unequal(context: &Context<'_>) -> rusqlite::Result<Value> {
    Ok(match context.get_raw(0) {
        ValueRef::Text(_) => Value::Blob(Vec::new()),
        value => value.try_into()?,
    })
}

/// Returns the value as an array element. Infinities become strings, because JSON has no
/// infinities.
fn element(context: &Context<'_>) -> rusqlite::Result<Value> {
    Ok(match context.get_raw(0) {
        ValueRef::Real(value) => match text(value) {
            Some(text) => Value::Text(text.to_owned()),
            None => Value::Real(value),
        },
        value => value.try_into()?,
    })
}
