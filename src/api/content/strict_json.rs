//! Parses JSON strictly: rejects lists in place of objects, and characters that are forbidden in
//! feeds.

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error, Expected, IntoDeserializer, Unexpected, Visitor};
use serde_json::{Number, Value};

/// A JSON value that is parsed strictly. By default, serde accepts a list in place of an object,
/// and assigns the elements to the fields in order. A client sends such a list only by mistake, so
/// this type rejects it.
pub struct StrictJson(pub Value);

impl StrictJson {
    fn unexpected(&self) -> Unexpected<'_> {
        match &self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(flag) => Unexpected::Bool(*flag),
            Value::Number(number) => number
                .as_u64()
                .map(Unexpected::Unsigned)
                .or_else(|| number.as_i64().map(Unexpected::Signed))
                .or_else(|| number.as_f64().map(Unexpected::Float))
                .unwrap_or(Unexpected::Other("a number")),
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        }
    }
}

/// The reason why a value does not have the expected type, in JSON terms.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct JsonMismatch(String);

impl Error for JsonMismatch {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = match expected.to_string().as_str() {
            "a sequence" => "a list".to_owned(),
            "a boolean" => "true or false".to_owned(),
            "f64" => "a number".to_owned(),
            "u32" => format!("a whole number from 0 to {}", u32::MAX),
            "i64" | "u64" => "a whole number".to_owned(),
            other => other.to_owned(),
        };
        let found = match found {
            Unexpected::Unit => "null".to_owned(),
            Unexpected::Bool(flag) => flag.to_string(),
            Unexpected::Unsigned(number) => number.to_string(),
            Unexpected::Signed(number) => number.to_string(),
            Unexpected::Float(number) => number.to_string(),
            Unexpected::Str(_) => "a string".to_owned(),
            Unexpected::Seq => "a list".to_owned(),
            Unexpected::Map => "an object".to_owned(),
            other => other.to_string(),
        };
        Self(format!("must be {expected}, not {found}"))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn unknown_variant(name: &str, names: &'static [&'static str]) -> Self {
        Self(format!("must be one of {}, not {name:?}", names.join(", ")))
    }

    fn missing_field(field: &'static str) -> Self {
        Self(format!("`{field}` is missing"))
    }
}

/// Returns whether XML 1.0 (section 2.2) forbids a character, even in escaped form. RSS feeds
/// cannot contain such a character.
fn is_forbidden_in_xml(c: char) -> bool {
    c.is_control() && c < '\u{7f}' && !matches!(c, '\t' | '\n' | '\r')
        || matches!(c, '\u{fffe}' | '\u{ffff}')
}

fn number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, JsonMismatch> {
    if let Some(whole) = number.as_u64() {
        return visitor.visit_u64(whole);
    }
    if let Some(whole) = number.as_i64() {
        return visitor.visit_i64(whole);
    }
    let float = number.as_f64().unwrap_or(f64::NAN);
    // JSON has one type of number, so 3.0 is 3. Up to this maximum, an `f64` represents every whole
    // number exactly.
    const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;
    #[allow(clippy::cast_possible_truncation)]
    if float.fract() == 0.0 && float.abs() <= MAX_SAFE_INTEGER {
        visitor.visit_i64(float as i64)
    } else {
        visitor.visit_f64(float)
    }
}

impl<'de> Deserializer<'de> for StrictJson {
    type Error = JsonMismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonMismatch> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(flag),
            Value::Number(found) => number(&found, visitor),
            Value::String(text) => match text.chars().find(|c| is_forbidden_in_xml(*c)) {
                Some(bad) => Err(JsonMismatch::custom(format!(
                    "the character U+{:04X} is not allowed",
                    u32::from(bad)
                ))),
                None => visitor.visit_string(text),
            },
            Value::Array(list) => {
                let mut elements = SeqDeserializer::new(list.into_iter().map(Self));
                let found = visitor.visit_seq(&mut elements)?;
                elements.end()?;
                Ok(found)
            }
            Value::Object(object) => {
                let fields = object.into_iter().map(|(key, value)| (key, Self(value)));
                visitor.visit_map(MapDeserializer::new(fields))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonMismatch> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, JsonMismatch> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, JsonMismatch> {
        match self.0 {
            Value::Object(_) => self.deserialize_any(visitor),
            _ => Err(JsonMismatch::invalid_type(self.unexpected(), &"an object")),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, JsonMismatch> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(name.into_deserializer()),
            _ => {
                let expected = format!("one of {}", names.join(", "));
                Err(JsonMismatch::invalid_type(self.unexpected(), &expected.as_str()))
            }
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(
        self,
        visitor: V,
    ) -> Result<V::Value, JsonMismatch> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier
    }
}

impl<'de> IntoDeserializer<'de, JsonMismatch> for StrictJson {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_whole_number_may_have_a_zero_fraction() {
        for (written, whole) in
            [("5.0", 5), ("5e0", 5), ("9007199254740991.0", 9_007_199_254_740_991_u64)]
        {
            let value: Value = serde_json::from_str(written).unwrap();
            assert_eq!(u64::deserialize(StrictJson(value)).unwrap(), whole);
        }
        for wrong in [json!(5.5), json!(1e300), json!("5")] {
            u64::deserialize(StrictJson(wrong)).unwrap_err();
        }
    }
}
