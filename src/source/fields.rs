//! Readers of the typed fields of a [`Table`]. A wrong type is an error. An unknown key is a
//! warning that suggests the most similar known key. All problems in a file are found in one pass.

mod reader;
mod unknown;

use std::cell::{Cell, RefCell};
use std::ops::Range;

use front_matter::{Node, Table, Value};
use jiff::Timestamp;
use jiff::tz::TimeZone;

pub use reader::Reader;

use super::dates;
use super::key_advice::KeyAdvice;
pub use super::nearest::nearest;
use model::shape::{Field, Shape, Written};
use model::url;

/// The fields of one table.
pub struct Fields<'r, 'a> {
    pub reader: &'r Reader<'a>,
    table: &'r Table,
    /// The prefix of the table's keys in messages: empty, or the name of a table, such as
    /// `podcast.`.
    prefix: String,
    /// The declaration of the table's keys. `None` if the keys depend on the theme.
    shape: Option<&'static Shape>,
    /// Keys that were read but are not declared.
    asked: RefCell<Vec<&'static str>>,
    /// Missing required keys for which a similar key exists.
    missing: RefCell<Vec<Missing>>,
    key_advice: Cell<KeyAdvice>,
}

#[cfg(test)]
thread_local! {
    /// The keys that were read on this thread, each with the name of the declaration of its table.
    pub static READ_KEYS: RefCell<std::collections::BTreeSet<(&'static str, &'static str)>> =
        RefCell::default();
}

struct Missing {
    key: &'static str,
    /// The position at which to report the missing key, unless an unknown key is a misspelling of
    /// it.
    place: Range<usize>,
    help: String,
}

/// The help for a key that resembles no known key.
const UNKNOWN_KEY_HELP: &str =
    "correct or remove the ignored key; the documentation lists the known keys";

impl<'r, 'a> Fields<'r, 'a> {
    /// Starts reading a file's top-level table, whose keys are declared.
    pub fn of_file(reader: &'r Reader<'a>, table: &'r Table, shape: &'static Shape) -> Self {
        Self { shape: Some(shape), ..Self::new(reader, table, "") }
    }

    /// Starts reading a table without a declaration, in which every key that is read counts as
    /// known. `prefix` is the prefix of the table's keys in messages (`theme_options.`).
    pub fn new(reader: &'r Reader<'a>, table: &'r Table, prefix: impl Into<String>) -> Self {
        Self {
            reader,
            table,
            prefix: prefix.into(),
            shape: None,
            asked: RefCell::default(),
            missing: RefCell::default(),
            key_advice: Cell::default(),
        }
    }

