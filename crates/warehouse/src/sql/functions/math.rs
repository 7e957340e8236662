//! SQL functions for numbers: arithmetic, rounding, logarithms and trigonometry.

use std::cmp::Ordering;

use rusqlite::types::Value;

use super::declare::{Function, call, native};
use super::scalar_call::ScalarCall;

pub(super) fn functions() -> Vec<Function> {
    let mut functions = vec![
        call("ABS(INT64) -> INT64", |c| c.int(0)?.checked_abs().ok_or_else(|| overflow("ABS"))),
        call("ABS(FLOAT64) -> FLOAT64", |c| Ok(c.float(0)?.abs())),
        call("SIGN(INT64) -> INT64", |c| Ok(c.int(0)?.signum())),
        call("SIGN(FLOAT64) -> FLOAT64", |c| Ok(sign(c.float(0)?))),
        call("ROUND(FLOAT64[, INT64]) -> FLOAT64", |c| at_digit(c, f64::round)),
        call("TRUNC(FLOAT64[, INT64]) -> FLOAT64", |c| at_digit(c, f64::trunc)),
        call("MOD(INT64, INT64) -> INT64", |c| {
            let (value, by) = divisor(c, "MOD")?;
            Ok(value.wrapping_rem(by))
        }),
        call("DIV(INT64, INT64) -> INT64", |c| {
            let (value, by) = divisor(c, "DIV")?;
            value.checked_div(by).ok_or_else(|| overflow("DIV"))
        }),
        call("LOG(FLOAT64[, FLOAT64]) -> FLOAT64", |c| {
            let value = positive(c.float(0)?, "LOG")?.ln();
            match c.has(1) {
                true if c.float(1)? == 1.0 => Err(floating_point("LOG")),
                true => Ok(value / positive(c.float(1)?, "LOG")?.ln()),
                false => Ok(value),
            }
        }),
        call("ATAN2(FLOAT64, FLOAT64) -> FLOAT64", |c| Ok(c.float(0)?.atan2(c.float(1)?))),
        call("POW(FLOAT64, FLOAT64) -> FLOAT64", pow),
        call("POWER(FLOAT64, FLOAT64) -> FLOAT64", pow),
        call("GREATEST(T[, ...]) -> T", |c| extreme(c, Ordering::Greater)),
        call("LEAST(T[, ...]) -> T", |c| extreme(c, Ordering::Less)),
        call("SAFE_DIVIDE(FLOAT64, FLOAT64) -> FLOAT64", |c| {
            let (value, by) = (c.float(0)?, c.float(1)?);
            let quotient = value / by;
            let is_beyond = quotient.is_infinite() && value.is_finite();
            Ok((by != 0.0 && !is_beyond).then_some(quotient))
        }),
        call("IEEE_DIVIDE(FLOAT64, FLOAT64) -> FLOAT64", |c| Ok(c.float(0)? / c.float(1)?)),
        call("SAFE_ADD(INT64, INT64) -> INT64", |c| Ok(c.int(0)?.checked_add(c.int(1)?))),
        call("SAFE_ADD(FLOAT64, FLOAT64) -> FLOAT64", |c| safe(c, c.float(0)? + c.float(1)?)),
        call("SAFE_SUBTRACT(INT64, INT64) -> INT64", |c| Ok(c.int(0)?.checked_sub(c.int(1)?))),
        call("SAFE_SUBTRACT(FLOAT64, FLOAT64) -> FLOAT64", |c| safe(c, c.float(0)? - c.float(1)?)),
        call("SAFE_MULTIPLY(INT64, INT64) -> INT64", |c| Ok(c.int(0)?.checked_mul(c.int(1)?))),
        call("SAFE_MULTIPLY(FLOAT64, FLOAT64) -> FLOAT64", |c| safe(c, c.float(0)? * c.float(1)?)),
        call("SAFE_NEGATE(INT64) -> INT64", |c| Ok(c.int(0)?.checked_neg())),
        call("SAFE_NEGATE(FLOAT64) -> FLOAT64", |c| Ok(-c.float(0)?)),
        call("IS_NAN(FLOAT64) -> BOOL", |c| Ok(c.float(0)?.is_nan())),
        call("IS_INF(FLOAT64) -> BOOL", |c| Ok(c.float(0)?.is_infinite())),
        native("RAND() -> FLOAT64", "((random() & 9007199254740991) / 9007199254740992.0)"),
        call("BIT_COUNT(INT64) -> INT64", |c| Ok(i64::from(c.int(0)?.count_ones()))),
        call("BIT_COUNT(BYTES) -> INT64", |c| {
            Ok(c.bytes(0)?.iter().map(|byte| i64::from(byte.count_ones())).sum::<i64>())
        }),
    ];
    functions.extend(float_functions());
    functions
}

type FloatFunction = fn(f64) -> f64;

