//! Records that API clients send as JSON objects. The declarations of their fields define how to
//! parse and describe them.

use std::borrow::Cow;
use std::fmt::{self, Formatter};
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::field_type::Build;
use super::shape::{Field, Form, Kind, Need, Shape, lines};

/// A record that can be parsed from JSON that a client sends.
pub trait Receive: Build {
    /// Parses the record from the fields of an object. Unknown fields are ignored.
    fn receive<'de, A: MapAccess<'de>>(object: A) -> Result<Self, A::Error>;
}

/// A record that a client sent as JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent<T>(pub T);

impl<'de, T: Receive> Deserialize<'de> for Sent<T> {
    fn deserialize<D: Deserializer<'de>>(sent: D) -> Result<Self, D::Error> {
        object(sent).map(Self)
    }
}

impl<T: Receive> JsonSchema for Sent<T> {
    fn schema_name() -> Cow<'static, str> {
        match T::SHAPE.name {
            name if name.ends_with("Input") => name.into(),
            name => format!("{name}Input").into(),
        }
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for field in T::SHAPE.all_fields() {
            properties.insert(field.key.into(), field_schema(field, generator).into());
            if is_required(field) {
                required.push(field.key);
            }
        }
        let mut schema = json_schema!({
            "type": "object",
            "description": lines(T::SHAPE.means),
            "properties": properties,
        });
        if !required.is_empty() {
            schema.insert("required".into(), json!(required));
        }
        schema
    }
}

impl<T: Serialize> Serialize for Sent<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Parses a record from a JSON object.
pub fn object<'de, T: Receive, D: Deserializer<'de>>(sent: D) -> Result<T, D::Error> {
    sent.deserialize_struct(T::SHAPE.name, &[], ObjectVisitor(PhantomData))
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Receive> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<T, A::Error> {
        T::receive(object)
    }
}

/// Pattern of an `http:` or `https:` URL, or an empty string. JavaScript's `\s` does not contain U+0085,
/// which is whitespace in Unicode.
pub const HTTP_URL: &str = concat!(
    r"^([Hh][Tt][Tt][Pp][Ss]?://",
    r"[^\s/?#\x00-\x1F\x85\uFFFE\uFFFF][^\s\x00-\x1F\x85\uFFFE\uFFFF]*)?$"
);

/// Returns whether a client must send a field. A field with a fixed list of words is not required,
/// since the first word is the default.
fn is_required(field: &Field) -> bool {
    match field.need {
        Need::Required => true,
        Need::Filled => !matches!(field.kind, Kind::Word(_)),
        Need::Optional | Need::Instead | Need::Foreign => false,
    }
}

/// Returns the schema of a field, with its bounds.
fn field_schema(field: &Field, generator: &mut SchemaGenerator) -> Schema {
    let mut schema = (field.input_schema)(generator);
    for (key, value) in declared_bounds(field) {
        schema.insert(key, value);
    }
    schema
}

/// Adds declared bounds to the properties of an object, and descriptions to properties without one.
/// The key of a property is `prefix` followed by the key of the field.
pub fn add_declared(schema: &mut Schema, table: &Shape, prefix: &str) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    for field in table.all_fields() {
        let property = properties.get_mut(&format!("{prefix}{}", field.key));
        if let Some(Value::Object(property)) = property {
            let mut declared_bounds = declared_bounds(field);
            declared_bounds.extend(property.remove_entry("description"));
            property.extend(declared_bounds);
        }
    }
}

/// Returns the bounds and the description of a field, in JSON Schema.
fn declared_bounds(field: &Field) -> Map<String, Value> {
    let mut declared_bounds = Map::new();
    let mut add = |key: &str, value: Value| drop(declared_bounds.insert(key.into(), value));
    let is_required = is_required(field);
    match field.kind {
        Kind::Word([first, ..]) if field.need == Need::Filled => add("default", json!(first)),
        Kind::Text(max) | Kind::Known(max, ..) => {
            if is_required {
                add("minLength", json!(1));
            }
            add("maxLength", json!(max));
        }
        Kind::Address if is_required => add("minLength", json!(1)),
        Kind::Url => add("pattern", json!(HTTP_URL)),
        Kind::Form(Form { pattern: Some(pattern), .. }) => add("pattern", json!(pattern)),
        Kind::Seconds | Kind::WholeSeconds => add("minimum", json!(0)),
        Kind::Between(min, max) => {
            add("minimum", json!(min));
            add("maximum", json!(max));
        }
        _ => {}
    }
    add("description", json!(lines(field.means)));
    declared_bounds
}
