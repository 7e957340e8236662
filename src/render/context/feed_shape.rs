//! Parts of the model in the shape that feeds have them: the names of their serialized form, in which what is
//! empty may be left out.

use jiff::Timestamp;
use mustache::{Data, Object};

use super::parts::each;
use crate::model::podcast::{IntegrityKind, LiveStatus, LocationRel, Medium};

/// A value of the model as templates read it.
pub trait AsData {
    fn as_data(&self) -> Data<'_>;

    /// Whether it is left out where it may be.
    fn is_empty(&self) -> bool {
        false
    }
}

/// What has fields in feeds. [`feed_shapes!`] writes it.
pub trait FeedShape {
    /// The names of its fields, also of those that are left out.
    fn names() -> Vec<&'static str>;

    /// A field by its name, unless it is left out.
    fn field(&self, name: &str) -> Option<Data<'_>>;
}

/// A part of the model as an object.
pub struct Shaped<'a, T>(pub &'a T);

impl<'a, T: FeedShape> Object<'a> for Shaped<'a, T> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        self.0.field(key)
    }

    fn keys(&self) -> Vec<&str> {
        T::names()
    }
}

/// Writes [`FeedShape`] from the names of fields. It takes a struct apart without `..`, so that a field that is
/// added there has to be named here. What stands after `optional` is left out where it is empty, and the
/// fields of what stands after `flatten` are there beside the others.
macro_rules! feed_shapes {
    ($($of:ident {
        $($name:literal => $field:ident $(as $data:path)?,)*
        $(optional: $($optional_name:literal => $optional:ident $(as $optional_data:path)?,)+)?
        $(flatten: $flattened:ident: $others:ty,)?
        $(skip: $($skipped:ident),+,)?
    })+) => {
        $(
            impl FeedShape for $of {
                fn names() -> Vec<&'static str> {
                    let names = [$($name,)* $($($optional_name,)+)?].into_iter();
                    names$(.chain(<$others>::names()))?.collect()
                }

                fn field(&self, name: &str) -> Option<Data<'_>> {
                    let Self {
                        $($field,)* $($($optional,)+)? $($flattened,)? $($($skipped: _,)+)?
                    } = self;
                    match name {
                        $($name => Some(feed_shapes!(@data $field $($data)?)),)*
                        $($($optional_name if !$optional.is_empty() => {
                            Some(feed_shapes!(@data $optional $($optional_data)?))
                        })+)?
                        _ => feed_shapes!(@others name $($flattened)?),
                    }
                }
            }

            impl AsData for $of {
                fn as_data(&self) -> Data<'_> {
                    Data::object(Shaped(self))
                }
            }
        )+

        /// Each struct with its names: all of them, and those that are always there.
        #[cfg(test)]
        fn named() -> Vec<(schemars::Schema, Vec<&'static str>, Vec<&'static str>)> {
            vec![$((tests::schema::<$of>(), $of::names(), vec![$($name),*])),+]
        }
    };
    (@data $field:ident) => {
        $field.as_data()
    };
    (@data $field:ident $data:path) => {
        $data($field)
    };
    (@others $name:ident) => {
        None
    };
    (@others $name:ident $flattened:ident) => {
        $flattened.field($name)
    };
}
pub(super) use feed_shapes;

impl AsData for String {
    fn as_data(&self) -> Data<'_> {
        Data::from(self)
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

impl<T: AsData> AsData for Option<T> {
    fn as_data(&self) -> Data<'_> {
        self.as_ref().map_or_else(Data::default, T::as_data)
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }
}

impl<T: AsData> AsData for Vec<T> {
    fn as_data(&self) -> Data<'_> {
        each(self, T::as_data)
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

/// In RFC 3339.
impl AsData for Timestamp {
    fn as_data(&self) -> Data<'_> {
        self.to_string().into()
    }
}

macro_rules! as_data {
    ($($of:ty => |$value:ident| $data:expr,)+) => {$(
        impl AsData for $of {
            fn as_data(&self) -> Data<'_> {
                let $value = *self;
                Data::from($data)
            }
        }
    )+};
}

as_data! {
    bool => |value| value,
    i64 => |value| value,
    u64 => |value| value,
    f64 => |value| value,
    IntegrityKind => |kind| kind.as_str(),
    LiveStatus => |status| status.as_str(),
    LocationRel => |rel| rel.as_str(),
    Medium => |medium| medium.as_str(),
}
