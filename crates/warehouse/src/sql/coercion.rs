//! Implicit conversions between types.

use super::bind_error::type_name;
use super::expression::Expression;
use super::functions;
use crate::types::{Field, Type};

/// Returns whether values of type `a` are stored in the same form as values of type `b`.
fn has_same_stored_form(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Untyped, _) => true,
        (Type::Array(a), Type::Array(b)) => has_same_stored_form(a, b),
        (Type::Struct(a), Type::Struct(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(a, b)| a.has_name(&b.name) && has_same_stored_form(&a.of, &b.of))
        }
        (a, b) => a == b,
    }
}

/// Returns whether values other than literals can be coerced to another type. The fields of structs
/// are matched by position, not by name.
fn widens(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Untyped, _) | (Type::Integer, Type::Float) | (Type::Date, Type::DateTime) => true,
        (Type::Struct(from), Type::Struct(to)) => {
            from.len() == to.len() && from.iter().zip(to).all(|(a, b)| widens(&a.of, &b.of))
        }
        (Type::Array(from), Type::Array(to)) => is_renamed(from, to),
        (from, to) => from == to,
    }
}

/// Returns whether two types differ only in the names of their fields.
fn is_renamed(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Untyped, _) => true,
        (Type::Array(a), Type::Array(b)) => is_renamed(a, b),
        (Type::Struct(a), Type::Struct(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_renamed(&a.of, &b.of))
        }
        (a, b) => a == b,
    }
}

/// Returns the struct type that both struct types can be converted to. The field names are taken
/// from the first type, and each field's type is wide enough for both types.
fn common_struct(a: &Type, b: &Type) -> Option<Type> {
    let (Type::Struct(first), Type::Struct(second)) = (a, b) else {
        return None;
    };
    let fields = first.iter().zip(second).map(|(first, second)| {
        let of = match (&first.of, &second.of) {
            (own, other) if widens(other, own) => own.clone(),
            (own, other) => match common_struct(own, other) {
                Some(both) => both,
                None if widens(own, other) => other.clone(),
                None => return None,
            },
        };
        Some(Field { of, ..first.clone() })
    });
    (first.len() == second.len()).then(|| fields.collect::<Option<_>>().map(Type::Struct))?
}

fn takes_literals(of: &Type) -> bool {
    matches!(of, Type::Date | Type::Time | Type::DateTime | Type::Timestamp)
}

/// Returns whether an expression can be used where this type is required.
pub(super) fn fits(value: &Expression, to: &Type) -> bool {
    let Some(from) = &value.of else {
        return true;
    };
    has_same_stored_form(from, to)
        || widens(from, to)
        || (value.literal.is_some() && *from == Type::String && takes_literals(to))
        || (is_empty(value) && matches!(to, Type::Array(_)))
}

/// Returns whether an expression is the literal `[]`, which can be an array of any type.
pub(super) fn is_empty(value: &Expression) -> bool {
    value.sql == "'[]'"
}

/// Converts an expression to the required type. The error explains why a conversion is impossible.
pub(super) fn coerce(value: Expression, to: &Type) -> Result<Expression, String> {
    let of = Some(to.clone());
    match &value.of {
        None => Ok(Expression { of, ..value }),
        Some(from) if has_same_stored_form(from, to) => Ok(value),
        Some(Type::Integer) if *to == Type::Float => {
            Ok(Expression::new(format!("CAST({} AS REAL)", value.sql), Type::Float))
        }
        Some(Type::Array(_)) if is_empty(&value) && matches!(to, Type::Array(_)) => {
            Ok(Expression { of, ..value })
        }
        Some(_) if fits(&value, to) => match &value.literal {
            Some(text) => {
                Ok(Expression::new(format!("({})", functions::literal(text, to)?), to.clone()))
            }
            None => functions::cast(&value, to, false),
        },
        from => Err(format!(
            "a value of type {} is not allowed: must be {to}",
            type_name(from.as_ref())
        )),
    }
}

/// Returns the common type of all values, or `None` if all values are NULL.
pub(super) fn common<'e>(
    values: impl IntoIterator<Item = &'e Expression>,
) -> Result<Option<Type>, String> {
    let mut values_of: Vec<&Expression> =
        values.into_iter().filter(|value| value.of.is_some()).collect();
    // Literals come last, because they are converted to the type of the other values.
    values_of.sort_by_key(|value| (value.literal.is_some(), is_empty(value)));
    let mut found: Option<Type> = None;
    for value in &values_of {
        let Some(of) = &value.of else { continue };
        found = match found {
            None => Some(of.clone()),
            Some(before) if fits(value, &before) => Some(before),
            // Uses the field names of the first struct, even if another struct has wider fields.
            Some(before) if common_struct(&before, of).is_some() => common_struct(&before, of),
            Some(before) if fits(&Expression::new("", before.clone()), of) => Some(of.clone()),
            Some(before) => {
                return Err(format!("{before} and {of} have no common type: CAST one of them"));
            }
        };
    }
    Ok(found)
}

/// Converts the values to their common type.
pub(super) fn unify(values: Vec<Expression>) -> Result<(Vec<Expression>, Option<Type>), String> {
    let Some(of) = common(&values)? else {
        return Ok((values, None));
    };
    let values = values.into_iter().map(|value| coerce(value, &of)).collect::<Result<_, _>>()?;
    Ok((values, Some(of)))
}

/// Returns an error if values of this type cannot be compared. `operation` is the name of the
/// operation, for the error message.
pub(super) fn check_comparable(of: Option<&Type>, operation: &str) -> Result<(), String> {
    match of {
        Some(of @ (Type::Json | Type::Array(_) | Type::Struct(_))) => {
            Err(format!("{operation} is not defined for the type {}", family(of)))
        }
        _ => Ok(()),
    }
}

fn family(of: &Type) -> &'static str {
    match of {
        Type::Array(_) => "ARRAY",
        Type::Struct(_) => "STRUCT",
        other => other.schema_name(),
    }
}
