//! Formats values for exported files as BigQuery does.

use std::fmt;
use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::types::ValueRef;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::load::json_text::{Compact, write};
use crate::types::{Field, Type};

/// Writes a value as text, for a CSV cell. The caller handles NULL.
pub(super) fn text(of: &Type, value: ValueRef<'_>, out: &mut Vec<u8>) -> io::Result<()> {
    match value {
        ValueRef::Null => Ok(()),
        ValueRef::Integer(number) if *of == Type::Boolean => write!(out, "{}", number != 0),
        ValueRef::Integer(micros) if *of == Type::Timestamp => instant(micros, out),
        ValueRef::Integer(number) => write!(out, "{number}"),
        ValueRef::Real(number) if number.is_infinite() => {
            let sign = if number < 0.0 { "-" } else { "" };
            write!(out, "{sign}Infinity")
        }
        ValueRef::Real(number) => write!(out, "{number:?}"),
        ValueRef::Text(text) => out.write_all(text),
        ValueRef::Blob(bytes) => out.write_all(STANDARD.encode(bytes).as_bytes()),
    }
}

/// Writes a value as JSON. 64-bit integers are written as strings, because many JSON readers would
/// round them to floats.
pub(super) fn json(of: &Type, value: ValueRef<'_>, out: &mut Vec<u8>) -> io::Result<()> {
    match (of, value) {
        (_, ValueRef::Null) => out.write_all(b"null"),
        (Type::Json, ValueRef::Text(json)) => out.write_all(json),
        (Type::Array(_) | Type::Struct(_), ValueRef::Text(kept)) => {
            let mut json = serde_json::Deserializer::from_slice(kept);
            let kept = StoredValue { of, out };
            kept.deserialize(&mut json).map_err(io::Error::from)
        }
        (_, ValueRef::Text(text)) => {
            serde_json::to_writer(out, &String::from_utf8_lossy(text)).map_err(io::Error::from)
        }
        (Type::Boolean, value) => text(of, value, out),
        (_, ValueRef::Real(number)) if number.is_finite() => text(of, value, out),
        _ => {
            out.push(b'"');
            text(of, value, out)?;
            out.push(b'"');
            Ok(())
        }
    }
}

/// Writes a timestamp such as `2026-11-21 07:05:00.25 UTC`.
fn instant(micros: i64, out: &mut Vec<u8>) -> io::Result<()> {
    let instant = Timestamp::from_microsecond(micros).map_err(io::Error::other)?;
    let local = TimeZone::UTC.to_datetime(instant);
    write!(out, "{} {} UTC", local.date(), local.time())
}

/// Serializes a value that is stored inside an array or struct.
struct StoredValue<'o> {
    of: &'o Type,
    out: &'o mut Vec<u8>,
}

impl StoredValue<'_> {
    fn value<E: Error>(self, value: ValueRef<'_>) -> Result<(), E> {
        json(self.of, value, self.out).map_err(E::custom)
    }
}

impl<'de> DeserializeSeed<'de> for StoredValue<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        match self.of {
            Type::Json => Compact(self.out).deserialize(value),
            _ => value.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for StoredValue<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value of type {}", self.of)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.value(ValueRef::Integer(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        match self.of {
            // A FLOAT64 without a fraction can be stored as an integer in JSON.
            #[allow(clippy::cast_precision_loss)]
            Type::Float => self.value(ValueRef::Real(value as f64)),
            _ => self.value(ValueRef::Integer(value)),
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            #[allow(clippy::cast_precision_loss)]
            Err(_) => self.value(ValueRef::Real(value as f64)),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.value(ValueRef::Real(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        // BYTES need no conversion, because they are stored as base64.
        write(value, self.out)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.value(ValueRef::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
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
            let element = StoredValue { of, out: self.out };
            if list.next_element_seed(element)?.is_none() {
                self.out.truncate(end);
                break;
            }
        }
        self.out.push(b']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        let Type::Struct(fields) = self.of else {
            return Err(Error::invalid_type(serde::de::Unexpected::Map, &self));
        };
        self.out.push(b'{');
        let start = self.out.len();
        while let Some(name) = members.next_key::<String>()? {
            let Some(field) = fields.iter().find(|field| field.has_name(&name)) else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            let before = self.out.len();
            self.member(field, start)?;
            let value = self.out.len();
            members.next_value_seed(StoredValue { of: &field.of, out: self.out })?;
            if &self.out[value..] == b"null" {
                self.out.truncate(before);
            }
        }
        self.out.push(b'}');
        Ok(())
    }
}

impl StoredValue<'_> {
    /// Writes the comma, name and colon before a member's value.
    fn member<E: Error>(&mut self, field: &Field, start: usize) -> Result<(), E> {
        if self.out.len() > start {
            self.out.push(b',');
        }
        write(field.name.as_str(), self.out)?;
        self.out.push(b':');
        Ok(())
    }
}
