//! SQL functions for regular expressions, in the syntax that the `regex` crate shares with RE2.

use std::sync::Arc;

use regex::{Captures, Regex, RegexBuilder};

use super::declare::{Function, call};
use super::json_text::Json;
use super::scalar_call::{ScalarCall, Text};

/// Maximum size of a compiled regular expression, in bytes.
const MAX_REGEX_BYTES: usize = 2 << 20;

pub(super) fn functions() -> Vec<Function> {
    let extracting = [
        call("REGEXP_EXTRACT(STRING, STRING[, INT64, INT64]) -> STRING", extract),
        call("REGEXP_SUBSTR(STRING, STRING[, INT64, INT64]) -> STRING", extract),
        call("REGEXP_EXTRACT_ALL(STRING, STRING) -> ARRAY<STRING>", |c| {
            let regex = c.read(1, one_group)?;
            let found = regex
                .captures_iter(c.text(0)?)
                .map(|captures| group_or_match(&captures).map_or(Json::text(""), Json::text));
            Ok(Json::Array(found.collect()).to_string())
        }),
        call("REGEXP_INSTR(STRING, STRING[, INT64, INT64, INT64]) -> INT64", instr),
    ];
    let others = [
        call("REGEXP_CONTAINS(STRING, STRING) -> BOOL", |c| {
            Ok(c.read(1, compile)?.is_match(c.text(0)?))
        }),
        call("REGEXP_REPLACE(STRING, STRING, STRING) -> STRING", replace),
    ];
    let extracting = extracting.into_iter().map(|f| f.checked(1, |text| one_group(text).map(drop)));
    let others = others.into_iter().map(|f| f.checked(1, |text| compile(text).map(drop)));
    others.chain(extracting).collect()
}

fn compile(pattern: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(pattern)
        .size_limit(MAX_REGEX_BYTES)
        .dfa_size_limit(MAX_REGEX_BYTES)
        .build();
    built.map_err(|error| format!("Cannot parse regular expression: {error}"))
}

/// Compiles a regular expression. Returns an error if it has more than one capturing group.
fn one_group(pattern: &str) -> Result<Regex, String> {
    let regex = compile(pattern)?;
    if regex.captures_len() <= 2 {
        Ok(regex)
    } else {
        Err("Regular expressions passed into extraction functions must not have more than 1 capturing group".to_owned())
    }
}

/// Returns the text of the capturing group, or of the whole match if there is no group.
fn group_or_match<'t>(captures: &Captures<'t>) -> Option<&'t str> {
    let group = if captures.len() > 1 { 1 } else { 0 };
    captures.get(group).map(|found| found.as_str())
}

/// Returns the match that the arguments `position` (index 2) and `occurrence` (index 3) select.
fn nth<'t>(call: &ScalarCall<'t>, regex: &Regex) -> Result<Option<Captures<'t>>, String> {
    let text = call.text(0)?;
    let argument = |at: usize, name: &str| {
        if call.has(at) {
            usize::try_from(call.int(at)?)
                .ok()
                .and_then(|value| value.checked_sub(1))
                .ok_or_else(|| format!("{name} must be positive"))
        } else {
            Ok(0)
        }
    };
    let (position, occurrence) = (argument(2, "Position")?, argument(3, "Occurrence")?);
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let Some(begin) = ends.into_iter().nth(position) else {
        return Ok(None);
    };
    let mut next = regex.captures_at(text, begin);
    for _ in 0..occurrence {
        let Some(whole) = next.as_ref().and_then(|found| found.get(0)) else {
            return Ok(None);
        };
        let after = if whole.is_empty() {
            text[whole.end()..].chars().next().map(|c| whole.end() + c.len_utf8())
        } else {
            Some(whole.end())
        };
        next = after.and_then(|after| regex.captures_at(text, after));
    }
    Ok(next)
}

fn extract(call: &ScalarCall) -> Result<Option<String>, String> {
    let regex: Arc<Regex> = call.read(1, one_group)?;
    let found = nth(call, &regex)?;
    Ok(found.and_then(|captures| group_or_match(&captures).map(str::to_owned)))
}

fn instr(call: &ScalarCall) -> Result<i64, String> {
    let regex = call.read(1, one_group)?;
    let is_end = if call.has(4) { call.int(4)? } else { 0 };
    if !(0..=1).contains(&is_end) {
        return Err("Occurrence position must be 0 or 1".to_owned());
    }
    let Some(captures) = nth(call, &regex)? else {
        return Ok(0);
    };
    let group = if captures.len() > 1 { 1 } else { 0 };
    let Some(found) = captures.get(group) else {
        return Ok(0);
    };
    let at = if is_end == 1 { found.end() } else { found.start() };
    let before = call.text(0)?[..at].chars().count();
    i64::try_from(before).map(|before| before + 1).map_err(|error| error.to_string())
}

/// A piece of a replacement: text, or a reference to a capturing group.
enum Piece {
    Text(String),
    Group(usize),
}

fn replace(call: &ScalarCall) -> Result<String, String> {
    let (text, regex) = (call.text(0)?, call.read(1, compile)?);
    let pieces = call.read(2, pieces)?;
    if let Some(group) = pieces.iter().find_map(|piece| match piece {
        Piece::Group(group) if *group >= regex.captures_len() => Some(group),
        _ => None,
    }) {
        return Err(format!("Invalid REGEXP_REPLACE pattern: the expression has no group {group}"));
    }
    let mut out = Text::default();
    let mut end = 0;
    for captures in regex.captures_iter(text) {
        let Some(whole) = captures.get(0) else {
            continue;
        };
        out.push(&text[end..whole.start()])?;
        for piece in pieces.iter() {
            out.push(match piece {
                Piece::Text(text) => text,
                Piece::Group(group) => captures.get(*group).map_or("", |found| found.as_str()),
            })?;
        }
        end = whole.end();
    }
    out.push(&text[end..])?;
    Ok(out.finish())
}

/// Parses a replacement, which can contain `\1`, `\0` and `\\`.
fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let escaped = match character {
            '\\' => characters.next(),
            character => {
                plain.push(character);
                continue;
            }
        };
        match escaped {
            Some('\\') => plain.push('\\'),
            Some(digit @ '0'..='9') => {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
                pieces.push(Piece::Group(digit.to_digit(10).map_or(0, |digit| digit as usize)));
            }
            _ => return Err(
                "Invalid REGEXP_REPLACE pattern: a backslash must be followed by a digit or a backslash"
                    .to_owned(),
            ),
        }
    }
    pieces.push(Piece::Text(plain));
    Ok(pieces)
}
