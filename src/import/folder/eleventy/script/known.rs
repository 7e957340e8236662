//! JavaScript values that may be known only in part.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

use super::Closure;
use crate::folder::eleventy::syntax::Changes;

/// A JavaScript value, or the known facts about it.
#[derive(Debug, Clone)]
pub enum AbstractValue<'t> {
    /// A string, a number, a boolean or null.
    Is(Value),
    Undefined,
    List(Rc<[AbstractValue<'t>]>),
    Object(Rc<Object<'t>>),
    Function(Rc<Closure<'t>>),
    /// An unknown value. The first field is whether the value is truthy, or `None` if even that is
    /// unknown. The second field is whether the value is certainly a string.
    Vague(Option<bool>, bool),
}

#[derive(Debug, Clone)]
pub struct Object<'t> {
    pub fields: BTreeMap<String, AbstractValue<'t>>,
    /// Whether the object has no fields besides `fields`.
    pub is_complete: bool,
}

pub const UNKNOWN: AbstractValue<'static> = AbstractValue::Vague(None, false);
pub const TRUTHY: AbstractValue<'static> = AbstractValue::Vague(Some(true), false);

impl<'t> AbstractValue<'t> {
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Array(list) => Self::List(list.iter().map(Self::of).collect()),
            Value::Object(table) => {
                let fields = table.iter().map(|(key, value)| (key.clone(), Self::of(value)));
                Self::object(fields, true)
            }
            value => Self::Is(value.clone()),
        }
    }

    pub fn object(fields: impl IntoIterator<Item = (String, Self)>, is_complete: bool) -> Self {
        let fields = fields.into_iter().collect();
        Self::Object(Rc::new(Object { fields, is_complete }))
    }

    /// Returns the value as JSON, or `None` if a part of it is unknown.
    pub fn json(&self) -> Option<Value> {
        match self {
            Self::Is(value) => Some(value.clone()),
            Self::List(list) => list.iter().map(Self::json).collect(),
            Self::Object(object) if object.is_complete => {
                let fields = object.fields.iter();
                let fields = fields.map(|(key, value)| Some((key.clone(), value.json()?)));
                Some(Value::Object(fields.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    pub fn member(&self, key: &str) -> Self {
        match self {
            Self::Object(object) => {
                let other = if object.is_complete { Self::Undefined } else { UNKNOWN };
                object.fields.get(key).cloned().unwrap_or(other)
            }
            Self::List(list) if key == "length" => Self::Is(list.len().into()),
            Self::List(list) => {
                let found = key.parse().ok().and_then(|at: usize| list.get(at));
                found.cloned().unwrap_or(Self::Undefined)
            }
            Self::Is(Value::String(text)) if key == "length" => {
                Self::Is(text.encode_utf16().count().into())
            }
            Self::Undefined => Self::Undefined,
            _ => UNKNOWN,
        }
    }

    /// Returns a copy of the object with a changed field.
    pub fn with(&self, key: &str, value: Self) -> Self {
        let Self::Object(object) = self else {
            return UNKNOWN;
        };
        let mut object = (**object).clone();
        object.fields.insert(key.to_owned(), value);
        Self::Object(Rc::new(object))
    }

    /// Merges the object with another object, whose fields have lower priority. Nested objects are
    /// merged, and lists are joined.
    pub fn merged(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Object(own), Self::Object(other)) => {
                let mut all = (**own).clone();
                for (key, value) in &other.fields {
                    let usual = if own.is_complete { value.clone() } else { UNKNOWN };
                    let merged = own.fields.get(key).map_or(usual, |own| own.merged(value));
                    all.fields.insert(key.clone(), merged);
                }
                all.is_complete &= other.is_complete;
                Self::Object(Rc::new(all))
            }
            (Self::List(own), Self::List(other)) => {
                Self::List(own.iter().chain(other.iter()).cloned().collect())
            }
            (Self::Object(own), Self::Vague(..)) => Self::object(own.fields.clone(), false),
            (Self::List(_), Self::Vague(..)) => UNKNOWN,
            _ => self.clone(),
        }
    }

    /// Returns the value, adjusted for changes that scripts may have made to it.
    pub fn after(self, changes: &Changes) -> Self {
        match self {
            value if changes.is_unchanged() => value,
            Self::List(_) if changes.any_list => TRUTHY,
            Self::Object(object) => {
                let fields = object.fields.iter().map(|(key, value)| {
                    let value =
                        if changes.has(key) { UNKNOWN } else { value.clone().after(changes) };
                    (key.clone(), value)
                });
                let changed = changes.keys.iter().filter(|_| object.is_complete);
                let changed = changed.map(|key| (key.clone(), UNKNOWN));
                Self::object(fields.chain(changed), object.is_complete && !changes.any_key)
            }
            value => value,
        }
    }

    pub fn is_undefined(&self) -> bool {
        matches!(self, Self::Undefined)
    }

    pub fn truth(&self) -> Option<bool> {
        Some(match self {
            Self::Vague(truth, _) => return *truth,
            Self::Undefined | Self::Is(Value::Null) => false,
            Self::Is(Value::Bool(value)) => *value,
            Self::Is(Value::Number(number)) => number.as_f64() != Some(0.0),
            Self::Is(Value::String(text)) => !text.is_empty(),
            _ => true,
        })
    }

    pub fn is_text(&self) -> bool {
        matches!(self, Self::Is(Value::String(_)) | Self::Vague(_, true))
    }

    /// Combines two values, one of which is the actual value. Only facts that hold for both values
    /// are kept.
    pub fn or(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Is(a), Self::Is(b)) if a == b => self,
            (Self::Undefined, Self::Undefined) => self,
            _ => {
                let truth = self.truth().filter(|truth| other.truth() == Some(*truth));
                Self::Vague(truth, self.is_text() && other.is_text())
            }
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Is(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the strings of a list, or a single string. Returns `None` if a value is unknown or
    /// not a string.
    pub fn texts(&self) -> Option<Vec<String>> {
        match self {
            Self::List(list) => list.iter().map(|one| one.text().map(str::to_owned)).collect(),
            one => Some(vec![one.text()?.to_owned()]),
        }
    }

    /// Calls the value with these arguments, and returns the result. A value that is not a function
    /// is returned unchanged.
    pub fn called(&self, arguments: &[Self]) -> Self {
        match self {
            Self::Function(function) => function.call(arguments),
            value => value.clone(),
        }
    }
}
