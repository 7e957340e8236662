//! SQL functions that convert between JSON and SQL values.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::json_text::Json;
use crate::sql::functions::nested::{self, WideNumbers};
use crate::sql::functions::numbers::{parse_bool, parse_float, round_to_int};
use crate::sql::functions::scalar_call::{ScalarCall, Text};
use crate::types::Type;

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("PARSE_JSON(STRING[, STRING]) -> JSON", parse)
            .checked(0, |text| Json::parse(text).map(drop)),
        call("TO_JSON(ANY[, BOOL]) -> JSON", to_json).receives_null().argument_types(),
        call("TO_JSON_STRING(ANY[, BOOL]) -> STRING", to_json_string)
            .receives_null()
            .argument_types(),
        call("JSON_ARRAY([ANY, ...]) -> JSON", array).receives_null().argument_types(),
        call("JSON_OBJECT([ANY, ...]) -> JSON", object).receives_null().argument_types(),
        call("STRING(JSON) -> STRING", |c| match Json::parse(c.text(0)?)? {
            Json::String(text) => Ok(text.into_owned()),
            other => Err(not_a_message(&other, "string")),
        }),
        call("BOOL(JSON) -> BOOL", |c| match Json::parse(c.text(0)?)? {
            Json::Bool(value) => Ok(value),
            other => Err(not_a_message(&other, "boolean")),
        }),
        call("INT64(JSON) -> INT64", |c| {
            let json = Json::parse(c.text(0)?)?;
            number(&json).and_then(exact_int).ok_or_else(|| not_a_message(&json, "integer"))
        }),
        call("FLOAT64(JSON[, STRING]) -> FLOAT64", float),
        call("LAX_STRING(JSON) -> STRING", |c| {
            Ok(match Json::parse(c.text(0)?)? {
                Json::String(text) => Some(text.into_owned()),
                scalar @ (Json::Bool(_) | Json::Number(_)) => Some(scalar.to_string()),
                Json::Null | Json::Array(_) | Json::Object(_) => None,
            })
        }),
        call("LAX_BOOL(JSON) -> BOOL", |c| {
            Ok(match Json::parse(c.text(0)?)? {
                Json::Bool(value) => Some(value),
                Json::Number(digits) => digits.parse::<f64>().ok().map(|value| value != 0.0),
                Json::String(text) => parse_bool(&text).ok(),
                Json::Null | Json::Array(_) | Json::Object(_) => None,
            })
        }),
        call("LAX_INT64(JSON) -> INT64", |c| {
            let json = Json::parse(c.text(0)?)?;
            Ok(match &json {
                Json::Bool(value) => Some(i64::from(*value)),
                Json::Number(text) | Json::String(text) => lax_int(text),
                Json::Null | Json::Array(_) | Json::Object(_) => None,
            })
        }),
        call("LAX_FLOAT64(JSON) -> FLOAT64", |c| {
            Ok(match Json::parse(c.text(0)?)? {
                Json::Number(text) | Json::String(text) => parse_float(&text).ok(),
                Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
            })
        }),
    ]
}

fn not_a_message(json: &Json, wanted: &str) -> String {
    let shown: String = json.to_string().chars().take(60).collect();
    format!("The provided JSON input is not of type {wanted}: {shown}")
}

fn number<'j>(json: &'j Json) -> Option<&'j str> {
    match json {
        Json::Number(digits) => Some(digits),
        _ => None,
    }
}

/// Parses an integer, which can be written with a zero fraction such as `10.0`.
fn exact_int(digits: &str) -> Option<i64> {
    digits.parse().ok().or_else(|| {
        let value: f64 = digits.parse().ok()?;
        (value.fract() == 0.0).then(|| round_to_int(value).ok())?
    })
}

fn lax_int(text: &str) -> Option<i64> {
    let text = text.trim();
    text.parse().ok().or_else(|| round_to_int(text.parse().ok()?).ok())
}

fn float(call: &ScalarCall) -> Result<f64, String> {
    let json = Json::parse(call.text(0)?)?;
    let digits = number(&json).ok_or_else(|| not_a_message(&json, "number"))?;
    let value: f64 = digits.parse().map_err(|_| not_a_message(&json, "number"))?;
    let is_exact = digits.parse::<i64>().is_ok_and(|exact| value as i128 == i128::from(exact))
        || digits.parse::<i64>().is_err();
    if is_exact || (call.has(1) && call.text(1)? == "round") {
        Ok(value)
    } else {
        Err(format!(
            "JSON number: {digits} cannot be converted to FLOAT64 without loss of precision"
        ))
    }
}

