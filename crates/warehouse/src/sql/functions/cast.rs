//! Casts values from one type to another.

use std::borrow::Cow;

use jiff::civil::Time;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::{Value, ValueRef};

use super::argument_types::{read_types, write_types};
use super::dates::{
    Moment, Zone, canonical_date, canonical_datetime, canonical_time, read_date, read_datetime,
    read_local, read_time, read_timestamp, readable_datetime, readable_time, readable_timestamp,
    utc_instant,
};
use super::declare::to_sqlite_result;
use super::json_text::Json;
use super::nested;
use super::numbers::{float_text, parse_bool, parse_float, parse_int, round_to_int};
use super::scalar_call::{ScalarCall, within_bounds};
use crate::float;
use crate::sql::expression::Expression;
use crate::sql::sqlite_literals::{bytes_sql, text_sql};
use crate::types::Type;

/// For each type, the other types that its values can be cast to.
const PAIRS: [(Type, &[Type]); 8] = [
    (Type::Integer, &[Type::Boolean, Type::Float, Type::String]),
    (Type::Float, &[Type::Integer, Type::String]),
    (Type::Boolean, &[Type::Integer, Type::String]),
    (
        Type::String,
        &[
            Type::Integer,
            Type::Float,
            Type::Boolean,
            Type::Bytes,
            Type::Date,
            Type::DateTime,
            Type::Time,
            Type::Timestamp,
        ],
    ),
    (Type::Bytes, &[Type::String]),
    (Type::Date, &[Type::String, Type::DateTime, Type::Timestamp]),
    (Type::DateTime, &[Type::String, Type::Date, Type::Time, Type::Timestamp]),
    (Type::Timestamp, &[Type::String, Type::Date, Type::DateTime, Type::Time]),
];

/// Implements [`super::cast()`].
pub(super) fn cast(from: &Expression, to: &Type, is_safe: bool) -> Result<Expression, String> {
    let Some(of) = &from.of else {
        return Ok(Expression::new(from.sql.clone(), to.clone()));
    };
    if of == to {
        return Ok(Expression::new(from.sql.clone(), to.clone()));
    }
    if !can_be(of, to) {
        return Err(format!("Invalid cast from {of} to {to}"));
    }
    let prefix = if is_safe { "fw_safe_cast" } else { "fw_cast" };
    let sql = match (of, to) {
        (Type::Array(_) | Type::Struct(_), _) => {
            let types = write_types([of.clone(), to.clone()]);
            format!("{prefix}_nested({}, {})", from.sql, text_sql(&types))
        }
        _ => format!("{}({})", registered_name(prefix, of, to), from.sql),
    };
    Ok(Expression::new(sql, to.clone()))
}

fn registered_name(prefix: &str, from: &Type, to: &Type) -> String {
    format!("{prefix}_{from}_{to}").to_ascii_lowercase()
}

fn can_be(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (from, to) if from == to => true,
        (Type::Untyped, _) => true,
        (Type::Time, Type::String) => true,
        (Type::Array(from), Type::Array(to)) => can_be(from, to),
        (Type::Struct(from), Type::Struct(to)) => {
            from.len() == to.len() && from.iter().zip(to).all(|(from, to)| can_be(&from.of, &to.of))
        }
        _ => PAIRS.iter().any(|(known, targets)| known == from && targets.contains(to)),
    }
}

pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let pairs = PAIRS.iter().flat_map(|(from, targets)| targets.iter().map(move |to| (from, to)));
    for (prefix, is_safe) in [("fw_cast", false), ("fw_safe_cast", true)] {
        for (from, to) in pairs.clone().chain([(&Type::Time, &Type::String)]) {
            let name = registered_name(prefix, from, to);
            connection.create_scalar_function(name.as_str(), 1, flags, move |context| {
                to_sqlite_result(
                    convert(context.get_raw(0), from, to).and_then(within_bounds),
                    is_safe,
                )
            })?;
        }
        let name = format!("{prefix}_nested");
        connection.create_scalar_function(name.as_str(), 2, flags, move |context| {
            to_sqlite_result(
                cast_nested(&ScalarCall::new(context), is_safe).and_then(within_bounds),
                is_safe,
            )
        })?;
    }
    Ok(())
}

fn cast_nested(call: &ScalarCall, is_safe: bool) -> Result<Value, String> {
    let types = call.read(1, read_types)?;
    if call.is_null(0) {
        return Ok(Value::Null);
    }
    let [from, to] = types.as_slice() else {
        return Err("the types of a cast are damaged".to_owned());
    };
    let json = element(Json::parse(call.text(0)?)?, from, to, is_safe)?;
    Ok(Value::Text(json.to_string()))
}

/// Casts a value inside an array or struct to another type.
fn element<'a>(json: Json<'a>, from: &Type, to: &Type, is_safe: bool) -> Result<Json<'a>, String> {
    Ok(match (json, from, to) {
        (Json::Null, ..) => Json::Null,
        (json, from, to) if from == to => json,
        (Json::Array(elements), Type::Array(from), Type::Array(to)) => {
            let elements = elements.into_iter().map(|json| element(json, from, to, is_safe));
            Json::Array(elements.collect::<Result<_, _>>()?)
        }
        (Json::Object(members), Type::Struct(from), Type::Struct(to)) => {
            let fields = members.into_iter().zip(from.iter().zip(to));
            let cast = fields.map(|((_, json), (from, to))| {
                Ok((Cow::Owned(to.name.clone()), element(json, &from.of, &to.of, is_safe)?))
            });
            Json::Object(cast.collect::<Result<_, String>>()?)
        }
        (json, from, to) => {
            let value = nested::value(&json, from)?;
            match convert(ValueRef::from(&value), from, to) {
                Err(_) if is_safe => Json::Null,
                converted => owned(nested::element(ValueRef::from(&converted?), to)?),
            }
        }
    })
}

