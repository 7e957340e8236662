//! Macros that declare records and the types of their fields.

use jiff::Timestamp;

use super::record::FieldValue;

/// Implements `FieldType` for types. Each line contains the type, the conversion to `FieldValue`,
/// and the type that clients send. A line can add a conversion from `ReadValue`, and the default
/// value.
macro_rules! field_types {
    ($($type:ty: |$value:ident| $lent:expr, $schema:ty $(, $given:pat => $taken:expr, $missing:expr)?;)+) => {$(
        impl $crate::field_type::FieldType for $type {
            fn borrow_value(&self) -> $crate::record::FieldValue<'_> {
                let $value = self;
                $lent
            }

            #[allow(unused_variables)]
            fn take(
                given: Option<$crate::field_type::ReadValue>,
                need: $crate::shape::Need,
            ) -> Option<Self> {
                $(
                    use $crate::field_type::ReadValue::*;
                    return match given {
                        Some($given) => $taken,
                        None if need != $crate::shape::Need::Required => $missing,
                        _ => None,
                    };
                )?
                #[allow(unreachable_code)]
                None
            }

            fn receive<'de, D: serde::Deserializer<'de>>(sent: D) -> Result<Self, D::Error> {
                let given = <$schema as serde::Deserialize>::deserialize(sent)?;
                let taken = Self::take(Some(given.into()), $crate::shape::Need::Required);
                taken.ok_or_else(|| serde::de::Error::custom("invalid value"))
            }

            fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                generator.subschema_for::<$schema>()
            }
        }
    )+};
}
pub(crate) use field_types;

field_types! {
    String: |text| FieldValue::Text(text), String, Text(text) => Some(text), Some(Self::new());
    f64: |number| FieldValue::Number(*number), f64, Number(number) => Some(number), Some(0.0);
    u64: |number| FieldValue::Count(*number), u64, Count(count) => Some(count), Some(0);
    i64: |number| FieldValue::Integer(*number), i64, Integer(number) => Some(number), Some(0);
    u32: |number| FieldValue::Integer(i64::from(*number)), u32, Integer(number) => number.try_into().ok(), Some(0);
    usize: |number| FieldValue::Count(*number as u64), usize, Integer(number) => number.try_into().ok(), Some(0);
    u8: |number| FieldValue::Integer(i64::from(*number)), u8, Integer(number) => number.try_into().ok(), Some(0);
    Vec<u32>: |numbers| FieldValue::Hidden(numbers), Vec<u32>, Made(numbers) => Some(*numbers.downcast().ok()?), None;
    bool: |flag| FieldValue::Flag(*flag), bool, Flag(flag) => Some(flag), Some(false);
    Timestamp: |time| FieldValue::Time(*time), String, Time(time) => Some(time), None;
}