/// Parses text as JSON. If members have the same name, the first is kept.
fn parse(call: &ScalarCall) -> Result<String, String> {
    let mut document = Json::parse(call.text(0)?)?;
    if call.has(1) && !matches!(call.text(1)?, "exact" | "round") {
        return Err("wide_number_mode must be 'exact' or 'round'".to_owned());
    }
    keep_first(&mut document);
    Ok(document.to_string())
}

fn keep_first(json: &mut Json) {
    match json {
        Json::Array(elements) => elements.iter_mut().for_each(keep_first),
        Json::Object(members) => {
            let mut seen = HashSet::new();
            members.retain(|(name, _)| seen.insert(name.clone()));
            members.iter_mut().for_each(|(_, value)| keep_first(value));
        }
        _ => {}
    }
}

fn argument<'a>(
    call: &ScalarCall<'a>,
    at: usize,
    types: &[Type],
    wide: WideNumbers,
) -> Result<Json<'a>, String> {
    let of = types.get(at).unwrap_or(&Type::String);
    nested::publish(nested::element(call.raw(at), of)?, of, wide)
}

fn to_json(call: &ScalarCall) -> Result<String, String> {
    let types = call.types()?;
    let wide = if types.len() > 1 && !call.is_null(1) && call.bool(1)? {
        WideNumbers::Strings
    } else {
        WideNumbers::Numbers
    };
    Ok(argument(call, 0, &types, wide)?.to_string())
}

fn to_json_string(call: &ScalarCall) -> Result<String, String> {
    let types = call.types()?;
    let json = argument(call, 0, &types, WideNumbers::Strings)?;
    if types.len() > 1 && !call.is_null(1) && call.bool(1)? {
        let mut out = Text::default();
        pretty(&json, 0, &mut out)?;
        return Ok(out.finish());
    }
    Ok(json.to_string())
}

/// Formats JSON on several lines, indented by two spaces per level.
fn pretty(json: &Json, depth: usize, out: &mut Text) -> Result<(), String> {
    let line = |depth: usize| format!("\n{:1$}", "", depth * 2);
    match json {
        Json::Array(elements) if !elements.is_empty() => {
            for (at, element) in elements.iter().enumerate() {
                out.push(if at == 0 { "[" } else { "," })?;
                out.push(&line(depth + 1))?;
                pretty(element, depth + 1, out)?;
            }
            out.push(&line(depth))?;
            out.push("]")
        }
        Json::Object(members) if !members.is_empty() => {
            for (at, (name, value)) in members.iter().enumerate() {
                out.push(if at == 0 { "{" } else { "," })?;
                out.push(&line(depth + 1))?;
                out.push_display(Json::text(name.as_ref()))?;
                out.push(": ")?;
                pretty(value, depth + 1, out)?;
            }
            out.push(&line(depth))?;
            out.push("}")
        }
        plain => out.push_display(plain),
    }
}

fn array(call: &ScalarCall) -> Result<String, String> {
    let types = call.types()?;
    let elements = (0..types.len()).map(|at| argument(call, at, &types, WideNumbers::Numbers));
    Ok(Json::Array(elements.collect::<Result<_, _>>()?).to_string())
}

/// Creates an object from alternating names and values, or from an array of names and an array of
/// values.
fn object(call: &ScalarCall) -> Result<String, String> {
    let types = call.types()?;
    let values: Vec<_> = (0..types.len())
        .map(|at| argument(call, at, &types, WideNumbers::Numbers))
        .collect::<Result<_, _>>()?;
    let pairs: Vec<(Json, Json)> = match values.as_slice() {
        [Json::Array(names), Json::Array(values)] => {
            if names.len() != values.len() {
                return Err("The number of keys and values must match".to_owned());
            }
            names.iter().cloned().zip(values.iter().cloned()).collect()
        }
        flat if flat.len().is_multiple_of(2) => {
            flat.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
        }
        _ => return Err("JSON_OBJECT requires a value for each key".to_owned()),
    };
    let mut members: Vec<(Cow<str>, Json)> = Vec::new();
    let mut seen = HashSet::new();
    for (name, value) in pairs {
        match name {
            Json::String(name) if seen.insert(name.clone()) => members.push((name, value)),
            Json::String(_) => {}
            _ => return Err("A key of JSON_OBJECT must be a STRING that is not NULL".to_owned()),
        }
    }
    Ok(Json::Object(members).to_string())
}
