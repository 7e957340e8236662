//! SQL functions that shorten, pad, split and join strings.

use std::ops::Range;

use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::json_text::Json;
use crate::sql::functions::scalar_call::{MAX_VALUE_BYTES, ScalarCall, Text, check_size};

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("TRIM(STRING[, STRING]) -> STRING", |c| trim(c, true, true)),
        call("LTRIM(STRING[, STRING]) -> STRING", |c| trim(c, true, false)),
        call("RTRIM(STRING[, STRING]) -> STRING", |c| trim(c, false, true)),
        call("SUBSTR(STRING, INT64[, INT64]) -> STRING", substr),
        call("SUBSTR(BYTES, INT64[, INT64]) -> BYTES", substr_bytes),
        call("SUBSTRING(STRING, INT64[, INT64]) -> STRING", substr),
        call("SUBSTRING(BYTES, INT64[, INT64]) -> BYTES", substr_bytes),
        call("LEFT(STRING, INT64) -> STRING", |c| {
            let text = c.text(0)?;
            Ok(text[..byte_of(text, c.count(1)?)].to_owned())
        }),
        call("LEFT(BYTES, INT64) -> BYTES", |c| {
            Ok(c.bytes(0)?.iter().take(c.count(1)?).copied().collect::<Vec<_>>())
        }),
        call("RIGHT(STRING, INT64) -> STRING", |c| {
            let text = c.text(0)?;
            let skipped = text.chars().count().saturating_sub(c.count(1)?);
            Ok(text[byte_of(text, skipped)..].to_owned())
        }),
        call("RIGHT(BYTES, INT64) -> BYTES", |c| {
            let bytes = c.bytes(0)?;
            Ok(bytes[bytes.len().saturating_sub(c.count(1)?)..].to_vec())
        }),
        call("LPAD(STRING, INT64[, STRING]) -> STRING", |c| {
            let (kept, padding) = pad(c)?;
            Ok(padding + kept)
        }),
        call("RPAD(STRING, INT64[, STRING]) -> STRING", |c| {
            let (kept, padding) = pad(c)?;
            Ok(kept.to_owned() + &padding)
        }),
        call("REPEAT(STRING, INT64) -> STRING", |c| {
            let (text, count) = (c.text(0)?, c.count(1)?);
            check_size(text.len().checked_mul(count))?;
            Ok(if text.is_empty() { String::new() } else { text.repeat(count) })
        }),
        call("REPLACE(STRING, STRING, STRING) -> STRING", |c| {
            let (text, from, to) = (c.text(0)?, c.text(1)?, c.text(2)?);
            if from.is_empty() {
                return Ok(text.to_owned());
            }
            let mut out = Text::default();
            for (at, piece) in text.split(from).enumerate() {
                out.push(if at == 0 { "" } else { to })?;
                out.push(piece)?;
            }
            Ok(out.finish())
        }),
        call("SPLIT(STRING[, STRING]) -> ARRAY<STRING>", split),
        call("ARRAY_TO_STRING(ARRAY<STRING>, STRING[, STRING]) -> STRING", join),
    ]
}

fn trim(call: &ScalarCall, begin: bool, end: bool) -> Result<String, String> {
    let characters = if call.has(1) { Some(call.text(1)?) } else { None };
    let is_cut =
        |c: char| characters.map_or(c.is_whitespace(), |characters| characters.contains(c));
    let mut text = call.text(0)?;
    if begin {
        text = text.trim_start_matches(is_cut);
    }
    if end {
        text = text.trim_end_matches(is_cut);
    }
    Ok(text.to_owned())
}

/// Returns the byte offset of the character at this index, counted from 0, or the text's length if
/// there is no such character.
pub(super) fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at)
}

fn substr(call: &ScalarCall) -> Result<String, String> {
    let text = call.text(0)?;
    let range = range(call, || text.chars().count())?;
    let begin = byte_of(text, range.start);
    let length = byte_of(&text[begin..], range.len());
    Ok(text[begin..begin + length].to_owned())
}

fn substr_bytes(call: &ScalarCall) -> Result<Vec<u8>, String> {
    let bytes = call.bytes(0)?;
    let range = range(call, || bytes.len())?;
    Ok(bytes.iter().skip(range.start).take(range.len()).copied().collect())
}

/// Converts the position and length arguments of SUBSTR to a range. Positions are counted from 1,
/// or from the end if negative. The range can extend past the end of the value.
fn range(call: &ScalarCall, length: impl Fn() -> usize) -> Result<Range<usize>, String> {
    let most = if call.has(2) { call.int(2)? } else { i64::MAX };
    let most = usize::try_from(most)
        .map_err(|_| "Third argument in SUBSTR() cannot be negative".to_owned())?;
    let position = call.int(1)?;
    let begin = match usize::try_from(position) {
        Ok(position) => position.saturating_sub(1),
        Err(_) => {
            let back = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX);
            length().saturating_sub(back)
        }
    };
    Ok(begin..begin.saturating_add(most))
}

/// Truncates the first argument to the length in the second argument. Returns the truncated string,
/// and the padding up to this length.
fn pad<'a>(call: &ScalarCall<'a>) -> Result<(&'a str, String), String> {
    let (text, length) = (call.text(0)?, call.count(1)?);
    let pattern = if call.has(2) { call.text(2)? } else { " " };
    if pattern.is_empty() {
        return Err("The padding pattern cannot be empty".to_owned());
    }
    let kept = &text[..byte_of(text, length)];
    let missing = length.saturating_sub(kept.chars().count());
    if missing > MAX_VALUE_BYTES {
        return Err(check_size(None).err().unwrap_or_default());
    }
    Ok((kept, pattern.chars().cycle().take(missing).collect()))
}

fn split(call: &ScalarCall) -> Result<String, String> {
    let text = call.text(0)?;
    let delimiter = if call.has(1) { call.text(1)? } else { "," };
    let pieces: Vec<_> = match (delimiter.is_empty(), text.is_empty()) {
        (true, false) => {
            let ends = text.char_indices().map(|(at, c)| &text[at..at + c.len_utf8()]);
            ends.map(Json::text).collect()
        }
        (true, true) => vec![Json::text("")],
        (false, _) => text.split(delimiter).map(Json::text).collect(),
    };
    Ok(Json::Array(pieces).to_string())
}

/// Joins the elements of an array with a separator. NULLs are replaced with the third argument, or
/// omitted if there is no third argument.
fn join(call: &ScalarCall) -> Result<String, String> {
    let separator = call.text(1)?;
    let for_null = if call.has(2) { Some(call.text(2)?) } else { None };
    let mut out = Text::default();
    let mut is_first = true;
    for element in call.array(0)? {
        let piece = match &element {
            Json::String(text) => text.as_ref(),
            Json::Null => match for_null {
                Some(text) => text,
                None => continue,
            },
            _ => return Err("an ARRAY is damaged".to_owned()),
        };
        out.push(if is_first { "" } else { separator })?;
        out.push(piece)?;
        is_first = false;
    }
    Ok(out.finish())
}
