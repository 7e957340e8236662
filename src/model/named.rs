//! Enums whose values are words in front matter, JSON and other documents.

use std::fmt::{self, Formatter};

use schemars::{Schema, json_schema};
use serde::de::{self, Deserializer, EnumAccess, Visitor};

use super::shape::lines;

/// Declares enums whose values are the words that a field can contain.
macro_rules! words {
    ($($(#[doc = $about:literal])+ $(#[$attribute:meta])* $name:ident {
        $($(#[doc = $doc:literal])+ $(#[$of_variant:meta])* $variant:ident = $word:literal,)+
    })+) => {$(
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $(#[$attribute])*
        pub enum $name { $($(#[doc = $doc])+ $(#[$of_variant])* $variant,)+ }

        impl $name {
            /// All values.
            #[allow(dead_code)]
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The words for all values, in the order of `ALL`.
            #[allow(dead_code)]
            pub const NAMES: &'static [&'static str] = &[$($word),+];

            /// Returns the value for a word, or None if the word is unknown.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($word => Some(Self::$variant),)+ _ => None }
            }

            /// Returns the word for this value.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(sent: D) -> Result<Self, D::Error> {
                $crate::field_type::FieldType::receive(sent)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::named::schema(&[$($about),+], &[$(($word, &[$($doc),+])),+])
            }
        }

        impl $crate::field_type::FieldType for $name {
            fn borrow_value(&self) -> $crate::record::FieldValue<'_> {
                $crate::record::FieldValue::Text(self.as_str())
            }

            fn take(given: Option<$crate::field_type::ReadValue>, need: $crate::shape::Need) -> Option<Self> {
                match given {
                    Some($crate::field_type::ReadValue::Text(word)) => Self::parse(&word),
                    None if need != $crate::shape::Need::Required => Self::parse(Self::NAMES[0]),
                    _ => None,
                }
            }

            fn receive<'de, D: serde::Deserializer<'de>>(sent: D) -> Result<Self, D::Error> {
                $crate::named::received_index(stringify!($name), Self::NAMES, sent).map(|at| Self::ALL[at])
            }

            fn left_out(need: $crate::shape::Need) -> Option<Self> {
                Self::take(None, need)
            }

            fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                generator.subschema_for::<Self>()
            }

            fn input_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <Self as schemars::JsonSchema>::json_schema(generator)
            }
        }
    )+};
}
pub(crate) use words;

/// Returns the index of the word that a client sent.
pub fn received_index<'de, D: Deserializer<'de>>(
    name: &'static str,
    words: &'static [&'static str],
    sent: D,
) -> Result<usize, D::Error> {
    sent.deserialize_enum(name, words, WordVisitor(words))
}

struct WordVisitor(&'static [&'static str]);

impl<'de> Visitor<'de> for WordVisitor {
    type Value = usize;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "one of {}", self.0.join(", "))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, sent: A) -> Result<usize, A::Error> {
        let (word, _) = sent.variant::<String>()?;
        let at = self.0.iter().position(|known| *known == word);
        at.ok_or_else(|| de::Error::unknown_variant(&word, self.0))
    }
}

/// Returns the JSON Schema of an enum, with the meaning of each word in the description.
pub fn schema(about: &[&str], words: &[(&str, &[&str])]) -> Schema {
    let means = words.iter().map(|(word, means)| format!("\n`{word}`: {}", lines(means)));
    let about = lines(about) + &means.collect::<String>();
    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    // Client generators can read an `enum`, but not a list of `const` schemas.
    json_schema!({ "type": "string", "description": about, "enum": words })
}
