//! Values that templates read.

use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};
use std::rc::Rc;

use serde::{Serialize, Serializer};
use serde_json::{Map, Number, Value};

use super::object::Object;

/// A value that templates read: JSON, or a view of a program's own types. A view computes its
/// values only when a template uses them.
///
/// ```
/// use mustache::Data;
///
/// let tags = ["tide", "harbour"];
/// let item = Data::from([
///     ("title", Data::from("Late tide")),
///     ("tags", Data::list(tags.len(), move |at| Data::from(tags[at]))),
/// ]);
/// assert_eq!(item.to_json().to_string(), r#"{"tags":["tide","harbour"],"title":"Late tide"}"#);
/// ```
#[derive(Clone, Default)]
pub struct Data<'a>(pub(super) Kind<'a>);

#[derive(Clone, Default)]
pub(super) enum Kind<'a> {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'a, str>),
    SharedText(Rc<dyn AsRef<str> + 'a>),
    List(Rc<Elements<dyn Fn(usize) -> Data<'a> + 'a>>),
    Object(Rc<dyn Object<'a> + 'a>),
    JsonList(&'a [Value]),
    JsonObject(&'a Map<String, Value>),
}

pub(super) struct Elements<F: ?Sized> {
    length: usize,
    element: F,
}

impl<'a> Data<'a> {
    /// Creates an object whose values are computed when a template uses them.
    pub fn object(view: impl Object<'a> + 'a) -> Self {
        Data(Kind::Object(Rc::new(view)))
    }

    /// Creates a list whose elements are computed when a template uses them. `element` receives an
    /// index, counted from 0.
    pub fn list(length: usize, element: impl Fn(usize) -> Data<'a> + 'a) -> Self {
        Data(Kind::List(Rc::new(Elements { length, element })))
    }

    /// Creates a string value that borrows from `owner` and keeps `owner` alive.
    pub fn shared(owner: impl AsRef<str> + 'a) -> Self {
        Data(Kind::SharedText(Rc::new(owner)))
    }

    /// Converts the value to JSON, including all nested values.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Formats the value as compact JSON, for a template that prints a whole list or object.
    pub(super) fn json_text(&self) -> String {
        // Cannot fail: keys are strings, and the output is written to memory.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the string, or `None` if the value is not a string.
    #[inline]
    pub(super) fn text(&self) -> Option<&str> {
        match &self.0 {
            Kind::Text(text) => Some(text),
            Kind::SharedText(owner) => Some((**owner).as_ref()),
            _ => None,
        }
    }

    /// Returns the number of elements, if the value is a list.
    #[inline]
    pub(super) fn length(&self) -> Option<usize> {
        match &self.0 {
            Kind::List(elements) => Some(elements.length),
            Kind::JsonList(values) => Some(values.len()),
            _ => None,
        }
    }

    /// Returns the list element at `index`, counted from 0.
    #[inline]
    pub(super) fn element(&self, index: usize) -> Option<Data<'a>> {
        match &self.0 {
            Kind::List(elements) if index < elements.length => Some((elements.element)(index)),
            Kind::JsonList(values) => values.get(index).map(Data::from),
            _ => None,
        }
    }

    /// Returns the value of `key`, if the value is an object with this key.
    #[inline]
    pub(super) fn field(&self, key: &str) -> Option<Data<'a>> {
        match &self.0 {
            Kind::Object(view) => view.get(key),
            Kind::JsonObject(fields) => fields.get(key).map(Data::from),
            _ => None,
        }
    }

    /// Returns whether the value is a boolean, number or string. Such a value has no keys, so names
    /// inside its section refer to the outer contexts.
    #[inline]
    pub(super) fn has_no_keys(&self) -> bool {
        matches!(&self.0, Kind::Bool(_) | Kind::Number(_) | Kind::Text(_) | Kind::SharedText(_))
    }

    /// Returns whether a section with this value is rendered.
    #[inline]
    pub(super) fn is_true(&self) -> bool {
        match &self.0 {
            Kind::Null => false,
            Kind::Bool(value) => *value,
            Kind::Number(number) => number.as_f64() != Some(0.0),
            Kind::Text(text) => !text.is_empty(),
            Kind::SharedText(owner) => !(**owner).as_ref().is_empty(),
            Kind::List(elements) => elements.length != 0,
            Kind::JsonList(values) => !values.is_empty(),
            Kind::Object(_) | Kind::JsonObject(_) => true,
        }
    }
}

/// Serializes objects with sorted keys.
impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Kind::Null => serializer.serialize_unit(),
            Kind::Bool(value) => serializer.serialize_bool(*value),
            Kind::Number(number) => number.serialize(serializer),
            Kind::Text(text) => serializer.serialize_str(text),
            Kind::SharedText(owner) => serializer.serialize_str((**owner).as_ref()),
            Kind::List(elements) => {
                serializer.collect_seq((0..elements.length).map(|index| (elements.element)(index)))
            }
            Kind::Object(view) => {
                let mut keys = view.keys();
                keys.sort_unstable();
                keys.dedup();
                let fields = keys.into_iter();
                serializer.collect_map(fields.filter_map(|key| {
                    let value = view.get(&key)?;
                    Some((key, value))
                }))
            }
            Kind::JsonList(values) => values.serialize(serializer),
            Kind::JsonObject(fields) => fields.serialize(serializer),
        }
    }
}

