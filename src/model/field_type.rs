//! Rust types of record fields, and the conversion of values to these types.

use std::any::Any;
use std::fmt::{self, Formatter};
use std::marker::PhantomData;

use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde_json::{Value, json};

use super::record::{FieldValue, Record};
use super::shape::{Field, Kind, Need, Shape};

/// The value of a field, as read from a file.
pub enum ReadValue {
    Text(String),
    Number(f64),
    Count(u64),
    Integer(i64),
    Flag(bool),
    Time(Timestamp),
    /// A value of the field's own type. A single record is passed as a list of one record.
    Made(Box<dyn Any>),
}

/// Implements the conversion of Rust types into [`ReadValue`].
macro_rules! read_values {
    ($($type:ty => |$value:ident| $given:expr,)+) => {$(
        impl From<$type> for ReadValue {
            fn from($value: $type) -> Self {
                $given
            }
        }
    )+};
}

read_values! {
    String => |text| Self::Text(text),
    f64 => |number| Self::Number(number),
    u64 => |number| Self::Count(number),
    u8 => |number| Self::Integer(number.into()),
    u32 => |number| Self::Integer(number.into()),
    usize => |number| Self::Integer(number.try_into().unwrap_or(i64::MAX)),
    i64 => |number| Self::Integer(number),
    bool => |flag| Self::Flag(flag),
    Vec<u32> => |numbers| Self::Made(Box::new(numbers)),
}

/// A record that can be built from the values that were read from a file.
pub trait Build: Sized {
    /// Declaration of the record's fields.
    const SHAPE: &'static Shape;

    /// Builds the record from the values of its fields, in the order of their declaration. Returns
    /// None if a required value is missing.
    fn build(given: Vec<Option<ReadValue>>) -> Option<Self>;
}

/// A Rust type that a field can have.
pub trait FieldType: Sized {
    /// Borrows the value.
    fn borrow_value(&self) -> FieldValue<'_>;

    /// Converts a value that was read from a file. Returns None if a required value is missing.
    fn take(given: Option<ReadValue>, need: Need) -> Option<Self>;

    /// Deserializes the value that a client sent.
    fn receive<'de, D: Deserializer<'de>>(sent: D) -> Result<Self, D::Error>;

    /// Returns the value of a field that a client left out. Returns None if the field is required.
    fn left_out(need: Need) -> Option<Self> {
        let is_optional = need == Need::Optional;
        is_optional.then(|| Self::take(None, need))?
    }

    /// Returns the fields of the record, or of the records in the list. Returns None for other
    /// types.
    fn inner() -> Option<&'static Shape> {
        None
    }

    /// Whether the type holds several values.
    const IS_LIST: bool = false;

    /// Returns the JSON Schema of the value in output documents.
    fn schema(generator: &mut SchemaGenerator) -> Schema;

    /// Returns the JSON Schema of the value that clients send.
    fn input_schema(generator: &mut SchemaGenerator) -> Schema {
        Self::schema(generator)
    }
}

impl<T: FieldType> FieldType for Option<T> {
    fn borrow_value(&self) -> FieldValue<'_> {
        self.as_ref().map_or(FieldValue::Nothing, T::borrow_value)
    }

    fn take(given: Option<ReadValue>, need: Need) -> Option<Self> {
        Some(given.and_then(|given| T::take(Some(given), need)))
    }

    fn receive<'de, D: Deserializer<'de>>(sent: D) -> Result<Self, D::Error> {
        sent.deserialize_option(OptionVisitor(PhantomData))
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        or_null(T::schema(generator))
    }

    fn inner() -> Option<&'static Shape> {
        T::inner()
    }

    fn input_schema(generator: &mut SchemaGenerator) -> Schema {
        or_null(T::input_schema(generator))
    }
}

/// Returns the schema of a value that may be null.
pub fn or_null(mut schema: Schema) -> Schema {
    if let Some(Value::String(name)) = schema.get("type").cloned() {
        schema.insert("type".into(), json!([name, "null"]));
        return schema;
    }
    json_schema!({ "anyOf": [schema, { "type": "null" }] })
}

struct OptionVisitor<T>(PhantomData<T>);

impl<'de, T: FieldType> Visitor<'de> for OptionVisitor<T> {
    type Value = Option<T>;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("option")
    }

    fn visit_none<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, sent: D) -> Result<Option<T>, D::Error> {
        T::receive(sent).map(Some)
    }
}

impl<T: Record + FieldType + JsonSchema + 'static> FieldType for Vec<T> {
    const IS_LIST: bool = true;

    fn inner() -> Option<&'static Shape> {
        T::inner()
    }

    fn borrow_value(&self) -> FieldValue<'_> {
        FieldValue::Many(self)
    }

    fn take(given: Option<ReadValue>, _: Need) -> Option<Self> {
        match given {
            Some(ReadValue::Made(list)) => Some(*list.downcast().ok()?),
            _ => Some(Self::new()),
        }
    }

    fn receive<'de, D: Deserializer<'de>>(sent: D) -> Result<Self, D::Error> {
        sent.deserialize_seq(ListVisitor(PhantomData))
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Self>()
    }

    fn input_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": T::input_schema(generator) })
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: FieldType> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sent: A) -> Result<Vec<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(one) = sent.next_element_seed(One(PhantomData))? {
            all.push(one);
        }
        Ok(all)
    }
}

/// Deserializes one value that a client sent.
pub struct One<T>(pub PhantomData<T>);

impl<'de, T: FieldType> DeserializeSeed<'de> for One<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, sent: D) -> Result<T, D::Error> {
        T::receive(sent)
    }
}

impl Field {
    /// Declares a field of the type `T`.
    pub const fn new<T: FieldType>(
        key: &'static str,
        kind: Kind,
        need: Need,
        means: &'static [&'static str],
    ) -> Self {
        let is_listed = T::IS_LIST && !matches!(kind, Kind::Own(..));
        let field = Self { inner: T::inner, is_listed, ..Self::untyped(key, kind, need, means) };
        Self { schema: T::schema, input_schema: T::input_schema, ..field }
    }
}