/// Converts a scalar JSON value to an owned value.
fn owned(json: Json<'_>) -> Json<'static> {
    match json {
        Json::Bool(value) => Json::Bool(value),
        Json::Number(digits) => Json::Number(Cow::Owned(digits.into_owned())),
        Json::String(text) => Json::String(Cow::Owned(text.into_owned())),
        Json::Null | Json::Array(_) | Json::Object(_) => Json::Null,
    }
}

fn convert(value: ValueRef<'_>, from: &Type, to: &Type) -> Result<Value, String> {
    Ok(match (value, from) {
        (ValueRef::Null, _) => Value::Null,
        (ValueRef::Text(_), Type::Float) => {
            return convert(ValueRef::Real(f64::NAN), from, to);
        }
        (ValueRef::Text(bytes), from) => {
            let text =
                std::str::from_utf8(bytes).map_err(|_| "a STRING is not valid UTF-8".to_owned())?;
            match from {
                Type::String => from_string(text, to)?,
                Type::Date => from_date(text, to)?,
                Type::DateTime => from_datetime(text, to)?,
                Type::Time => Value::Text(readable_time(read_time(text)?)),
                _ => return Err(damaged(from)),
            }
        }
        (ValueRef::Blob(bytes), Type::Bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => return Err("Invalid cast of bytes to UTF8 string".to_owned()),
        },
        (ValueRef::Integer(value), Type::Integer) => match to {
            Type::Boolean => Value::from(value != 0),
            Type::Float => Value::Real(value as f64),
            _ => Value::Text(value.to_string()),
        },
        (ValueRef::Integer(value), Type::Boolean) => match to {
            Type::Integer => Value::Integer(value),
            _ => Value::Text((value != 0).to_string()),
        },
        (ValueRef::Integer(value), Type::Timestamp) => from_timestamp(value, to)?,
        (ValueRef::Real(value), Type::Float) => match to {
            Type::Integer => Value::Integer(round_to_int(value)?),
            _ => Value::Text(float_text(value)),
        },
        (ValueRef::Integer(value), Type::Float) => {
            return convert(ValueRef::Real(value as f64), from, to);
        }
        _ => return Err(damaged(from)),
    })
}

fn damaged(of: &Type) -> String {
    format!("a stored value of type {of} is damaged")
}

fn from_string(text: &str, to: &Type) -> Result<Value, String> {
    Ok(match to {
        Type::Integer => Value::Integer(parse_int(text)?),
        Type::Float => float::to_stored(parse_float(text)?),
        Type::Boolean => Value::from(parse_bool(text)?),
        Type::Bytes => Value::Blob(text.as_bytes().to_vec()),
        Type::Date => Value::Text(canonical_date(read_date(text)?)),
        Type::DateTime => Value::Text(canonical_datetime(read_local(text).and_then(without_zone)?)),
        Type::Time => Value::Text(canonical_time(read_time(text)?)),
        Type::Timestamp => Value::Integer(read_timestamp(text)?),
        Type::Json => Value::Text(Json::parse(text)?.to_string()),
        to => return Err(format!("Invalid cast from STRING to {to}")),
    })
}

fn without_zone(
    (local, zone): (jiff::civil::DateTime, Option<Zone>),
) -> Result<jiff::civil::DateTime, String> {
    match zone {
        None => Ok(local),
        Some(_) => Err("a DATETIME cannot have a time zone".to_owned()),
    }
}

fn from_date(text: &str, to: &Type) -> Result<Value, String> {
    let date = read_date(text)?;
    let midnight = date.to_datetime(Time::midnight());
    Ok(match to {
        Type::DateTime => Value::Text(canonical_datetime(midnight)),
        Type::Timestamp => Value::Integer(utc_instant(midnight)),
        _ => Value::Text(canonical_date(date)),
    })
}

fn from_datetime(text: &str, to: &Type) -> Result<Value, String> {
    let local = read_datetime(text)?;
    Ok(match to {
        Type::Date => Value::Text(canonical_date(local.date())),
        Type::Time => Value::Text(canonical_time(local.time())),
        Type::Timestamp => Value::Integer(utc_instant(local)),
        _ => Value::Text(readable_datetime(local)),
    })
}

fn from_timestamp(micros: i64, to: &Type) -> Result<Value, String> {
    let moment = Moment::utc(micros)?;
    Ok(Value::Text(match to {
        Type::Date => canonical_date(moment.local.date()),
        Type::DateTime => canonical_datetime(moment.local),
        Type::Time => canonical_time(moment.local.time()),
        _ => readable_timestamp(moment),
    }))
}

/// Converts a string literal to another type, and returns the SQL of the converted value.
pub(super) fn literal(text: &str, to: &Type) -> Result<String, String> {
    let value = from_string(text, to)
        .map_err(|error| format!("Could not cast literal {text:?} to type {to}: {error}"))?;
    Ok(match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(value) => value.to_string(),
        Value::Real(value) if value.is_infinite() => {
            if value < 0.0 { "-9e999" } else { "9e999" }.to_owned()
        }
        Value::Real(value) => format!("{value:?}"),
        Value::Text(text) => text_sql(&text),
        Value::Blob(bytes) => bytes_sql(&bytes),
    })
}
