//! Values of all three formats, with their positions in the text.

use std::ops::Range;

/// A value, and its range of bytes in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub value: Value,
    pub span: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Null in JSON and YAML, which means the same as a missing key.
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    /// A text. Dates and times of TOML are texts too.
    String(String),
    /// A plain scalar that YAML does not read as a string, although its text may be meant
    /// (`title: 2024`): the value, and the text.
    Plain(Box<Value>, String),
    List(Vec<Node>),
    /// A table, which is an object in JSON and a mapping in YAML.
    Table(Table),
}

impl Value {
    /// Returns the value that a plain YAML scalar has by YAML's rules. Returns other values
    /// unchanged.
    pub fn bare(&self) -> &Self {
        match self {
            Self::Plain(value, _) => value,
            value => value,
        }
    }

    /// Returns the name of the value's kind for an error message, such as `a list`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "true or false",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a decimal number",
            Self::String(_) => "text",
            Self::Plain(value, _) => value.kind(),
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

/// Keys and values, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    pub entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: String,
    /// Bytes of the key in the text.
    pub key_span: Range<usize>,
    pub node: Node,
}

impl Table {
    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }
}
