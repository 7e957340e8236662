//! JavaScript operators and methods on values that may be known only in part.

use serde_json::Value;

use super::known::{Known, TRUTHY, UNKNOWN};
use crate::folder::dates;

/// Methods of a text that return a text.
const OF_TEXT: &str = "replace replaceAll slice substring trim toLowerCase toUpperCase toString concat padStart normalize";

fn decided<'t>(truth: Option<bool>) -> Known<'t> {
    truth.map_or(UNKNOWN, |truth| Known::Is(truth.into()))
}

fn from_number<'t>(number: f64) -> Known<'t> {
    serde_json::Number::from_f64(number).map_or(UNKNOWN, |number| Known::Is(number.into()))
}

/// Returns the value of a number literal.
pub fn number<'t>(code: &str) -> Known<'t> {
    code.replace('_', "").parse().map_or(UNKNOWN, from_number)
}

// Milliseconds since 1970 are far below the maximum of the type.
#[allow(clippy::cast_precision_loss)]
fn milliseconds(at: jiff::Timestamp) -> f64 {
    at.as_millisecond() as f64
}

pub fn now<'t>() -> Known<'t> {
    from_number(milliseconds(jiff::Timestamp::now()))
}

/// Returns a number, or the milliseconds of a date.
fn numeric(value: &Known<'_>) -> Option<f64> {
    match value {
        Known::Is(Value::Number(number)) => number.as_f64(),
        Known::Is(Value::String(text)) => {
            dates::instant(text, &jiff::tz::TimeZone::UTC).map(milliseconds)
        }
        _ => None,
    }
}

pub fn date<'t>(value: &Known<'t>) -> Known<'t> {
    numeric(value).map_or(TRUTHY, from_number)
}

/// Returns the text that JavaScript converts a value to.
pub fn spelled(value: &Known<'_>) -> Option<String> {
    match value {
        Known::Is(Value::String(text)) => Some(text.clone()),
        Known::Is(Value::Number(number)) => number.as_f64().map(|number| number.to_string()),
        Known::Is(value) => Some(value.to_string()),
        Known::Undefined => Some("undefined".to_owned()),
        _ => None,
    }
}

pub fn not<'t>(value: &Known<'t>) -> Known<'t> {
    decided(value.truth().map(|truth| !truth))
}

/// Returns the result of a binary operator.
pub fn two<'t>(operator: &str, left: Known<'t>, right: &dyn Fn() -> Known<'t>) -> Known<'t> {
    match (operator, left.truth()) {
        ("&&", Some(false)) | ("||", Some(true)) => return left,
        ("&&", Some(true)) | ("||", Some(false)) => return right(),
        ("&&" | "||", None) => {
            let (is_or, right) = (operator == "||", right());
            let truth = right.truth().filter(|truth| *truth == is_or);
            return Known::Vague(truth, is_or && left.is_text() && right.is_text());
        }
        ("??", _) => {
            return match left {
                Known::Undefined | Known::Is(Value::Null) => right(),
                Known::Vague(_, false) => left.or(right()),
                left => left,
            };
        }
        _ => {}
    }
    let right = right();
    let order = || numeric(&left)?.partial_cmp(&numeric(&right)?);
    decided(match operator {
        "==" | "===" => equal(&left, &right, operator.len() == 3),
        "!=" | "!==" => equal(&left, &right, operator.len() == 3).map(|equal| !equal),
        ">" => order().map(std::cmp::Ordering::is_gt),
        "<" => order().map(std::cmp::Ordering::is_lt),
        ">=" => order().map(std::cmp::Ordering::is_ge),
        "<=" => order().map(std::cmp::Ordering::is_le),
        "+" if left.is_text() || right.is_text() => return joined(&left, &right),
        _ => None,
    })
}

fn joined<'t>(left: &Known<'t>, right: &Known<'t>) -> Known<'t> {
    if let (Some(left), Some(right)) = (spelled(left), spelled(right)) {
        return Known::Is((left + &right).into());
    }
    let is_filled = |one: &Known<'_>| one.is_text() && one.truth() == Some(true);
    Known::Vague((is_filled(left) || is_filled(right)).then_some(true), true)
}

