//! SQL functions that find a value in JSON by its path.

use std::collections::BTreeSet;

use super::path::Path;
use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::json_text::{Json, write_string};
use crate::sql::functions::scalar_call::ScalarCall;

pub(super) fn functions() -> Vec<Function> {
    let found = [
        call("JSON_VALUE(STRING[, STRING]) -> STRING", |c| extract(c, scalar)),
        call("JSON_VALUE(JSON[, STRING]) -> STRING", |c| extract(c, scalar)),
        call("JSON_EXTRACT_SCALAR(STRING[, STRING]) -> STRING", |c| extract(c, scalar)),
        call("JSON_EXTRACT_SCALAR(JSON[, STRING]) -> STRING", |c| extract(c, scalar)),
        call("JSON_QUERY(STRING[, STRING]) -> STRING", |c| extract(c, not_null)),
        call("JSON_QUERY(JSON[, STRING]) -> JSON", |c| extract(c, any)),
        call("JSON_EXTRACT(STRING[, STRING]) -> STRING", |c| extract(c, not_null)),
        call("JSON_EXTRACT(JSON[, STRING]) -> JSON", |c| extract(c, any)),
        call("JSON_VALUE_ARRAY(STRING[, STRING]) -> ARRAY<STRING>", |c| extract(c, scalars)),
        call("JSON_VALUE_ARRAY(JSON[, STRING]) -> ARRAY<STRING>", |c| extract(c, scalars)),
        call("JSON_EXTRACT_STRING_ARRAY(STRING[, STRING]) -> ARRAY<STRING>", |c| {
            extract(c, scalars)
        }),
        call("JSON_EXTRACT_STRING_ARRAY(JSON[, STRING]) -> ARRAY<STRING>", |c| extract(c, scalars)),
        call("JSON_QUERY_ARRAY(STRING[, STRING]) -> ARRAY<STRING>", |c| extract(c, texts)),
        call("JSON_QUERY_ARRAY(JSON[, STRING]) -> ARRAY<JSON>", |c| extract(c, array)),
        call("JSON_EXTRACT_ARRAY(STRING[, STRING]) -> ARRAY<STRING>", |c| extract(c, texts)),
        call("JSON_EXTRACT_ARRAY(JSON[, STRING]) -> ARRAY<JSON>", |c| extract(c, array)),
    ];
    let is_path = |text: &str| Path::parse(text).map(drop);
    let mut functions: Vec<_> = found.into_iter().map(|f| f.checked(1, is_path)).collect();
    functions.push(call("JSON_TYPE(JSON) -> STRING", |c| {
        Ok(kind(&Json::parse(c.text(0)?)?).to_owned())
    }));
    functions.push(call("JSON_KEYS(JSON[, INT64]) -> ARRAY<STRING>", keys));
    functions
}

/// Calls `take` with the value at a path. Returns `None` if the text is not valid JSON, or if there
/// is no such value.
fn extract(
    call: &ScalarCall,
    take: impl Fn(&Json) -> Option<String>,
) -> Result<Option<String>, String> {
    let Ok(document) = Json::parse(call.text(0)?) else {
        return Ok(None);
    };
    if !call.has(1) {
        return Ok(take(&document));
    }
    let path = call.read(1, Path::parse)?;
    Ok(path.find(&document).and_then(take))
}

fn scalar(json: &Json) -> Option<String> {
    match json {
        Json::String(text) => Some(text.clone().into_owned()),
        Json::Number(_) | Json::Bool(_) => Some(json.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

fn not_null(json: &Json) -> Option<String> {
    (*json != Json::Null).then(|| json.to_string())
}

fn any(json: &Json) -> Option<String> {
    Some(json.to_string())
}

fn scalars(json: &Json) -> Option<String> {
    elements(json, |element| match element {
        Json::Null => Some(Json::Null),
        element => scalar(element).map(Json::text),
    })
}

fn texts(json: &Json) -> Option<String> {
    elements(json, |element| Some(Json::text(element.to_string())))
}

fn array(json: &Json) -> Option<String> {
    matches!(json, Json::Array(_)).then(|| json.to_string())
}

fn elements<'a>(json: &Json, of: impl Fn(&Json) -> Option<Json<'a>>) -> Option<String> {
    let Json::Array(elements) = json else {
        return None;
    };
    let elements = elements.iter().map(of).collect::<Option<_>>()?;
    Some(Json::Array(elements).to_string())
}

fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

/// Returns the paths of all members up to a maximum depth, sorted and without duplicates. Arrays
/// are not searched.
fn keys(call: &ScalarCall) -> Result<String, String> {
    let depth = if call.has(1) { call.int(1)? } else { i64::MAX };
    if depth < 1 {
        return Err("max_depth must be positive.".to_owned());
    }
    let document = Json::parse(call.text(0)?)?;
    let mut found = BTreeSet::new();
    collect_keys(&document, "", depth, &mut found);
    let keys = found.iter().map(|key| Json::text(key.as_str())).collect();
    Ok(Json::Array(keys).to_string())
}

fn collect_keys(json: &Json, prefix: &str, depth: i64, found: &mut BTreeSet<String>) {
    let Json::Object(members) = json else { return };
    if depth == 0 {
        return;
    }
    for (name, value) in members {
        let mut path = prefix.to_owned();
        path.push_str(if prefix.is_empty() { "" } else { "." });
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        match !name.is_empty() && name.chars().all(is_word) {
            true => path.push_str(name),
            // Writing to a String cannot fail.
            false => write_string(&mut path, name).unwrap_or_default(),
        }
        collect_keys(value, &path, depth - 1, found);
        found.insert(path);
    }
}
