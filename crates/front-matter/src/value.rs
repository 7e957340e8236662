//! A value in any of the three formats, with its place in the text.

use std::ops::Range;

/// A value and the bytes of the text it stands at.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub value: Value,
    pub span: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// JSON's and YAML's null: the same as a key left out.
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    /// A text; a TOML date or time is its text.
    String(String),
    /// A plain scalar that YAML does not read as a string, though its text may be meant (`title: 2024`): the
    /// value, and the text.
    Plain(Box<Value>, String),
    List(Vec<Node>),
    /// A table: an object, a mapping.
    Table(Table),
}

impl Value {
    /// A plain YAML scalar as the value it is by YAML's rules; any other value as it is.
    pub fn bare(&self) -> &Self {
        match self {
            Self::Plain(value, _) => value,
            value => value,
        }
    }

    /// Its kind in an error message, such as `a list`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "true or false",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::String(_) => "a text",
            Self::Plain(value, _) => value.kind(),
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

/// Keys and values in the order of the text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    pub entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: String,
    /// Its bytes in the text.
    pub key_span: Range<usize>,
    pub node: Node,
}

impl Table {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }
}
