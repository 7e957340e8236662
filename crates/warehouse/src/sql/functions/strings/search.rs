//! SQL functions that search for a string in another string, or measure the similarity of strings.

use unicode_normalization::UnicodeNormalization;

use super::count;
use super::substrings::byte_of;
use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::json_text::Json;
use crate::sql::functions::nested::{self, WideNumbers};
use crate::sql::functions::scalar_call::ScalarCall;
use crate::types::Type;

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("STARTS_WITH(STRING, STRING) -> BOOL", |c| Ok(c.text(0)?.starts_with(c.text(1)?))),
        call("STARTS_WITH(BYTES, BYTES) -> BOOL", |c| Ok(c.bytes(0)?.starts_with(c.bytes(1)?))),
        call("ENDS_WITH(STRING, STRING) -> BOOL", |c| Ok(c.text(0)?.ends_with(c.text(1)?))),
        call("ENDS_WITH(BYTES, BYTES) -> BOOL", |c| Ok(c.bytes(0)?.ends_with(c.bytes(1)?))),
        call("CONTAINS_SUBSTR(ANY, STRING) -> BOOL", contains).argument_types(),
        call("STRPOS(STRING, STRING) -> INT64", |c| {
            let text = c.text(0)?;
            position_of(text, text.find(c.text(1)?))
        }),
        call("INSTR(STRING, STRING[, INT64, INT64]) -> INT64", instr),
        call("EDIT_DISTANCE(STRING, STRING[, INT64]) -> INT64", distance),
    ]
}

/// Returns the position of the character at a byte offset, counted from 1. Returns 0 if the offset
/// is `None`.
fn position_of(text: &str, at: Option<usize>) -> Result<i64, String> {
    match at {
        Some(at) => Ok(count(text[..at].chars().count())? + 1),
        None => Ok(0),
    }
}

/// Returns whether a value, or any value nested in it, contains a string. Ignores case and Unicode
/// normalization.
fn contains(call: &ScalarCall) -> Result<bool, String> {
    let types = call.types()?;
    let of = types.first().unwrap_or(&Type::String);
    let value = nested::publish(nested::element(call.raw(0), of)?, of, WideNumbers::Numbers)?;
    let wanted = fold(call.text(1)?);
    Ok(contains_text(&value, &wanted))
}

fn contains_text(json: &Json, wanted: &str) -> bool {
    match json {
        Json::Null => false,
        Json::String(text) => fold(text).contains(wanted),
        Json::Bool(_) | Json::Number(_) => fold(&json.to_string()).contains(wanted),
        Json::Array(elements) => elements.iter().any(|element| contains_text(element, wanted)),
        Json::Object(members) => members.iter().any(|(_, value)| contains_text(value, wanted)),
    }
}

fn fold(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// Returns the position of the nth occurrence of a string, starting the search at a position. A
/// negative position is counted from the end, and the search goes backwards.
fn instr(call: &ScalarCall) -> Result<i64, String> {
    let (text, wanted) = (call.text(0)?, call.text(1)?);
    let position = if call.has(2) { call.int(2)? } else { 1 };
    let nth = if call.has(3) { call.int(3)? } else { 1 };
    let nth = usize::try_from(nth).ok().and_then(|nth| nth.checked_sub(1));
    let nth = nth.ok_or_else(|| "INSTR: occurrence must be at least 1".to_owned())?;
    if position == 0 {
        return Err("INSTR: position cannot be 0".to_owned());
    }
    let back = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX) - 1;
    if wanted.is_empty() {
        return Ok(0);
    }
    let begins = |at: &usize| text.as_bytes()[*at..].starts_with(wanted.as_bytes());
    let found = if position > 0 {
        let begin = byte_of(text, back);
        let mut places = text.char_indices().map(|(at, _)| at).skip_while(|at| *at < begin);
        places.by_ref().filter(begins).nth(nth)
    } else {
        text.char_indices().map(|(at, _)| at).rev().skip(back).filter(begins).nth(nth)
    };
    position_of(text, found)
}

/// Maximum number of character comparisons to compute an edit distance. This many comparisons take
/// about a tenth of a second.
const MAX_COMPARISONS: usize = 50_000_000;

fn distance(call: &ScalarCall) -> Result<i64, String> {
    let (one, other) = (call.text(0)?, call.text(1)?);
    let work = one.chars().count().checked_mul(other.chars().count());
    if work.is_none_or(|work| work > MAX_COMPARISONS) {
        return Err("EDIT_DISTANCE: the strings are too long".to_owned());
    }
    let distance = count(strsim::levenshtein(one, other))?;
    match call.has(2) {
        true if call.int(2)? < 0 => {
            Err("EDIT_DISTANCE: max_distance must not be negative".to_owned())
        }
        true => Ok(distance.min(call.int(2)?)),
        false => Ok(distance),
    }
}
