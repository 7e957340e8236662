//! Reads JSON values: scalars, arrays and structs.

use std::fmt;

use rusqlite::types::ValueRef;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::detect;
use super::json_text::{Compact, write};
use super::scalar::{Scalars, compact_json, type_mismatch};
use crate::float;
use crate::types::{Field, Type};

/// Maximum length of a member's name in an error message, in characters.
const MAX_SHOWN_NAME: usize = 100;

/// Reads a value of a scalar type and passes it to `then`.
pub(super) struct Scalar<'r, F> {
    pub of: &'r Type,
    pub scalars: &'r mut Scalars,
    pub then: F,
}

impl<'de, F: FnOnce(ValueRef<'_>) -> Result<(), String>> DeserializeSeed<'de> for Scalar<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de, F: FnOnce(ValueRef<'_>) -> Result<(), String>> Visitor<'de> for Scalar<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value of type {}", self.of.schema_name())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let value = self.scalars.text(self.of, text);
        value.and_then(self.then).map_err(Error::custom)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        let value = self.scalars.integer(self.of, number);
        value.and_then(self.then).map_err(Error::custom)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) if matches!(self.of, Type::Float | Type::String) => {
                self.visit_str(&number.to_string())
            }
            Err(_) => Err(Error::custom(type_mismatch(self.of, &number.to_string()))),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        let value = self.scalars.float(self.of, number);
        value.and_then(self.then).map_err(Error::custom)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        let value = self.scalars.boolean(self.of, value);
        value.and_then(self.then).map_err(Error::custom)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        (self.then)(ValueRef::Null).map_err(Error::custom)
    }
}

/// Writes an array or struct, or a value inside an array or struct, to `out` as JSON.
pub(super) struct Nested<'r> {
    pub of: &'r Type,
    pub scalars: &'r mut Scalars,
    pub ignore_unknown: bool,
    pub json_is_text: bool,
    pub out: &'r mut Vec<u8>,
}

impl Nested<'_> {
    fn inner<'i>(&'i mut self, of: &'i Type) -> Nested<'i> {
        Nested {
            of,
            scalars: self.scalars,
            ignore_unknown: self.ignore_unknown,
            json_is_text: self.json_is_text,
            out: self.out,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Nested<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        match self.of {
            Type::Array(_) | Type::Struct(_) => value.deserialize_any(self),
            Type::Json if self.json_is_text => value.deserialize_any(JsonAsText(self.out)),
            Type::Json => Compact(self.out).deserialize(value),
            of => {
                let out = self.out;
                Scalar {
                    of,
                    scalars: self.scalars,
                    then: |value: ValueRef<'_>| write_stored(of, value, out),
                }
                .deserialize(value)
            }
        }
    }
}

/// Writes a value as it is stored inside an array or struct.
fn write_stored(of: &Type, value: ValueRef<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    use base64::Engine as _;
    let written = match value {
        ValueRef::Null => serde_json::to_writer(out, &()),
        ValueRef::Integer(number) if *of == Type::Boolean => {
            serde_json::to_writer(out, &(number != 0))
        }
        ValueRef::Integer(number) => serde_json::to_writer(out, &number),
        ValueRef::Real(number) => match float::text(number) {
            Some(text) => serde_json::to_writer(out, text),
            None => serde_json::to_writer(out, &number),
        },
        ValueRef::Text(text) => {
            serde_json::to_writer(out, std::str::from_utf8(text).unwrap_or_default())
        }
        ValueRef::Blob(bytes) => {
            let text = base64::engine::general_purpose::STANDARD.encode(bytes);
            serde_json::to_writer(out, &text)
        }
    };
    written.map_err(|error| error.to_string())
}

impl<'de> Visitor<'de> for Nested<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Type::Array(_) => f.write_str("a list, because the column is REPEATED"),
            _ => f.write_str("an object, because the column is a RECORD"),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        match self.of {
            Type::Array(_) => self.out.extend_from_slice(b"[]"),
            _ => self.out.extend_from_slice(b"null"),
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        let Type::Array(of) = self.of else {
            return Err(Error::invalid_type(serde::de::Unexpected::Seq, &self));
        };
        self.out.push(b'[');
        let start = self.out.len();
        loop {
            let end = self.out.len();
            if end > start {
                self.out.push(b',');
            }
            let element = self.out.len();
            if list.next_element_seed(self.inner(of))?.is_none() {
                self.out.truncate(end);
                break;
            }
            if **of != Type::Json && &self.out[element..] == b"null" {
                return Err(Error::custom("a list cannot contain NULL"));
            }
        }
        self.out.push(b']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        let Type::Struct(fields) = self.of else {
            return Err(Error::invalid_type(serde::de::Unexpected::Map, &self));
        };
        let mut texts: Vec<Option<Vec<u8>>> = vec![None; fields.len()];
        while let Some(name) = members.next_key::<String>()? {
            let Some(at) = find(fields, &name) else {
                if self.ignore_unknown {
                    members.next_value::<IgnoredAny>()?
                } else {
                    return Err(unknown(&name));
                };
                continue;
            };
            let mut text = Vec::new();
            let mut inner = self.inner(&fields[at].of);
            inner.out = &mut text;
            members.next_value_seed(inner)?;
            if texts[at].replace(text).is_some() {
                return Err(Error::custom(format!("the record has the field {name:?} twice")));
            }
        }
        write_members(fields, texts, self.out)
    }
}

fn find(fields: &[Field], name: &str) -> Option<usize> {
    let called = |name: &str| fields.iter().position(|field| field.has_name(name));
    called(name).or_else(|| called(&detect::clean(name)))
}

fn write_members<E: Error>(
    fields: &[Field],
    texts: Vec<Option<Vec<u8>>>,
    out: &mut Vec<u8>,
) -> Result<(), E> {
    out.push(b'{');
    for (at, (field, text)) in fields.iter().zip(texts).enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write(field.name.as_str(), out)?;
        out.push(b':');
        let text = text.unwrap_or_else(|| match field.of {
            Type::Array(_) => b"[]".to_vec(),
            _ => b"null".to_vec(),
        });
        if field.is_required && text == b"null" {
            return Err(Error::custom(format!(
                "missing value: the field {:?} is REQUIRED",
                field.name
            )));
        }
        out.extend_from_slice(&text);
    }
    out.push(b'}');
    Ok(())
}

/// Writes a JSON value. If the value is a string, writes the JSON that the string contains.
struct JsonAsText<'o>(&'o mut Vec<u8>);

impl<'de> Visitor<'de> for JsonAsText<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON, or a string that contains JSON")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        compact_json(text, self.0).map_err(Error::custom)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        Compact(self.0).visit_bool(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        Compact(self.0).visit_i64(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        Compact(self.0).visit_u64(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        Compact(self.0).visit_f64(value)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Compact(self.0).visit_unit()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        Compact(self.0).visit_seq(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<(), A::Error> {
        Compact(self.0).visit_map(members)
    }
}

pub(super) fn unknown<E: Error>(name: &str) -> E {
    let name: String = name.chars().take(MAX_SHOWN_NAME).collect();
    Error::custom(format!("unknown column {name:?}; set ignoreUnknownValues to ignore it"))
}