/// Declares records: structs with the given fields. The literal after `=` is the record's element
/// in RSS.
macro_rules! records {
    ($(
        $(#[doc = $means:literal])+
        $(#[$attribute:meta])*
        $name:ident $(= $tag:literal $(first $first:tt)?)? $(also $also:ident)? {
            $(
                $(#[doc = $field_means:literal])+
                $need:ident $field:ident: $type:ty = $key:literal $(or $spelling:literal)*, $kind:expr $(, $place:ident $(($argument:expr))?)* $(=> $usual:expr)?;
            )+
        }
    )+) => {$(
        $(#[doc = $means])+
        $(#[$attribute])*
        pub struct $name {
            $($(#[doc = $field_means])+ pub $field: $type,)+
        }

        impl $name {
            /// Declaration of the record and its fields.
            pub const SHAPE: &'static $crate::shape::Shape = {
                #[allow(unused_imports)]
                use $crate::shape::{Field, Kind::*, Need::*, Shape, Written::{self, Anything, Each, Keys, List, Numeric, OneOf, Plain, UpTo, Web, Whole, YesNo}};
                &Shape {
                    name: stringify!($name),
                    tag: [$($tag,)? ""][0],
                    first: [$($(&$first as &[&str],)?)? &[]][0],
                    means: &[$($means),+],
                    fields: &[$(Field::new::<$type>($key, $kind, $need, &[$($field_means),+]).with_spellings(&[$($spelling),*])$(.$place($($argument)?))*$(.or(|| serde_json::json!($usual)))?),+],
                    also: [$($also.fields,)? &[]][0],
                }
            };
        }

        impl $crate::record::Record for $name {
            fn shape(&self) -> &'static $crate::shape::Shape {
                Self::SHAPE
            }

            fn value(&self, at: usize) -> $crate::record::FieldValue<'_> {
                use $crate::{field_type::FieldType, record::FieldValue};
                const VALUES: &[for<'x> fn(&'x $name) -> FieldValue<'x>] = &[$(|this| FieldType::borrow_value(&this.$field)),+];
                VALUES[at](self)
            }
        }

        impl $crate::field_type::Build for $name {
            const SHAPE: &'static $crate::shape::Shape = Self::SHAPE;

            fn build(given: Vec<Option<$crate::field_type::ReadValue>>) -> Option<Self> {
                let mut given = given.into_iter();
                Some(Self {
                    $($field: match given.next().flatten() {
                        $(None => $usual,)?
                        given => $crate::field_type::FieldType::take(given, $crate::shape::Need::$need)?,
                    },)+
                })
            }
        }

        impl $crate::sent::Receive for $name {
            fn receive<'de, A: serde::de::MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
                use $crate::{field_type::{FieldType, One}, shape::Need};
                $(let mut $field = None;)+
                while let Some(key) = object.next_key::<String>()? {
                    // Fields without a key all match the empty string, so some of these patterns
                    // are unreachable.
                    #[allow(unreachable_patterns)]
                    match key.as_str() {
                        $($key => $field = Some(object.next_value_seed(One::<$type>(std::marker::PhantomData))?),)+
                        _ => drop(object.next_value::<serde::de::IgnoredAny>()?),
                    }
                }
                Ok(Self {
                    $($field: match $field.or_else(|| <$type>::left_out(Need::$need)) {
                        Some(value) => value,
                        None => return Err(serde::de::Error::missing_field($key)),
                    },)+
                })
            }
        }

        impl $crate::field_type::FieldType for $name {
            fn borrow_value(&self) -> $crate::record::FieldValue<'_> {
                $crate::record::FieldValue::One(self)
            }

            fn take(given: Option<$crate::field_type::ReadValue>, _: $crate::shape::Need) -> Option<Self> {
                match given? {
                    $crate::field_type::ReadValue::Made(list) => list.downcast::<Vec<Self>>().ok()?.pop(),
                    _ => None,
                }
            }

            fn receive<'de, D: serde::Deserializer<'de>>(sent: D) -> Result<Self, D::Error> {
                $crate::sent::object(sent)
            }

            fn inner() -> Option<&'static $crate::shape::Shape> {
                Some(Self::SHAPE)
            }

            fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                generator.subschema_for::<Self>()
            }

            fn input_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                generator.subschema_for::<$crate::sent::Sent<Self>>()
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::record::FieldValue::One(self).serialize(serializer)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                Self::SHAPE.schema(generator)
            }
        }

        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                $crate::record::FieldValue::One(self).feed(state);
            }
        }
    )+};
}
pub(crate) use records;

/// Declares tables of settings, each with a default for every field.
macro_rules! settings {
    ($(
        $(#[doc = $means:literal])+
        $(#[$attribute:meta])*
        $name:ident {
            $(
                $(#[doc = $field_means:literal])+
                $field:ident: $type:ty = $key:literal, $kind:expr $(, $place:ident $(($argument:expr))?)* => $usual:expr;
            )+
        }
    )+) => {
        $crate::declare::records! {$(
            $(#[doc = $means])+
            $(#[$attribute])*
            #[derive(Debug, Clone, PartialEq, Eq)]
            $name {
                $(
                    $(#[doc = $field_means])+
                    Filled $field: $type = $key, $kind $(, $place $(($argument))?)* => $usual;
                )+
            }
        )+}
        $(impl Default for $name {
            fn default() -> Self {
                Self { $($field: $usual,)+ }
            }
        })+
    };
}
pub(crate) use settings;

/// Declares the keys of tables that hand-written code reads from files. `or` adds another spelling,
/// `like` adds a spelling that other programs use, and `=>` sets the default.
macro_rules! keys {
    ($(
        $(#[doc = $means:literal])+
        $name:ident {
            $(
                $(#[doc = $key_means:literal])+
                $need:ident $key:literal $(or $spelling:literal)* $(like $foreign:literal)*, $kind:expr $(, $place:ident $(($argument:expr))?)* $(=> $usual:expr)?;
            )+
        }
    )+) => {$(
        $(#[doc = $means])+
        pub const $name: &$crate::shape::Shape = {
            #[allow(unused_imports)]
            use $crate::shape::{Field, Kind::*, Need::*, Shape, Written::{self, Anything, Each, Keys, List, Numeric, OneOf, Plain, UpTo, Web, Whole, YesNo}};
            &Shape {
                name: stringify!($name),
                tag: "",
                first: &[],
                means: &[$($means),+],
                fields: &[$(Field::untyped($key, $kind, $need, &[$($key_means),+]).with_spellings(&[$($spelling),*]).with_foreign_spellings(&[$($foreign),*])$(.$place($($argument)?))*$(.or(|| serde_json::json!($usual)))?),+],
                also: &[],
            }
        };
    )+};
}
pub(crate) use keys;
