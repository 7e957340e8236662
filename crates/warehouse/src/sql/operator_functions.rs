//! SQL functions for operators that SQLite lacks or implements differently.

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::Value;
use rusqlite::{Connection, Error};

use super::nan;
use crate::float;

const FLAGS: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_DETERMINISTIC)
    .union(FunctionFlags::SQLITE_INNOCUOUS);

/// Registers the functions of this module on a connection.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    nan::register(connection)?;
    connection.create_scalar_function("fw_divide", 2, FLAGS, divide)?;
    connection.create_scalar_function("fw_like", 2, FLAGS, |context| {
        let (text, pattern): (Option<String>, Option<String>) = (context.get(0)?, context.get(1)?);
        text.zip(pattern).map(|(text, pattern)| is_like(&text, &pattern)).transpose()
    })?;
    connection.create_scalar_function("fw_xor", 2, FLAGS, |context| {
        let (a, b): (Option<i64>, Option<i64>) = (context.get(0)?, context.get(1)?);
        Ok(a.zip(b).map(|(a, b)| a ^ b))
    })?;
    connection.create_scalar_function("fw_shift", 3, FLAGS, shifted)?;
    connection.create_scalar_function("fw_only", 2, FLAGS, |context| {
        match context.get::<i64>(0)? {
            0 | 1 => context.get::<Value>(1),
            _ => Err(failed("Scalar subquery produced more than one element: add LIMIT 1")),
        }
    })?;
    connection.create_scalar_function("fw_place", 4, FLAGS, place)?;
    connection.create_scalar_function("fw_flat", -1, FLAGS, flat)
}

fn failed(message: impl Into<String>) -> Error {
    Error::UserFunctionError(message.into().into())
}

fn divide(context: &Context<'_>) -> rusqlite::Result<Option<Value>> {
    let (a, b) = (float::read(context.get_raw(0)), float::read(context.get_raw(1)));
    match a.zip(b) {
        Some((a, 0.0)) => {
            Err(failed(format!("division by zero: {a} / 0; use SAFE_DIVIDE to get NULL instead")))
        }
        other => Ok(other.map(|(a, b)| float::to_stored(a / b))),
    }
}

fn shifted(context: &Context<'_>) -> rusqlite::Result<Option<i64>> {
    let (value, by): (Option<i64>, Option<i64>) = (context.get(0)?, context.get(1)?);
    let is_left = context.get::<i64>(2)? == 1;
    let Some((value, by)) = value.zip(by) else {
        return Ok(None);
    };
    let by = u32::try_from(by)
        .map_err(|_| failed(format!("Bitwise shift by {by}: must be at least 0")))?;
    let bits = value as u64;
    let bits = if is_left { bits.checked_shl(by) } else { bits.checked_shr(by) };
    Ok(Some(bits.unwrap_or(0) as i64))
}

/// Returns the JSON path of the array element at an index.
fn place(context: &Context<'_>) -> rusqlite::Result<Option<String>> {
    let (array, at): (Option<String>, Option<i64>) = (context.get(0)?, context.get(1)?);
    let (first, is_safe) = (context.get::<i64>(2)?, context.get::<bool>(3)?);
    let Some((array, at)) = array.zip(at) else {
        return Ok(None);
    };
    let elements: Vec<serde::de::IgnoredAny> =
        serde_json::from_str(&array).map_err(|_| failed("an array is damaged"))?;
    match at.checked_sub(first).and_then(|at| usize::try_from(at).ok()) {
        Some(at) if at < elements.len() => Ok(Some(format!("$[{at}]"))),
        _ if is_safe => Ok(None),
        _ => Err(failed(format!(
            "Array index {at} is out of bounds: the array has {} elements; use SAFE_OFFSET or SAFE_ORDINAL to get NULL instead",
            elements.len()
        ))),
    }
}

/// Concatenates arrays.
fn flat(context: &Context<'_>) -> rusqlite::Result<String> {
    let mut all = String::from("[");
    for at in 0..context.len() {
        let array: String = context.get(at)?;
        let inner = array.get(1..array.len().saturating_sub(1)).unwrap_or_default();
        if all.len() > 1 && !inner.is_empty() {
            all.push(',');
        }
        all.push_str(inner);
    }
    all.push(']');
    Ok(all)
}

/// Returns whether text matches a LIKE pattern. `%` matches any text, `_` matches a single
/// character, and `\` escapes the next character.
fn is_like(text: &str, pattern: &str) -> rusqlite::Result<bool> {
    let parts = like_parts(pattern)?;
    let mut rest = text;
    let mut at = 0;
    // Where to continue if the text does not match the pattern after the last `%`.
    let mut again: Option<(usize, &str)> = None;
    loop {
        let mut following = rest.chars();
        let next = following.next();
        match (parts.get(at), next) {
            (Some(Like::Any), _) => {
                at += 1;
                again = Some((at, rest));
                continue;
            }
            (None, None) => return Ok(true),
            (Some(Like::One), Some(_)) => {}
            (Some(Like::Char(wanted)), Some(found)) if *wanted == found => {}
            _ => {
                let Some((after, from)) = again else {
                    return Ok(false);
                };
                let mut later = from.chars();
                if later.next().is_none() {
                    return Ok(false);
                }
                again = Some((after, later.as_str()));
                (at, rest) = (after, later.as_str());
                continue;
            }
        }
        at += 1;
        rest = following.as_str();
    }
}

enum Like {
    Any,
    One,
    Char(char),
}

fn like_parts(pattern: &str) -> rusqlite::Result<Vec<Like>> {
    let mut parts = Vec::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        parts.push(match c {
            '%' => Like::Any,
            '_' => Like::One,
            '\\' => Like::Char(
                rest.next().ok_or_else(|| failed("a LIKE pattern cannot end with a backslash"))?,
            ),
            other => Like::Char(other),
        });
    }
    Ok(parts)
}
