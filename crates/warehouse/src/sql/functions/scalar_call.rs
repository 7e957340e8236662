//! The arguments that SQLite passes to a registered function.
//!
//! The binder checks the types of arguments. But a damaged database can contain values of other
//! types, so each argument is checked again before use.

use std::fmt;
use std::os::raw::c_int;
use std::sync::Arc;

use rusqlite::functions::Context;
use rusqlite::types::{Value, ValueRef};

use super::argument_types::read_types;
use super::json_text::Json;
use crate::float;
use crate::sql::expression::Part;
use crate::types::Type;

/// Maximum size of a value that a function returns, in bytes.
pub(super) const MAX_VALUE_BYTES: usize = 16 << 20;

/// Maximum number of elements in an array that a function generates.
const MAX_ELEMENTS: u64 = 1 << 20;

/// A call to a registered function.
pub(super) struct ScalarCall<'a> {
    context: &'a Context<'a>,
}

impl<'a> ScalarCall<'a> {
    pub(super) fn new(context: &'a Context<'a>) -> Self {
        Self { context }
    }

    /// Returns the number of arguments.
    pub(super) fn len(&self) -> usize {
        self.context.len()
    }

    /// Returns whether the argument was passed.
    pub(super) fn has(&self, at: usize) -> bool {
        at < self.len()
    }

    pub(super) fn has_null(&self) -> bool {
        (0..self.len()).any(|at| self.is_null(at))
    }

    pub(super) fn is_null(&self, at: usize) -> bool {
        matches!(self.raw(at), ValueRef::Null)
    }

    /// Returns the value of an argument, or NULL if the argument was not passed.
    pub(super) fn raw(&self, at: usize) -> ValueRef<'a> {
        if self.has(at) { self.context.get_raw(at) } else { ValueRef::Null }
    }

    pub(super) fn text(&self, at: usize) -> Result<&'a str, String> {
        match self.raw(at) {
            ValueRef::Text(bytes) => {
                std::str::from_utf8(bytes).map_err(|_| "a STRING is not valid UTF-8".to_owned())
            }
            other => Err(unexpected("STRING", other)),
        }
    }

    pub(super) fn bytes(&self, at: usize) -> Result<&'a [u8], String> {
        match self.raw(at) {
            ValueRef::Blob(bytes) => Ok(bytes),
            other => Err(unexpected("BYTES", other)),
        }
    }

    pub(super) fn int(&self, at: usize) -> Result<i64, String> {
        match self.raw(at) {
            ValueRef::Integer(value) => Ok(value),
            other => Err(unexpected("INT64", other)),
        }
    }

    pub(super) fn float(&self, at: usize) -> Result<f64, String> {
        let value = self.raw(at);
        float::read(value).ok_or_else(|| unexpected("FLOAT64", value))
    }

    pub(super) fn bool(&self, at: usize) -> Result<bool, String> {
        match self.raw(at) {
            ValueRef::Integer(value) => Ok(value != 0),
            other => Err(unexpected("BOOL", other)),
        }
    }

    /// Returns an integer argument that must be at least 0.
    pub(super) fn count(&self, at: usize) -> Result<usize, String> {
        let count = self.int(at)?;
        usize::try_from(count).map_err(|_| format!("{count} is invalid: must be at least 0"))
    }

    /// Returns the elements of an array argument.
    pub(super) fn array(&self, at: usize) -> Result<Vec<Json<'a>>, String> {
        match Json::parse(self.text(at)?)? {
            Json::Array(elements) => Ok(elements),
            _ => Err("an ARRAY is damaged".to_owned()),
        }
    }

    pub(super) fn part(&self, at: usize) -> Result<Part, String> {
        let name = self.text(at)?;
        Part::parse(name).ok_or_else(|| format!("unknown date part {name}"))
    }

    /// Parses a text argument with `read`. If the argument is the same for every row, it is parsed
    /// only once.
    pub(super) fn read<T: Send + Sync + 'static>(
        &self,
        at: usize,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Arc<T>, String> {
        let text = self.text(at)?;
        let slot = c_int::try_from(at).map_err(|_| "too many arguments".to_owned())?;
        self.context.get_or_create_aux(slot, |_| read(text)).map_err(|error| error.to_string())
    }

    /// Returns the types of the arguments. Only a function declared with `argument_types` receives
    /// them.
    pub(super) fn types(&self) -> Result<Arc<Vec<Type>>, String> {
        self.read(self.len().saturating_sub(1), read_types)
    }
}

fn unexpected(wanted: &str, found: ValueRef<'_>) -> String {
    let found = found.data_type();
    format!("a value of type {wanted} is stored as {found}")
}

/// Returns the value, or an error if the value is too long.
pub(super) fn within_bounds(value: Value) -> Result<Value, String> {
    let length = match &value {
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
        _ => 0,
    };
    if length <= MAX_VALUE_BYTES { Ok(value) } else { Err(too_long()) }
}

/// Returns an error if a value of this size would be too long.
pub(super) fn check_size(bytes: Option<usize>) -> Result<(), String> {
    if bytes.is_some_and(|bytes| bytes <= MAX_VALUE_BYTES) { Ok(()) } else { Err(too_long()) }
}

/// Returns an error if an array of this length would be too long.
pub(super) fn check_element_count(count: u64) -> Result<(), String> {
    match count {
        0..=MAX_ELEMENTS => Ok(()),
        _ => Err(format!("the array must have at most {MAX_ELEMENTS} elements")),
    }
}

fn too_long() -> String {
    format!("the result must be at most {MAX_VALUE_BYTES} bytes")
}

/// A string that can grow up to [`MAX_VALUE_BYTES`].
#[derive(Default)]
pub(super) struct Text(String);

impl Text {
    pub(super) fn push(&mut self, text: &str) -> Result<(), String> {
        check_size(self.0.len().checked_add(text.len()))?;
        self.0.push_str(text);
        Ok(())
    }

    pub(super) fn push_display(&mut self, value: impl fmt::Display) -> Result<(), String> {
        self.push(&value.to_string())
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}
