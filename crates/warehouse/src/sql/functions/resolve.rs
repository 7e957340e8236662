//! Finds the declaration that matches a call, and generates the SQL of the call.

use super::argument_types::write_types;
use super::cast;
use super::declare::{Function, Pattern};
use crate::sql::expression::{Argument, Expression, Part};
use crate::sql::sqlite_literals::text_sql;
use crate::types::Type;

/// Maximum number of arguments in a call. SQLite's limit is 127.
const MAX_ARGUMENTS: usize = 100;

/// Binds a call to the declaration that matches with the fewest conversions.
pub(super) fn resolve(
    overloads: &[Function],
    arguments: &[Argument],
    is_safe: bool,
) -> Result<Expression, String> {
    if arguments.len() > MAX_ARGUMENTS {
        return Err(format!("a function supports at most {MAX_ARGUMENTS} arguments"));
    }
    let mut best: Option<(u32, &Function, Option<Type>)> = None;
    let mut refused = None;
    for function in overloads {
        match fit(function, arguments) {
            Fit::Costs(cost, t) if best.as_ref().is_none_or(|(least, ..)| cost < *least) => {
                best = Some((cost, function, t));
            }
            Fit::Part(cost, part) if refused.is_none_or(|(least, _)| cost < least) => {
                refused = Some((cost, part));
            }
            _ => {}
        }
    }
    match (best, refused) {
        // If a date part is invalid for a value's type, reports an error instead of converting the
        // value to a type that supports the part.
        (best, Some((least, part))) if best.as_ref().is_none_or(|(cost, ..)| least < *cost) => {
            Err(format!(
                "{} does not support the {} date part",
                overloads.first().map_or("", Function::name),
                part.name()
            ))
        }
        (Some((_, function, t)), _) => call_sql(function, t.as_ref(), arguments, is_safe),
        (None, _) => Err(mismatch(overloads, arguments)),
    }
}

/// The result of matching arguments with a declaration.
enum Fit {
    /// The arguments do not match.
    No,
    /// The arguments match, with this cost of conversions, but the function does not support this
    /// date part.
    Part(u32, Part),
    /// The arguments match, with this cost of conversions and this type for `T`.
    Costs(u32, Option<Type>),
}

fn fit(function: &Function, arguments: &[Argument]) -> Fit {
    let Some(parameters) = function.takes.parameters_for(arguments.len()) else {
        return Fit::No;
    };
    let pairs: Vec<_> = parameters.zip(arguments).collect();
    let Ok(t) = common(&pairs) else {
        return Fit::No;
    };
    let mut total = 0;
    let mut refused = None;
    for (parameter, argument) in pairs {
        let cost = match (parameter, argument) {
            (Pattern::Part, Argument::Part(part))
            | (Pattern::Interval, Argument::Interval(_, part)) => {
                if !has_part(function.parts, *part) {
                    refused = Some(*part);
                }
                Some(0)
            }
            // A name such as `day` can be a date part for one function and a column for another.
            (Pattern::Part | Pattern::Interval, _) => None,
            (_, Argument::Part(_) | Argument::Interval(..)) => None,
            (Pattern::Any, Argument::Value(_)) => Some(1),
            (pattern, Argument::Value(value)) => {
                parameter_type(pattern, t.as_ref()).and_then(|to| cost_of(value, &to))
            }
        };
        match cost {
            Some(cost) => total += cost,
            None => return Fit::No,
        }
    }
    match refused {
        Some(part) => Fit::Part(total, part),
        None => Fit::Costs(total, t),
    }
}

fn has_part(parts: &[Part], part: Part) -> bool {
    parts.contains(&part) || (matches!(part, Part::WeekFrom(_)) && parts.contains(&Part::Week))
}

/// Returns the type of `T` in a call, or `None` if the declaration has no `T`. If every argument
/// for `T` is NULL, returns INT64.
fn common(pairs: &[(&Pattern, &Argument)]) -> Result<Option<Type>, ()> {
    let mut common: Option<&Expression> = None;
    let mut has_t = false;
    let mut found: Option<Type> = None;
    for (pattern, argument) in pairs {
        let Argument::Value(value) = argument else {
            continue;
        };
        let of = match (pattern, &value.of) {
            (Pattern::T, of) => of.clone(),
            (Pattern::ArrayOfT, Some(Type::Array(element))) => Some((**element).clone()),
            (Pattern::ArrayOfT, None) => None,
            (Pattern::ArrayOfT, Some(_)) => return Err(()),
            _ => continue,
        };
        has_t = true;
        let Some(of) = of else { continue };
        found = match found {
            None => Some(of.clone()),
            Some(before) if before == of => Some(before),
            Some(before) if cost_of(value, &before).is_some() => Some(before),
            Some(before)
                if widens(&before, &of) || common.is_some_and(|c| cost_of(c, &of).is_some()) =>
            {
                Some(of.clone())
            }
            Some(_) => return Err(()),
        };
        common = Some(value);
    }
    Ok(has_t.then(|| found.unwrap_or(Type::Integer)))
}

