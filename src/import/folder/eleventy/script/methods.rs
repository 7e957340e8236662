//! JavaScript operators and methods on values that may be known only in part.

use serde_json::Value;

use super::known::{AbstractValue, TRUTHY, UNKNOWN};
use crate::folder::dates;

/// String methods that return a string.
const TEXT_METHODS: &str = "replace replaceAll slice substring trim toLowerCase toUpperCase toString concat padStart normalize";

fn from_truth<'t>(truth: Option<bool>) -> AbstractValue<'t> {
    truth.map_or(UNKNOWN, |truth| AbstractValue::Is(truth.into()))
}

fn from_number<'t>(number: f64) -> AbstractValue<'t> {
    serde_json::Number::from_f64(number).map_or(UNKNOWN, |number| AbstractValue::Is(number.into()))
}

/// Parses a number literal.
pub fn number<'t>(code: &str) -> AbstractValue<'t> {
    code.replace('_', "").parse().map_or(UNKNOWN, from_number)
}

// Milliseconds since 1970 are far below the maximum of the type.
#[allow(clippy::cast_precision_loss)]
fn milliseconds(at: jiff::Timestamp) -> f64 {
    at.as_millisecond() as f64
}

pub fn now<'t>() -> AbstractValue<'t> {
    from_number(milliseconds(jiff::Timestamp::now()))
}

/// Returns a number, or a date as milliseconds since 1970.
fn numeric(value: &AbstractValue<'_>) -> Option<f64> {
    match value {
        AbstractValue::Is(Value::Number(number)) => number.as_f64(),
        AbstractValue::Is(Value::String(text)) => {
            dates::instant(text, &jiff::tz::TimeZone::UTC).map(milliseconds)
        }
        _ => None,
    }
}

pub fn date<'t>(value: &AbstractValue<'t>) -> AbstractValue<'t> {
    numeric(value).map_or(TRUTHY, from_number)
}

/// Converts a value to a string by JavaScript's rules.
pub fn to_text(value: &AbstractValue<'_>) -> Option<String> {
    match value {
        AbstractValue::Is(Value::String(text)) => Some(text.clone()),
        AbstractValue::Is(Value::Number(number)) => {
            number.as_f64().map(|number| number.to_string())
        }
        AbstractValue::Is(value) => Some(value.to_string()),
        AbstractValue::Undefined => Some("undefined".to_owned()),
        _ => None,
    }
}

pub fn negated<'t>(value: &AbstractValue<'t>) -> AbstractValue<'t> {
    from_truth(value.truth().map(|truth| !truth))
}

/// Returns the result of a binary operator.
pub fn binary_result<'t>(
    operator: &str,
    left: AbstractValue<'t>,
    right: &dyn Fn() -> AbstractValue<'t>,
) -> AbstractValue<'t> {
    match (operator, left.truth()) {
        ("&&", Some(false)) | ("||", Some(true)) => return left,
        ("&&", Some(true)) | ("||", Some(false)) => return right(),
        ("&&" | "||", None) => {
            let (is_or, right) = (operator == "||", right());
            let truth = right.truth().filter(|truth| *truth == is_or);
            return AbstractValue::Vague(truth, is_or && left.is_text() && right.is_text());
        }
        ("??", _) => {
            return match left {
                AbstractValue::Undefined | AbstractValue::Is(Value::Null) => right(),
                AbstractValue::Vague(_, false) => left.or(right()),
                left => left,
            };
        }
        _ => {}
    }
    let right = right();
    let order = || numeric(&left)?.partial_cmp(&numeric(&right)?);
    from_truth(match operator {
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

fn joined<'t>(left: &AbstractValue<'t>, right: &AbstractValue<'t>) -> AbstractValue<'t> {
    if let (Some(left), Some(right)) = (to_text(left), to_text(right)) {
        return AbstractValue::Is((left + &right).into());
    }
    let is_filled = |one: &AbstractValue<'_>| one.is_text() && one.truth() == Some(true);
    AbstractValue::Vague((is_filled(left) || is_filled(right)).then_some(true), true)
}

fn equal(left: &AbstractValue<'_>, right: &AbstractValue<'_>, is_strict: bool) -> Option<bool> {
    let is_nothing = |one: &AbstractValue<'_>| {
        matches!(one, AbstractValue::Undefined | AbstractValue::Is(Value::Null))
    };
    match (left, right) {
        (AbstractValue::Is(Value::Number(left)), AbstractValue::Is(Value::Number(right))) => {
            Some(left.as_f64() == right.as_f64())
        }
        (AbstractValue::Is(one), AbstractValue::Is(other))
            if is_nothing(left) == is_nothing(right) =>
        {
            let is_same_kind = std::mem::discriminant(one) == std::mem::discriminant(other);
            // The operator `==` converts values of different types, so their comparison is unknown.
            (is_strict || is_same_kind).then(|| one == other)
        }
        (AbstractValue::Undefined, AbstractValue::Undefined) => Some(true),
        (
            AbstractValue::Is(_) | AbstractValue::Undefined,
            AbstractValue::Is(_) | AbstractValue::Undefined,
        ) => Some(!is_strict && is_nothing(left) && is_nothing(right)),
        // Other values are known to differ only if exactly one of them is truthy.
        _ => (is_strict && left.truth()? != right.truth()?).then_some(false),
    }
}

/// Returns the result of calling a method of a built-in JavaScript object.
pub fn global_method_result<'t>(
    of: &str,
    method: &str,
    arguments: &[AbstractValue<'t>],
) -> AbstractValue<'t> {
    match (of, method, arguments) {
        ("Date", "now", []) => now(),
        ("Array", "isArray", [AbstractValue::Vague(..)]) => UNKNOWN,
        ("Array", "isArray", [one]) => from_truth(Some(matches!(one, AbstractValue::List(_)))),
        ("Object", "freeze", [one]) => one.clone(),
        ("Object", "keys" | "values" | "entries", [AbstractValue::Object(object)])
            if object.is_complete =>
        {
            let fields = object.fields.iter().map(|(key, value)| match method {
                "keys" => AbstractValue::Is(key.as_str().into()),
                "values" => value.clone(),
                _ => AbstractValue::List(
                    vec![AbstractValue::Is(key.as_str().into()), value.clone()].into(),
                ),
            });
            AbstractValue::List(fields.collect::<Vec<_>>().into())
        }
        _ => UNKNOWN,
    }
}

