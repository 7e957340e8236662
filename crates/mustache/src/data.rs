//! What a name stands for while rendering.

use std::fmt::Write;

use serde_json::{Number, Value};

use super::escape::{Escaping, escape_into};
use super::steps::Key;

/// One level of the stack in which a rendering looks names up.
#[derive(Debug, Clone, Copy)]
pub enum Context<'a> {
    /// An object, whose keys are the names.
    Object(&'a Value),
    /// A value under a name of its own, so that one value can be found under two names.
    Named(&'a str, &'a Value),
}

impl<'a> From<&'a Value> for Context<'a> {
    fn from(value: &'a Value) -> Self {
        Context::Object(value)
    }
}

/// A value found while rendering: one of the data, a named one, or one that is computed (the length of a list
/// or a text).
#[derive(Debug, Clone, Copy)]
pub(super) enum Datum<'a> {
    Value(&'a Value),
    Length(usize),
    Named(&'a str, &'a Value),
}

impl<'a> From<Context<'a>> for Datum<'a> {
    fn from(context: Context<'a>) -> Self {
        match context {
            Context::Object(value) => Datum::Value(value),
            Context::Named(name, value) => Datum::Named(name, value),
        }
    }
}

impl<'a> Datum<'a> {
    /// Looks `key` up in this value alone.
    pub fn get(self, key: &Key) -> Option<Datum<'a>> {
        match self {
            Datum::Value(Value::Object(fields)) => fields.get(&*key.text).map(Datum::Value),
            Datum::Value(Value::Array(items)) => match key.index {
                Some(index) => items.get(index).map(Datum::Value),
                None => (&*key.text == "length").then_some(Datum::Length(items.len())),
            },
            Datum::Named(name, value) => (*name == *key.text).then_some(Datum::Value(value)),
            _ => None,
        }
    }

    /// Looks `key` up in the value that the name before its dot stands for. A text has a `length` there, in
    /// UTF-16 code units, as in the JavaScript that published themes are written for.
    pub fn get_in(self, key: &Key) -> Option<Datum<'a>> {
        match self {
            Datum::Value(Value::String(text)) if &*key.text == "length" => {
                Some(Datum::Length(text.encode_utf16().count()))
            }
            _ => self.get(key),
        }
    }

    /// Whether a section of this value renders.
    pub fn is_true(self) -> bool {
        match self {
            Datum::Length(length) => length != 0,
            Datum::Named(..) => true,
            Datum::Value(value) => match value {
                Value::Null => false,
                Value::Bool(value) => *value,
                Value::Number(number) => number.as_f64() != Some(0.0),
                Value::String(text) => !text.is_empty(),
                Value::Array(items) => !items.is_empty(),
                Value::Object(_) => true,
            },
        }
    }

    /// The value as a page shows it: an object as its `name`, a list as nothing.
    pub fn for_readers(self) -> Datum<'a> {
        match self {
            Datum::Value(Value::Array(_)) => Datum::Value(&Value::Null),
            Datum::Value(Value::Object(fields)) => match fields.get("name") {
                Some(name @ Value::String(_)) => Datum::Value(name),
                _ => Datum::Value(&Value::Null),
            },
            other => other,
        }
    }

    /// Appends the value as text.
    pub fn write(self, escaped: bool, out: &mut String) {
        match self {
            Datum::Length(length) => display(length, out),
            Datum::Named(..) => {}
            Datum::Value(value) => match value {
                Value::Null => {}
                Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
                Value::Number(number) => write_number(number, out),
                Value::String(text) if escaped => escape_into(text, out),
                Value::String(text) => out.push_str(text),
                Value::Array(_) | Value::Object(_) if escaped => display(value, &mut Escaping(out)),
                Value::Array(_) | Value::Object(_) => display(value, out),
            },
        }
    }
}

/// Nothing in a number is escaped, so both kinds of tag print it alike.
fn write_number(number: &Number, out: &mut String) {
    match number.as_f64() {
        // The standard formatter keeps the sign of -0.0, which no reader wants to see.
        Some(0.0) => out.push('0'),
        Some(float) if number.is_f64() => display(float, out),
        _ => display(number, out),
    }
}

fn display(value: impl std::fmt::Display, out: &mut impl Write) {
    // Both writers only append to a String, which cannot fail.
    let _ = write!(out, "{value}");
}