fn widens(from: &Type, to: &Type) -> bool {
    matches!((from, to), (Type::Integer, Type::Float) | (Type::Date, Type::DateTime))
}

fn parameter_type(pattern: &Pattern, t: Option<&Type>) -> Option<Type> {
    match pattern {
        Pattern::Of(of) => Some(of.clone()),
        Pattern::T => t.cloned(),
        Pattern::ArrayOfT => t.map(|t| Type::Array(Box::new(t.clone()))),
        Pattern::Any | Pattern::Part | Pattern::Interval => None,
    }
}

/// Returns the cost of converting a value to a type, or `None` if the conversion is impossible.
fn cost_of(value: &Expression, to: &Type) -> Option<u32> {
    let Some(from) = &value.of else {
        return Some(1);
    };
    match to {
        to if from == to => Some(0),
        to if widens(from, to) => Some(2),
        Type::Date | Type::Time | Type::DateTime | Type::Timestamp if value.literal.is_some() => {
            Some(4)
        }
        Type::Json | Type::Bytes if value.literal.is_some() => Some(8),
        _ => None,
    }
}

fn call_sql(
    function: &Function,
    t: Option<&Type>,
    arguments: &[Argument],
    is_safe: bool,
) -> Result<Expression, String> {
    for (at, check) in &function.checks {
        if let Some(Argument::Value(Expression { literal: Some(text), .. })) = arguments.get(*at) {
            check(text)?;
        }
    }
    let mut said = Vec::new();
    for (parameter, argument) in
        function.takes.parameters_for(arguments.len()).into_iter().flatten().zip(arguments)
    {
        match argument {
            Argument::Value(value) => said.push(match parameter_type(parameter, t) {
                Some(to) => coerce(value, &to)?,
                None => value.sql.clone(),
            }),
            Argument::Part(part) => said.push(text_sql(part.name())),
            Argument::Interval(count, part) => {
                said.push(count.sql.clone());
                said.push(text_sql(part.name()));
            }
        }
    }
    if function.receives_types {
        let types = arguments.iter().map(|argument| match argument {
            Argument::Value(Expression { of: Some(of), .. }) => of.clone(),
            _ => Type::String,
        });
        said.push(text_sql(&write_types(types)));
    }
    let of = parameter_type(&function.gives, t).unwrap_or(Type::String);
    Ok(Expression::new(function.sql(&said, is_safe), of))
}

/// Returns SQL that converts a value to this type.
pub(super) fn coerce(value: &Expression, to: &Type) -> Result<String, String> {
    match (&value.of, &value.literal) {
        (Some(from), _) if from == to => Ok(value.sql.clone()),
        (Some(_), Some(text)) => cast::literal(text, to),
        (Some(_), None) => Ok(cast::cast(value, to, false)?.sql),
        (None, _) => Ok(value.sql.clone()),
    }
}

fn mismatch(overloads: &[Function], arguments: &[Argument]) -> String {
    let name = overloads.first().map_or("", Function::name);
    let types: Vec<_> = arguments.iter().map(type_name).collect();
    let given = if types.is_empty() {
        "no arguments".to_owned()
    } else {
        format!("argument types: {}", types.join(", "))
    };
    let supported: Vec<_> = overloads
        .iter()
        .map(|function| function.signature().split(" -> ").next().unwrap_or_default())
        .collect();
    format!(
        "No matching signature for function {name} for {given}. Supported: {}",
        supported.join("; ")
    )
}

fn type_name(argument: &Argument) -> String {
    match argument {
        Argument::Value(Expression { of: Some(of), .. }) => of.to_string(),
        Argument::Value(_) => "NULL".to_owned(),
        Argument::Part(part) => part.name().to_owned(),
        Argument::Interval(_, part) => format!("INTERVAL INT64 {}", part.name()),
    }
}