impl Debug for Data<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.to_json(), formatter)
    }
}

impl<'a> From<&'a Value> for Data<'a> {
    fn from(value: &'a Value) -> Self {
        Data(match value {
            Value::Null => Kind::Null,
            Value::Bool(value) => Kind::Bool(*value),
            Value::Number(number) => Kind::Number(number.clone()),
            Value::String(text) => Kind::Text(Cow::Borrowed(text)),
            Value::Array(values) => Kind::JsonList(values),
            Value::Object(fields) => Kind::JsonObject(fields),
        })
    }
}

impl<'a> FromIterator<Data<'a>> for Data<'a> {
    fn from_iter<I: IntoIterator<Item = Data<'a>>>(elements: I) -> Self {
        let elements: Vec<Data<'a>> = elements.into_iter().collect();
        Data::list(elements.len(), move |index| elements[index].clone())
    }
}

impl<'a, const N: usize> From<[(&'static str, Data<'a>); N]> for Data<'a> {
    fn from(fields: [(&'static str, Data<'a>); N]) -> Self {
        Data::object(fields)
    }
}

impl From<bool> for Data<'_> {
    fn from(value: bool) -> Self {
        Data(Kind::Bool(value))
    }
}

impl From<Number> for Data<'_> {
    fn from(value: Number) -> Self {
        Data(Kind::Number(value))
    }
}

/// Converts NaN and infinity to null, because JSON has no such numbers.
impl From<f64> for Data<'_> {
    fn from(value: f64) -> Self {
        Data::from(Number::from_f64(value))
    }
}

macro_rules! from_whole_numbers {
    ($($number:ty)*) => { $(
        impl From<$number> for Data<'_> {
            fn from(value: $number) -> Self {
                Data(Kind::Number(value.into()))
            }
        }
    )* };
}

from_whole_numbers!(i16 i32 i64 u16 u32 u64 usize);

impl<'a> From<&'a str> for Data<'a> {
    fn from(text: &'a str) -> Self {
        Data(Kind::Text(Cow::Borrowed(text)))
    }
}

impl<'a> From<&'a String> for Data<'a> {
    fn from(text: &'a String) -> Self {
        Data::from(text.as_str())
    }
}

impl<'a> From<Cow<'a, str>> for Data<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Data(Kind::Text(text))
    }
}

impl From<String> for Data<'_> {
    fn from(text: String) -> Self {
        Data(Kind::Text(Cow::Owned(text)))
    }
}

/// Converts `None` to null.
impl<'a, T: Into<Data<'a>>> From<Option<T>> for Data<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(Data::default, T::into)
    }
}
