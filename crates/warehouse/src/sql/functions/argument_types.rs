//! Encodes types as text, to pass the types of arguments to SQL functions.

use std::borrow::Cow;

use super::json_text::Json;
use crate::types::{Field, Type};

/// Encodes types as JSON. A scalar type becomes its name, an array type becomes an array with its
/// element type, and a struct type becomes an object with its fields.
pub(super) fn write_types(types: impl IntoIterator<Item = Type>) -> String {
    Json::Array(types.into_iter().map(|of| write_type(&of)).collect()).to_string()
}

fn write_type(of: &Type) -> Json<'static> {
    match of {
        Type::Array(element) => Json::Array(vec![write_type(element)]),
        Type::Struct(fields) => {
            let member = |field: &Field| (Cow::Owned(field.name.clone()), write_type(&field.of));
            Json::Object(fields.iter().map(member).collect())
        }
        plain => Json::text(plain.schema_name()),
    }
}

/// Parses the output of [`write_types`].
pub(super) fn read_types(text: &str) -> Result<Vec<Type>, String> {
    let damaged = || "the argument types of a function call are damaged".to_owned();
    match Json::parse(text)? {
        Json::Array(types) => types.iter().map(read_type).collect::<Option<_>>(),
        _ => None,
    }
    .ok_or_else(damaged)
}

fn read_type(json: &Json) -> Option<Type> {
    Some(match json {
        Json::String(name) => Type::parse(name)?,
        Json::Array(of) => Type::Array(Box::new(read_type(of.first()?)?)),
        Json::Object(members) => Type::Struct(
            members
                .iter()
                .map(|(name, of)| Some(Field::new(name.as_ref(), read_type(of)?)))
                .collect::<Option<_>>()?,
        ),
        _ => return None,
    })
}