    /// Returns the value of a key, or `None` if the key is absent or null.
    pub fn node(&self, key: &'static str) -> Option<&'r Node> {
        #[cfg(test)]
        READ_KEYS.with_borrow_mut(|asked| {
            asked.insert((self.shape.map_or("", |shape| shape.name), key))
        });
        match self.shape {
            None => self.asked.borrow_mut().push(key),
            Some(shape) => debug_assert!(
                shape.field(key).is_some() || self.asked.borrow().contains(&key),
                "`{key}` is not declared in {}",
                shape.name
            ),
        }
        self.table.get(key).filter(|node| node.value != Value::Null)
    }

    /// Returns the value of a key that is not allowed here. The caller reports the key.
    pub fn misplaced(&self, key: &'static str) -> Option<&'r Node> {
        self.asked.borrow_mut().push(key);
        self.node(key)
    }

    /// Returns the name of a key in messages.
    pub fn name(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// Reads a string.
    pub fn string(&self, key: &'static str) -> Option<String> {
        self.node(key).and_then(|node| self.as_string(key, node))
    }

    /// Reads a string that is not empty. Reports a string that is longer than its declaration
    /// allows.
    pub fn text(&self, key: &'static str) -> Option<String> {
        self.text_of(key, self.node(key)?)
    }

    /// Reads a node as a string that is not empty. Reports a string that is longer than the key's
    /// declaration allows.
    pub fn text_of(&self, key: &str, node: &Node) -> Option<String> {
        let most = self.written(key).into_iter().find_map(|way| match way {
            Written::UpTo(most) => Some(most),
            _ => None,
        });
        self.within_limit(key, node, self.as_string(key, node)?, most.unwrap_or(usize::MAX))
    }

    /// Reads a string that is not empty. Reports a string of more than `max` characters.
    pub fn text_up_to(&self, key: &'static str, max: usize) -> Option<String> {
        let node = self.node(key)?;
        self.within_limit(key, node, self.as_string(key, node)?, max)
    }

    /// Reports a string of more than `max` characters. Returns `None` if the string is blank.
    pub fn within_limit(&self, key: &str, node: &Node, text: String, max: usize) -> Option<String> {
        let length = text.chars().count();
        if length > max {
            self.reader.error(
                &node.span,
                format!("`{}` has {length} characters; the maximum is {max}", self.name(key)),
                "shorten it",
            );
        }
        (!text.trim().is_empty()).then_some(text)
    }

    /// Returns the allowed forms of a key's value, from the key's declaration.
    fn written(&self, key: &str) -> Vec<Written> {
        let field = self.shape.and_then(|shape| shape.field(key));
        field.map(Field::written).unwrap_or_default()
    }

    /// Reads a required string that is not empty.
    pub fn required_text(&self, key: &'static str, place: &Range<usize>) -> Option<String> {
        self.required(key, place, self.text(key))
    }

    /// Reads a required string that is not empty. Reports a string of more than `max` characters.
    pub fn required_text_up_to(
        &self,
        key: &'static str,
        max: usize,
        place: &Range<usize>,
    ) -> Option<String> {
        self.required(key, place, self.text_up_to(key, max))
    }

    /// Reports a required string that is missing. A value of the wrong type was already reported.
    fn required(
        &self,
        key: &'static str,
        place: &Range<usize>,
        text: Option<String>,
    ) -> Option<String> {
        if text.is_none() {
            let is_of_wrong_type = self.table.entries.iter().any(|entry| {
                entry.key == key && !matches!(entry.node.value, Value::Null | Value::String(_))
            });
            if !is_of_wrong_type {
                self.missing(key, place, format!("add `{key}`"));
            }
        }
        text
    }

    pub fn bool(&self, key: &'static str) -> Option<bool> {
        let node = self.node(key)?;
        match node.value.bare() {
            Value::Bool(flag) => Some(*flag),
            other => self.report_wrong_type(key, node, "true or false", other),
        }
    }

    /// Reads a whole number within the range of its declaration.
    pub fn integer(&self, key: &'static str) -> Option<i64> {
        let node = self.node(key)?;
        let range = self.written(key).into_iter().find_map(|way| match way {
            Written::Whole(least, most) => Some(least..=most),
            _ => None,
        });
        self.integer_of(key, node, range.unwrap_or(i64::MIN..=i64::MAX))
    }

    /// Reads a whole number within a range.
    pub fn integer_in(
        &self,
        key: &'static str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Option<i64> {
        self.integer_of(key, self.node(key)?, range)
    }

    fn integer_of(
        &self,
        key: &str,
        node: &Node,
        range: std::ops::RangeInclusive<i64>,
    ) -> Option<i64> {
        let number = match node.value.bare() {
            Value::Integer(number) => *number,
            other => return self.report_wrong_type(key, node, "a whole number", other),
        };
        if !range.contains(&number) {
            self.reader.error(
                &node.span,
                format!(
                    "`{}` is {number}, but must be from {} to {}",
                    self.name(key),
                    range.start(),
                    range.end()
                ),
                "change the number",
            );
            return None;
        }
        Some(number)
    }

    /// Reads a finite number.
    pub fn number(&self, key: &'static str) -> Option<f64> {
        let node = self.node(key)?;
        match node.value.bare() {
            #[allow(clippy::cast_precision_loss)]
            Value::Integer(number) => Some(*number as f64),
            Value::Float(number) if number.is_finite() => Some(*number),
            other => self.report_wrong_type(key, node, "a number", other),
        }
    }

    /// Reads a date and time. Without an offset, it is in the site's time zone.
    pub fn date(&self, key: &'static str) -> Option<Timestamp> {
        self.date_in(key, &self.reader.config.timezone)
    }

    /// Reads a date and time. Without an offset, it is in `zone`.
    pub fn date_in(&self, key: &'static str, zone: &TimeZone) -> Option<Timestamp> {
        let node = self.node(key)?;
        let text = self.as_string(key, node)?;
        match dates::parse(&text, zone) {
            Ok(time) => Some(time),
            Err(why) => {
                self.reader.error(
                    &node.span,
                    format!("`{}` is not a date: {why}", self.name(key)),
                    "write it like 2026-11-20T09:30:00Z, 2026-11-20 09:30 or 2026-11-20",
                );
                None
            }
        }
    }

    /// Reads an `http:` or `https:` URL.
    pub fn http_url(&self, key: &'static str) -> Option<String> {
        let node = self.node(key)?;
        let text = self.as_string(key, node)?;
        if text.is_empty() {
            return None;
        }
        if !url::is_http(&text) {
            self.reader.error(
                &node.span,
                format!("`{}` is not a URL: {text:?}", self.name(key)),
                "write the full URL, starting with https:// or http://",
            );
            return None;
        }
        Some(text)
    }

    /// Reads a list of strings. A single string counts as a list of one string.
    pub fn strings(&self, key: &'static str) -> Vec<String> {
        let Some(node) = self.node(key) else {
            return Vec::new();
        };
        match &node.value {
            Value::List(list) => list
                .iter()
                .filter(|node| node.value != Value::Null)
                .filter_map(|node| self.as_string(key, node))
                .collect(),
            _ => self.as_string(key, node).into_iter().collect(),
        }
    }

    /// Returns the elements of a list. Any other value counts as a list of one element.
    pub fn list(&self, key: &'static str) -> &'r [Node] {
        match self.node(key) {
            None => &[],
            Some(Node { value: Value::List(list), .. }) => list,
            Some(node) => std::slice::from_ref(node),
        }
    }

    /// Reads a table with `read`.
    pub fn table<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Fields<'r, 'a>) -> T,
    ) -> Option<T> {
        let node = self.node(key)?;
        match &node.value {
            Value::Table(table) => Some(self.read_table(key, table, read)),
            other => self.report_wrong_type(key, node, "a table", other),
        }
    }

    /// Reads a table that the author wrote under `key`, in a list or instead of a string.
    pub fn read_table<T>(
        &self,
        key: &str,
        table: &'r Table,
        read: impl FnOnce(&Fields<'r, 'a>) -> T,
    ) -> T {
        let shape = self.shape.and_then(|shape| shape.field(key)?.table());
        debug_assert!(shape.is_some() || self.shape.is_none(), "no keys of `{key}` are declared");
        self.read_table_as(shape, key, table, read)
    }

    /// Reads a table like [`read_table`](Self::read_table), with `shape` instead of the declaration
    /// of `key`.
    pub fn read_table_as<T>(
        &self,
        shape: Option<&'static Shape>,
        key: &str,
        table: &'r Table,
        read: impl FnOnce(&Fields<'r, 'a>) -> T,
    ) -> T {
        let fields =
            Fields { shape, ..Fields::new(self.reader, table, format!("{}{key}.", self.prefix)) };
        let value = read(&fields);
        fields.finish();
        value
    }

    /// Reads a node as a string. Any other type is an error.
    pub fn as_string(&self, key: &str, node: &Node) -> Option<String> {
        match &node.value {
            Value::String(text) | Value::Plain(_, text) => Some(text.clone()),
            other => self.report_wrong_type(key, node, "text", other),
        }
    }

    pub fn report_wrong_type<T>(
        &self,
        key: &str,
        node: &Node,
        expected: &str,
        found: &Value,
    ) -> Option<T> {
        let example = match expected {
            "text" if matches!(found, Value::List(_) | Value::Table(_)) => {
                "write one string in quotes"
            }
            "text" => "put it in quotes",
            "true or false" => "write true or false, without quotes",
            "a whole number" | "a number" => "write digits, without quotes",
            "a list" => "write it like [\"one\", \"two\"]",
            _ => "see the documentation of this key",
        };
        self.reader.error(
            &node.span,
            format!("`{}` must be {expected}, not {}", self.name(key), found.kind()),
            example,
        );
        None
    }

    /// Reads a string that must be one of a fixed set of names.
    pub fn choice<T>(
        &self,
        key: &'static str,
        names: &[&str],
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        self.choice_of(key, self.node(key)?, names, parse)
    }

    /// Reads a node as a string that must be one of a fixed set of names.
    pub fn choice_of<T>(
        &self,
        key: &str,
        node: &Node,
        names: &[&str],
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.as_string(key, node)?;
        let parsed = parse(&text);
        if parsed.is_none() {
            let help = match nearest(&text, names) {
                Some(near) => {
                    format!("did you mean \"{near}\"? Allowed values: {}", names.join(", "))
                }
                None => format!("write one of {}", names.join(", ")),
            };
            self.reader.error(&node.span, format!("`{}` cannot be {text:?}", self.name(key)), help);
        }
        parsed
    }

    /// Returns the spellings of a key, from its declaration.
    pub fn spellings(&self, key: &str) -> impl Iterator<Item = &'static str> + use<> {
        let field = self.shape.and_then(|shape| shape.field(key));
        field.into_iter().flat_map(Field::keys)
    }

    /// Calls `read` with each spelling of a key, and returns the first value that can be read.
    pub fn first_of<T>(&self, key: &str, read: impl FnMut(&'static str) -> Option<T>) -> Option<T> {
        self.spellings(key).find_map(read)
    }

    /// Marks keys as known without reading them.
    pub fn ignore(&self, keys: &[&'static str]) {
        self.asked.borrow_mut().extend(keys);
    }

    /// Sets the advice for keys of other programs, see [`KeyAdvice`].
    pub fn set_key_advice(&self, advice: KeyAdvice) {
        self.key_advice.set(advice);
    }
}