/// Declares the functions with a single FLOAT64 argument. They fail if the result is NaN or
/// infinite, unless the argument is NaN or infinite too.
fn float_functions() -> impl Iterator<Item = Function> {
    let plain: [(&'static str, FloatFunction); 22] = [
        ("CEIL(FLOAT64) -> FLOAT64", f64::ceil),
        ("CEILING(FLOAT64) -> FLOAT64", f64::ceil),
        ("FLOOR(FLOAT64) -> FLOAT64", f64::floor),
        ("SQRT(FLOAT64) -> FLOAT64", f64::sqrt),
        ("CBRT(FLOAT64) -> FLOAT64", f64::cbrt),
        ("EXP(FLOAT64) -> FLOAT64", f64::exp),
        ("LN(FLOAT64) -> FLOAT64", |value| if value == 0.0 { f64::NAN } else { value.ln() }),
        ("LOG10(FLOAT64) -> FLOAT64", |value| if value == 0.0 { f64::NAN } else { value.log10() }),
        ("SIN(FLOAT64) -> FLOAT64", f64::sin),
        ("COS(FLOAT64) -> FLOAT64", f64::cos),
        ("TAN(FLOAT64) -> FLOAT64", f64::tan),
        ("ASIN(FLOAT64) -> FLOAT64", f64::asin),
        ("ACOS(FLOAT64) -> FLOAT64", f64::acos),
        ("ATAN(FLOAT64) -> FLOAT64", f64::atan),
        ("SINH(FLOAT64) -> FLOAT64", f64::sinh),
        ("COSH(FLOAT64) -> FLOAT64", f64::cosh),
        ("TANH(FLOAT64) -> FLOAT64", f64::tanh),
        ("ASINH(FLOAT64) -> FLOAT64", f64::asinh),
        ("ACOSH(FLOAT64) -> FLOAT64", f64::acosh),
        ("ATANH(FLOAT64) -> FLOAT64", f64::atanh),
        ("RADIANS(FLOAT64) -> FLOAT64", f64::to_radians),
        ("DEGREES(FLOAT64) -> FLOAT64", f64::to_degrees),
    ];
    plain.into_iter().map(|(signature, function)| {
        call(signature, move |c| {
            let value = c.float(0)?;
            let result = function(value);
            let name = signature.split('(').next().unwrap_or_default();
            if (result.is_nan() && !value.is_nan()) || (result.is_infinite() && value.is_finite()) {
                Err(floating_point(name))
            } else {
                Ok(result)
            }
        })
    })
}

fn overflow(name: &str) -> String {
    format!("int64 overflow in {name}")
}

fn floating_point(name: &str) -> String {
    format!("Floating point error in function: {name}")
}

fn sign(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

fn positive(value: f64, name: &str) -> Result<f64, String> {
    if value > 0.0 || value.is_nan() { Ok(value) } else { Err(floating_point(name)) }
}

fn divisor(call: &ScalarCall, name: &str) -> Result<(i64, i64), String> {
    match (call.int(0)?, call.int(1)?) {
        (value, 0) => Err(format!("division by zero: {name}({value}, 0)")),
        pair => Ok(pair),
    }
}

fn pow(call: &ScalarCall) -> Result<f64, String> {
    let (base, exponent) = (call.float(0)?, call.float(1)?);
    let power = base.powf(exponent);
    let is_beyond = power.is_infinite() && base.is_finite() && exponent.is_finite();
    let is_undefined = power.is_nan() && !base.is_nan() && !exponent.is_nan();
    if is_undefined || is_beyond { Err(floating_point("POW")) } else { Ok(power) }
}

fn safe(call: &ScalarCall, result: f64) -> Result<Option<f64>, String> {
    let is_beyond =
        result.is_infinite() && call.float(0)?.is_finite() && call.float(1)?.is_finite();
    Ok((!is_beyond).then_some(result))
}

/// Rounds the first argument with `round`, to the number of decimals in the second argument.
fn at_digit(call: &ScalarCall, round: fn(f64) -> f64) -> Result<f64, String> {
    let value = call.float(0)?;
    let digits = if call.has(1) { call.int(1)? } else { 0 };
    if digits == 0 || !value.is_finite() || value == 0.0 {
        return Ok(round(value));
    }
    // Beyond these limits, rounding does not change the value, or the result is 0.
    let digits = match digits {
        310.. => return Ok(value),
        ..-310 => return Ok(0.0),
        digits => digits as i32,
    };
    let scale = 10_f64.powi(digits.abs());
    let scaled = if digits > 0 { value * scale } else { value / scale };
    if !scaled.is_finite() || (digits > 0 && scaled.abs() >= 4_503_599_627_370_496.0) {
        return Ok(value);
    }
    let rounded = round(scaled);
    let result = if digits > 0 { rounded / scale } else { rounded * scale };
    if result.is_finite() { Ok(result) } else { Err(floating_point("ROUND")) }
}

/// Compares two values of the same type.
pub(super) fn compare(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Integer(one), Value::Integer(other)) => one.cmp(other),
        (Value::Real(one), Value::Real(other)) => one.partial_cmp(other).unwrap_or(Ordering::Equal),
        (Value::Integer(one), Value::Real(other)) => {
            (*one as f64).partial_cmp(other).unwrap_or(Ordering::Equal)
        }
        (Value::Real(one), Value::Integer(other)) => {
            one.partial_cmp(&(*other as f64)).unwrap_or(Ordering::Equal)
        }
        (Value::Text(one), Value::Text(other)) => one.cmp(other),
        (Value::Blob(one), Value::Blob(other)) => one.cmp(other),
        _ => Ordering::Equal,
    }
}

fn extreme(call: &ScalarCall, wanted: Ordering) -> Result<Value, String> {
    let mut best = Value::Null;
    for at in 0..call.len() {
        let value = Value::try_from(call.raw(at)).map_err(|error| error.to_string())?;
        // NaN, which is stored as text, is the result of GREATEST and LEAST if any value is NaN.
        match (&value, &best) {
            (Value::Text(_), Value::Real(_) | Value::Integer(_)) => return Ok(value),
            (Value::Real(_) | Value::Integer(_), Value::Text(_)) => return Ok(best),
            _ => {}
        }
        if at == 0 || compare(&value, &best) == wanted {
            best = value;
        }
    }
    Ok(best)
}