fn equal(left: &Known<'_>, right: &Known<'_>, is_strict: bool) -> Option<bool> {
    let is_nothing = |one: &Known<'_>| matches!(one, Known::Undefined | Known::Is(Value::Null));
    match (left, right) {
        (Known::Is(Value::Number(left)), Known::Is(Value::Number(right))) => {
            Some(left.as_f64() == right.as_f64())
        }
        (Known::Is(one), Known::Is(other)) if is_nothing(left) == is_nothing(right) => {
            let is_same_kind = std::mem::discriminant(one) == std::mem::discriminant(other);
            // Without `===`, values of different types may be equal.
            (is_strict || is_same_kind).then(|| one == other)
        }
        (Known::Undefined, Known::Undefined) => Some(true),
        (Known::Is(_) | Known::Undefined, Known::Is(_) | Known::Undefined) => {
            Some(!is_strict && is_nothing(left) && is_nothing(right))
        }
        // Only the truth of such a value may be known.
        _ => (is_strict && left.truth()? != right.truth()?).then_some(false),
    }
}

/// Returns the result of a method of a built-in JavaScript object.
pub fn of_global<'t>(of: &str, method: &str, arguments: &[Known<'t>]) -> Known<'t> {
    match (of, method, arguments) {
        ("Date", "now", []) => now(),
        ("Array", "isArray", [Known::Vague(..)]) => UNKNOWN,
        ("Array", "isArray", [one]) => decided(Some(matches!(one, Known::List(_)))),
        ("Object", "freeze", [one]) => one.clone(),
        ("Object", "keys" | "values" | "entries", [Known::Object(object)])
            if object.is_complete =>
        {
            let fields = object.fields.iter().map(|(key, value)| match method {
                "keys" => Known::Is(key.as_str().into()),
                "values" => value.clone(),
                _ => Known::List(vec![Known::Is(key.as_str().into()), value.clone()].into()),
            });
            Known::List(fields.collect::<Vec<_>>().into())
        }
        _ => UNKNOWN,
    }
}

/// Returns the result of a method of a value.
pub fn of<'t>(of: &Known<'t>, method: &str, arguments: &[Known<'t>]) -> Known<'t> {
    let first = arguments.first();
    match (of, method, first.and_then(Known::text)) {
        // A call on an absent value is an error, unless it is written as `?.`.
        (Known::Undefined, ..) => Known::Undefined,
        (Known::List(list), ..) => of_list(list, method, first),
        (_, "getTime" | "valueOf", _) => numeric(of).map_or(UNKNOWN, from_number),
        (Known::Is(Value::String(text)), "includes", Some(part)) => {
            decided(Some(text.contains(part)))
        }
        (Known::Is(Value::String(text)), "startsWith", Some(part)) if arguments.len() == 1 => {
            decided(Some(text.starts_with(part)))
        }
        (Known::Is(Value::String(text)), "endsWith", Some(part)) if arguments.len() == 1 => {
            decided(Some(text.ends_with(part)))
        }
        (Known::Is(Value::String(text)), "toLowerCase", _) => Known::Is(text.to_lowercase().into()),
        (Known::Is(Value::String(text)), "toUpperCase", _) => Known::Is(text.to_uppercase().into()),
        (Known::Is(Value::String(text)), "trim", _) => Known::Is(text.trim().into()),
        (of, method, _) if of.is_text() && OF_TEXT.split(' ').any(|name| name == method) => {
            Known::Vague(None, true)
        }
        _ => UNKNOWN,
    }
}

fn of_list<'t>(list: &[Known<'t>], method: &str, first: Option<&Known<'t>>) -> Known<'t> {
    let truth = |one: &Known<'t>| match first {
        Some(Known::Function(function)) => function.call(std::slice::from_ref(one)).truth(),
        _ => None,
    };
    match (method, first) {
        ("includes" | "has", Some(wanted)) => any(list.iter().map(|one| equal(one, wanted, true))),
        ("some", _) => any(list.iter().map(truth)),
        ("every", _) => any(list.iter().map(|one| Some(!truth(one)?))).map(|fails| !fails),
        ("filter", _) => {
            let kept = list.iter().map(|one| Some(truth(one)?.then(|| one.clone())));
            let kept: Option<Vec<Option<Known<'t>>>> = kept.collect();
            return kept.map_or(TRUTHY, |kept| {
                Known::List(kept.into_iter().flatten().collect::<Vec<_>>().into())
            });
        }
        _ => None,
    }
    .map_or(UNKNOWN, |truth| Known::Is(truth.into()))
}

/// Returns whether at least one condition holds, or `None` if that is unknown.
fn any(truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut found = Some(false);
    for truth in truths {
        match truth {
            Some(true) => return Some(true),
            Some(false) => {}
            None => found = None,
        }
    }
    found
}
