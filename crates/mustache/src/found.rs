//! What a name stands for while rendering.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::Number;

use super::Rewrite;
use super::data::{Data, Kind};
use super::escape::escape_into;
use super::steps::Key;

/// A value that was found, with the key of the object that it was found under.
#[derive(Clone)]
pub(super) struct Found<'t, 'd> {
    pub data: Data<'d>,
    key: Option<&'t str>,
}

impl<'t, 'd> Found<'t, 'd> {
    /// A context, or an element of a list, which stand under no key.
    #[inline]
    pub fn new(data: Data<'d>) -> Self {
        Found { data, key: None }
    }

    /// The key under which it was found; None for a context and an element of a list.
    #[inline]
    pub fn key(&self) -> Option<&'t str> {
        self.key
    }

    /// Looks `key` up in this value alone.
    #[inline]
    pub fn get(&self, key: &'t Key) -> Option<Self> {
        let Some(length) = self.data.length() else {
            let data = self.data.field(&key.text)?;
            return Some(Found { data, key: Some(&key.text) });
        };
        match key.index {
            Some(index) => self.data.element(index).map(Found::new),
            None => (&*key.text == "length").then(|| Found::new(length.into())),
        }
    }

    /// Looks `key` up in the value that the name before its dot stands for. A text has a `length` there, in
    /// UTF-16 code units, as in the JavaScript that published themes are written for.
    #[inline]
    pub fn get_in(&self, key: &'t Key, readers: Option<&Rewrite<'_>>) -> Option<Self> {
        match self.data.text() {
            Some(text) if &*key.text == "length" => {
                let length = self.read(text, readers).encode_utf16().count();
                Some(Found::new(length.into()))
            }
            _ => self.get(key),
        }
    }

    /// Appends the value as text. For readers, that of an object is its `name`, and a list has none.
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
                    Found { data: name, key }.write(escaped, readers, out);
                }
            }
            (_, None) if escaped => escape_into(&self.data.json_text(), out),
            (_, None) => out.push_str(&self.data.json_text()),
        }
    }

    /// A text of this value as readers get it.
    fn read<'r>(&self, text: &'r str, readers: Option<&Rewrite<'_>>) -> Cow<'r, str> {
        let (Some(rewrite), Some(key)) = (readers, self.key) else {
            return Cow::Borrowed(text);
        };
        rewrite(key, text).unwrap_or(Cow::Borrowed(text))
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

fn display(value: impl std::fmt::Display, out: &mut String) {
    // To append to a String cannot fail.
    let _ = write!(out, "{value}");
}