/// Returns the result of calling a built-in method of a value.
pub fn of<'t>(
    of: &AbstractValue<'t>,
    method: &str,
    arguments: &[AbstractValue<'t>],
) -> AbstractValue<'t> {
    let first = arguments.first();
    match (of, method, first.and_then(AbstractValue::text)) {
        // Calling a method of an undefined value is an error, unless the call uses `?.`.
        (AbstractValue::Undefined, ..) => AbstractValue::Undefined,
        (AbstractValue::List(list), ..) => list_method_result(list, method, first),
        (_, "getTime" | "valueOf", _) => numeric(of).map_or(UNKNOWN, from_number),
        (AbstractValue::Is(Value::String(text)), "includes", Some(part)) => {
            from_truth(Some(text.contains(part)))
        }
        (AbstractValue::Is(Value::String(text)), "startsWith", Some(part))
            if arguments.len() == 1 =>
        {
            from_truth(Some(text.starts_with(part)))
        }
        (AbstractValue::Is(Value::String(text)), "endsWith", Some(part))
            if arguments.len() == 1 =>
        {
            from_truth(Some(text.ends_with(part)))
        }
        (AbstractValue::Is(Value::String(text)), "toLowerCase", _) => {
            AbstractValue::Is(text.to_lowercase().into())
        }
        (AbstractValue::Is(Value::String(text)), "toUpperCase", _) => {
            AbstractValue::Is(text.to_uppercase().into())
        }
        (AbstractValue::Is(Value::String(text)), "trim", _) => {
            AbstractValue::Is(text.trim().into())
        }
        (of, method, _) if of.is_text() && TEXT_METHODS.split(' ').any(|name| name == method) => {
            AbstractValue::Vague(None, true)
        }
        _ => UNKNOWN,
    }
}

fn list_method_result<'t>(
    list: &[AbstractValue<'t>],
    method: &str,
    first: Option<&AbstractValue<'t>>,
) -> AbstractValue<'t> {
    let truth = |one: &AbstractValue<'t>| match first {
        Some(AbstractValue::Function(function)) => function.call(std::slice::from_ref(one)).truth(),
        _ => None,
    };
    match (method, first) {
        ("includes" | "has", Some(wanted)) => any(list.iter().map(|one| equal(one, wanted, true))),
        ("some", _) => any(list.iter().map(truth)),
        ("every", _) => any(list.iter().map(|one| Some(!truth(one)?))).map(|fails| !fails),
        ("filter", _) => {
            let filtered = list.iter().map(|one| Some(truth(one)?.then(|| one.clone())));
            let filtered: Option<Vec<Option<AbstractValue<'t>>>> = filtered.collect();
            return filtered.map_or(TRUTHY, |filtered| {
                AbstractValue::List(filtered.into_iter().flatten().collect::<Vec<_>>().into())
            });
        }
        _ => None,
    }
    .map_or(UNKNOWN, |truth| AbstractValue::Is(truth.into()))
}

/// Returns whether at least one condition is true, or `None` if this is unknown.
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
