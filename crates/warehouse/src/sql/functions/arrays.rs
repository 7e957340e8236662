//! SQL functions for arrays, such as ARRAY_SLICE and GENERATE_ARRAY.

use rusqlite::types::Value;

use super::declare::{Function, call, native};
use super::json_text::Json;
use super::nested;
use super::scalar_call::{ScalarCall, check_element_count};
use crate::types::Type;

pub(super) fn functions() -> Vec<Function> {
    vec![
        native("ARRAY_LENGTH(ARRAY<T>) -> INT64", "json_array_length($1)"),
        call("ARRAY_CONCAT(ARRAY<T>[, ...]) -> ARRAY<T>", |c| {
            let arrays: Vec<_> = (0..c.len()).map(|at| c.array(at)).collect::<Result<_, _>>()?;
            Ok(Json::Array(arrays.concat()).to_string())
        }),
        call("ARRAY_REVERSE(ARRAY<T>) -> ARRAY<T>", |c| {
            Ok(Json::Array(c.array(0)?.into_iter().rev().collect()).to_string())
        }),
        call("ARRAY_FIRST(ARRAY<T>) -> T", |c| pick(c, c.array(0)?.first())).argument_types(),
        call("ARRAY_LAST(ARRAY<T>) -> T", |c| pick(c, c.array(0)?.last())).argument_types(),
        call("ARRAY_INCLUDES(ARRAY<T>, T) -> BOOL", |c| {
            let of = element_type(c)?;
            let wanted = nested::value(&nested::element(c.raw(1), &of)?, &of)?;
            let found = values(c, &of)?.into_iter().any(|value| value == wanted);
            Ok(found)
        })
        .argument_types(),
        call("ARRAY_IS_DISTINCT(ARRAY<T>) -> BOOL", |c| {
            let mut values: Vec<_> = c.array(0)?.iter().map(ToString::to_string).collect();
            let count = values.len();
            values.sort_unstable();
            values.dedup();
            Ok(values.len() == count)
        }),
        call("ARRAY_SLICE(ARRAY<T>, INT64, INT64) -> ARRAY<T>", slice),
        call("GENERATE_ARRAY(INT64, INT64[, INT64]) -> ARRAY<INT64>", integers),
        call("GENERATE_ARRAY(FLOAT64, FLOAT64[, FLOAT64]) -> ARRAY<FLOAT64>", floats),
        call("RANGE_BUCKET(T, ARRAY<T>) -> INT64", range_bucket).argument_types(),
    ]
}

/// Returns the element type of the first argument that is an array.
fn element_type(call: &ScalarCall) -> Result<Type, String> {
    let types = call.types()?;
    let element = types.iter().find_map(|of| match of {
        Type::Array(element) => Some((**element).clone()),
        _ => None,
    });
    Ok(element.unwrap_or(Type::String))
}

fn values(call: &ScalarCall, of: &Type) -> Result<Vec<Value>, String> {
    call.array(0)?.iter().map(|element| nested::value(element, of)).collect()
}

fn pick(call: &ScalarCall, element: Option<&Json>) -> Result<Value, String> {
    match element {
        Some(element) => nested::value(element, &element_type(call)?),
        None => Err("an empty array has no first or last element".to_owned()),
    }
}

/// Returns the elements between two indexes, inclusive. Indexes are counted from 0, or from the end
/// if negative.
fn slice(call: &ScalarCall) -> Result<String, String> {
    let elements = call.array(0)?;
    let length = i64::try_from(elements.len()).map_err(|error| error.to_string())?;
    let place = |at: i64| {
        if at < 0 { at.saturating_add(length) } else { at }
    };
    let (begin, end) = (place(call.int(1)?).max(0), place(call.int(2)?).min(length - 1));
    let kept = match (usize::try_from(begin), usize::try_from(end)) {
        (Ok(begin), Ok(end)) => elements.get(begin..=end).unwrap_or_default(),
        _ => &[],
    };
    Ok(Json::Array(kept.to_vec()).to_string())
}

fn integers(call: &ScalarCall) -> Result<String, String> {
    let (begin, end) = (call.int(0)?, call.int(1)?);
    let step = if call.has(2) { call.int(2)? } else { 1 };
    if step == 0 {
        return Err("Sequence step cannot be 0.".to_owned());
    }
    let distance = if step > 0 { end.checked_sub(begin) } else { begin.checked_sub(end) };
    let distance =
        distance.map_or(u64::MAX, |distance| u64::try_from(distance).map_or(0, |d| d + 1));
    check_element_count(distance.div_ceil(step.unsigned_abs()))?;
    let numbers = std::iter::successors(Some(begin), |at| at.checked_add(step));
    let numbers = numbers.take_while(|at| if step > 0 { *at <= end } else { *at >= end });
    Ok(Json::Array(numbers.map(Json::int).collect()).to_string())
}

fn floats(call: &ScalarCall) -> Result<String, String> {
    let (begin, end) = (call.float(0)?, call.float(1)?);
    let step = if call.has(2) { call.float(2)? } else { 1.0 };
    if step == 0.0 || ![begin, end, step].iter().all(|value| value.is_finite()) {
        return Err(
            "The bounds of a sequence must be finite, and its step must not be 0.".to_owned()
        );
    }
    let count = ((end - begin) / step).floor() + 1.0;
    let count = if count < 1.0 { 0 } else { count as u64 };
    check_element_count(count)?;
    // Computes each number from the first number, because repeated addition would accumulate
    // errors.
    let numbers = (0..count).map(|at| Json::float(begin + at as f64 * step));
    Ok(Json::Array(numbers.collect()).to_string())
}

/// Returns the number of elements in a sorted array that are less than or equal to a value.
fn range_bucket(call: &ScalarCall) -> Result<i64, String> {
    let of = element_type(call)?;
    let point = nested::value(&nested::element(call.raw(0), &of)?, &of)?;
    let bounds = call.array(1)?;
    let bounds: Vec<_> =
        bounds.iter().map(|bound| nested::value(bound, &of)).collect::<Result<_, _>>()?;
    if bounds.windows(2).any(|pair| super::math::compare(&pair[0], &pair[1]).is_gt()) {
        return Err("Elements in input array to RANGE_BUCKET must be in ascending order".to_owned());
    }
    let count = bounds.iter().filter(|bound| super::math::compare(bound, &point).is_le()).count();
    i64::try_from(count).map_err(|error| error.to_string())
}
