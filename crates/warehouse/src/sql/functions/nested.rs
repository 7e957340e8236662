//! Converts values to and from the form that they have inside arrays, structs and JSON.

use std::borrow::Cow;

use rusqlite::types::{Value, ValueRef};

use super::bytes;
use super::dates::{Moment, rfc3339};
use super::json_text::Json;
use super::numbers::{float_text, parse_float};
use crate::float;
use crate::types::Type;

/// Converts a value to an element of an array.
pub(super) fn element<'a>(value: ValueRef<'a>, of: &Type) -> Result<Json<'a>, String> {
    let damaged = |_| "a STRING is not valid UTF-8".to_owned();
    Ok(match (value, of) {
        (ValueRef::Null, _) => Json::Null,
        (ValueRef::Integer(value), Type::Boolean) => Json::Bool(value != 0),
        (ValueRef::Integer(value), Type::Float) => Json::float(value as f64),
        (ValueRef::Integer(value), _) => Json::int(value),
        (ValueRef::Real(value), _) => Json::float(value),
        (ValueRef::Blob(value), _) => Json::text(bytes::base64(value)),
        (ValueRef::Text(text), of) => {
            let text = std::str::from_utf8(text).map_err(damaged)?;
            match of {
                Type::Json | Type::Array(_) | Type::Struct(_) => Json::parse(text)?,
                _ => Json::text(text),
            }
        }
    })
}

/// Converts an element of an array to a value.
pub(super) fn value(json: &Json, of: &Type) -> Result<Value, String> {
    Ok(match (json, of) {
        (json, Type::Json) if *json != Json::Null => Value::Text(json.to_string()),
        (Json::Null, _) => Value::Null,
        (Json::Bool(value), _) => Value::Integer(i64::from(*value)),
        (Json::Number(digits), Type::Float) => Value::Real(digits.parse().unwrap_or(f64::NAN)),
        (Json::Number(digits), _) => {
            let number = digits.parse().map_err(|_| format!("{digits} is not a valid {of}"))?;
            Value::Integer(number)
        }
        (Json::String(text), Type::Float) => float::to_stored(parse_float(text)?),
        (Json::String(text), Type::Bytes) => Value::Blob(bytes::from_base64(text)?),
        (Json::String(text), _) => Value::Text(text.clone().into_owned()),
        (nested @ (Json::Array(_) | Json::Object(_)), _) => Value::Text(nested.to_string()),
    })
}

/// How to write integers that floats cannot represent exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WideNumbers {
    Numbers,
    Strings,
}

/// Converts an element of an array to JSON for clients. Timestamps are written as in RFC 3339, and
/// integers that floats cannot represent exactly are written as `wide` specifies.
pub(super) fn publish<'a>(
    json: Json<'a>,
    of: &Type,
    wide: WideNumbers,
) -> Result<Json<'a>, String> {
    Ok(match (json, of) {
        (json, Type::Json) => json,
        (Json::Number(digits), Type::Timestamp) => {
            let micros =
                digits.parse().map_err(|_| format!("{digits} is not a valid TIMESTAMP"))?;
            Json::text(rfc3339(Moment::utc(micros)?))
        }
        (Json::Number(digits), Type::Float) => publish_float(digits.parse().unwrap_or(f64::NAN)),
        (Json::Number(digits), _) => {
            if wide == WideNumbers::Strings && is_wide(&digits) {
                Json::String(digits)
            } else {
                Json::Number(digits)
            }
        }
        (Json::Array(elements), Type::Array(of)) => Json::Array(
            elements
                .into_iter()
                .map(|element| publish(element, of, wide))
                .collect::<Result<_, _>>()?,
        ),
        (Json::Object(members), Type::Struct(fields)) => Json::Object(
            members
                .into_iter()
                .zip(fields)
                .map(|((name, value), field)| Ok((name, publish(value, &field.of, wide)?)))
                .collect::<Result<_, String>>()?,
        ),
        (json, _) => json,
    })
}

fn publish_float(value: f64) -> Json<'static> {
    match value.is_finite() {
        true => Json::Number(Cow::Owned(float_text(value))),
        false if value.is_nan() => Json::text("NaN"),
        false => Json::text(if value > 0.0 { "Infinity" } else { "-Infinity" }),
    }
}

/// Returns whether an integer is outside the range that floats represent exactly.
fn is_wide(digits: &str) -> bool {
    const MAX_EXACT_INTEGER: i64 = 1 << 53;
    digits
        .parse::<i64>()
        .is_ok_and(|value| !(-MAX_EXACT_INTEGER..=MAX_EXACT_INTEGER).contains(&value))
}
