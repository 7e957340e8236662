//! Parses bodies and queries into types. Errors name the invalid field.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use super::strict_json::StrictJson;
use super::{Operation, bounds};
use api_shared::ApiError;

/// The name of the extension object in the input types. If a site uses another name, the name is
/// replaced before parsing.
pub const EXTENSION: &str = "_service";

/// A field of an update: omitted, null or set to a value.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Patch<T> {
    /// The field was omitted, so the current value stays.
    #[default]
    Omitted,
    /// The field was null, so the current value is cleared.
    Null,
    /// The field had a value, which replaces the current value.
    Value(T),
}

impl<T> Patch<T> {
    /// Returns the value, if there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Omitted | Self::Null => None,
        }
    }

    /// Returns whether the field was sent.
    pub fn is_sent(&self) -> bool {
        !self.is_omitted()
    }

    pub(super) fn is_omitted(&self) -> bool {
        matches!(self, Self::Omitted)
    }
}

/// Serializes as null or the value. Use `skip_serializing_if` to leave out omitted fields.
impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Option::deserialize(deserializer)? {
            Some(value) => Self::Value(value),
            None => Self::Null,
        })
    }
}

impl<T: JsonSchema> JsonSchema for Patch<T> {
    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }

    fn inline_schema() -> bool {
        true
    }
}

/// Parses the body of an operation.
pub fn body<T: DeserializeOwned>(
    operation: &Operation,
    bytes: &[u8],
    namespace: &str,
) -> Result<T, ApiError> {
    let mut value: Value = serde_json::from_slice(bytes)
        .map_err(|error| ApiError::bad(format!("the body is not valid JSON: {error}")))?;
    let own = format!("_{namespace}");
    if own != EXTENSION
        && let Value::Object(object) = &mut value
        && let Some(extension) = object.remove(&own)
    {
        object.insert(EXTENSION.into(), extension);
    }
    let invalid = |path: &str, why: String| {
        ApiError::bad(match path {
            "" | "." => format!("the body: {why}"),
            path => format!("{path}: {why}"),
        })
    };
    if let Some((path, why)) = bounds::find_exceeded_bound(operation, &value) {
        return Err(invalid(&path, why));
    }
    serde_path_to_error::deserialize(StrictJson(value))
        .map_err(|error| invalid(&error.path().to_string(), error.inner().to_string()))
}

/// Parses a query. Unknown parameters are ignored, and a repeated parameter is an error.
pub fn query<T: DeserializeOwned>(query: &str) -> Result<T, ApiError> {
    check_utf8(query)?;
    let pairs = serde_urlencoded::Deserializer::new(form_urlencoded::parse(query.as_bytes()));
    serde_path_to_error::deserialize(pairs).map_err(|error| {
        let path = error.path().to_string();
        ApiError::bad(match path.as_str() {
            "." => error.inner().to_string(),
            path => format!("{path}: {}", error.inner()),
        })
    })
}

/// Rejects a query that is not valid UTF-8. Lenient decoding would change the parameters.
fn check_utf8(query: &str) -> Result<(), ApiError> {
    let broken = query.split('&').find(|pair| percent_decode_str(pair).decode_utf8().is_err());
    match broken {
        None => Ok(()),
        Some(pair) => {
            let name = pair.split('=').next().unwrap_or_default();
            Err(ApiError::bad(format!("{name}: invalid UTF-8")))
        }
    }
}

/// Adds an alternative name for a field to the schema. The field must accept this name as a serde
/// `alias`.
pub fn add_alias(schema: &mut Schema, name: &str, alias: &str) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties")
        && let Some(mut field) = properties.get(name).cloned()
    {
        field["description"] = format!("Another name for `{name}`, which some clients use.").into();
        properties.insert(alias.to_owned(), field);
    }
}

/// A pattern for a comma-separated list of statuses without duplicates.
pub const STATUSES: &str = concat!(
    "^(published(,unlisted(,unpublished)?|,unpublished(,unlisted)?)?",
    "|unlisted(,published(,unpublished)?|,unpublished(,published)?)?",
    "|unpublished(,published(,unlisted)?|,unlisted(,published)?)?)$",
);

/// Parses a comma-separated list of names without duplicates.
pub fn parse_name_list<T: Copy>(
    field: &str,
    text: &str,
    known: &[(&str, T)],
) -> Result<Vec<T>, ApiError> {
    let names: Vec<&str> = text.split(',').collect();
    let invalid = || {
        let all: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        ApiError::bad(format!(
            "{field}: must be a comma-separated list of {}, each at most once",
            all.join(", ")
        ))
    };
    let mut found = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let (_, value) = known.iter().find(|(own, _)| own == name).ok_or_else(invalid)?;
        if names[..at].contains(name) {
            return Err(invalid());
        }
        found.push(*value);
    }
    Ok(found)
}
