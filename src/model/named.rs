//! Enums whose values are words in front matter, JSON and other documents.

use schemars::{Schema, json_schema};

use super::record::lines;

/// Makes enums of the words that fields can be.
macro_rules! words {
    ($($(#[doc = $about:literal])+ $(#[$attribute:meta])* $name:ident {
        $($(#[doc = $doc:literal])+ $(#[$of_variant:meta])* $variant:ident = $word:literal,)+
    })+) => {$(
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $(#[$attribute])*
        pub enum $name { $($(#[doc = $doc])+ $(#[$of_variant])* $variant,)+ }

        impl $name {
            /// All of them.
            #[allow(dead_code)]
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The words it is written as.
            #[allow(dead_code)]
            pub const NAMES: &'static [&'static str] = &[$($word),+];

            /// Reads a word.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($word => Some(Self::$variant),)+ _ => None }
            }

            /// The word.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::model::named::schema(&[$($about),+], &[$(($word, &[$($doc),+])),+])
            }
        }

        $crate::model::record::field_types! {
            $name: |word| $crate::model::record::Lent::Text(word.as_str()), $name,
                Text(word) => Self::parse(&word), Self::parse(Self::NAMES[0]);
        }
    )+};
}
pub(crate) use words;

/// The schema of one of these words, each with its meaning.
pub fn schema(about: &[&str], words: &[(&str, &[&str])]) -> Schema {
    let words = words.iter().map(|(word, means)| {
        json_schema!({ "type": "string", "const": word, "description": lines(means) })
    });
    let words: Vec<Schema> = words.collect();
    json_schema!({ "description": lines(about), "oneOf": words })
}
