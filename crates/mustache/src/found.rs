//! Values that names refer to during rendering.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::Number;

use super::Rewrite;
use super::data::{Data, Kind};
use super::escape::escape_into;
use super::steps::Key;

/// A value found by name, with the object key under which it was found.
#[derive(Clone)]
pub(super) struct LookupResult<'t, 'd> {
    pub data: Data<'d>,
    key: Option<&'t str>,
}

impl<'t, 'd> LookupResult<'t, 'd> {
    /// Wraps a context or a list element, which has no key.
    #[inline]
    pub fn new(data: Data<'d>) -> Self {
        LookupResult { data, key: None }
    }

    /// Returns the key under which the value was found, or `None` for a context or a list element.
    #[inline]
    pub fn key(&self) -> Option<&'t str> {
        self.key
    }

    /// Looks up `key` in this value only.
    #[inline]
    pub fn get(&self, key: &'t Key) -> Option<Self> {
        let Some(length) = self.data.length() else {
            let data = self.data.field(&key.text)?;
            return Some(LookupResult { data, key: Some(&key.text) });
        };
        match key.index {
            Some(index) => self.data.element(index).map(LookupResult::new),
            None => (&*key.text == "length").then(|| LookupResult::new(length.into())),
        }
    }

    /// Looks up a `key` that follows a dot, as in `{{value.key}}`. A string has a `length` in
    /// UTF-16 code units, as in JavaScript, because published themes expect it.
    #[inline]
    pub fn get_in(&self, key: &'t Key, readers: Option<&Rewrite<'_>>) -> Option<Self> {
        match self.data.text() {
            Some(text) if &*key.text == "length" => {
                let length = self.read(text, readers).encode_utf16().count();
                Some(LookupResult::new(length.into()))
            }
            _ => self.get(key),
        }
    }

    /// Appends the value as text. With `readers`, an object is written as its `name`, and a list as
    /// nothing.
    pub fn write(&self, escaped: bool, readers: Option<&Rewrite<'_>>, out: &mut String) {
        if let Some(text) = self.data.text() {
            match (self.read(text, readers), escaped) {
                (text, true) => escape_into(&text, out),
                (text, false) => out.push_str(&text),
            }
            return;
        }
        match (&self.data.0, readers) {
            (Kind::Bool(value), _) => out.push_str(if *value { "true" } else { "false" }),
            (Kind::Number(number), _) => write_number(number, out),
            (Kind::Null, _) => {}
            (_, Some(_)) => {
                if let Some(name) = self.data.field("name").filter(|name| name.text().is_some()) {
                    let key = Some("name");
                    LookupResult { data: name, key }.write(escaped, readers, out);
                }
            }
            (_, None) if escaped => escape_into(&self.data.json_text(), out),
            (_, None) => out.push_str(&self.data.json_text()),
        }
    }

    /// Applies the rewrite to a string of this value, if the value has a key.
    fn read<'r>(&self, text: &'r str, readers: Option<&Rewrite<'_>>) -> Cow<'r, str> {
        let (Some(rewrite), Some(key)) = (readers, self.key) else {
            return Cow::Borrowed(text);
        };
        rewrite(key, text).unwrap_or(Cow::Borrowed(text))
    }
}

/// Appends a number. Numbers contain no characters that need escaping.
fn write_number(number: &Number, out: &mut String) {
    match number.as_f64() {
        // The standard formatter would print -0.0 with its sign.
        Some(0.0) => out.push('0'),
        Some(float) if number.is_f64() => display(float, out),
        _ => display(number, out),
    }
}

fn display(value: impl std::fmt::Display, out: &mut String) {
    // Writing to a `String` cannot fail.
    let _ = write!(out, "{value}");
}
