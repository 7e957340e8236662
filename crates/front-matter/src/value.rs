//! Values of all three formats, with their positions in the document.

use std::ops::Range;

/// A value, and its byte range in the document.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub value: Value,
    pub span: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Null in JSON and YAML. It means the same as a missing key.
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    /// A string. Dates and times in TOML are also strings.
    String(String),
    /// A plain YAML scalar that is not a string by YAML's rules, with its text. The author may have
    /// meant the text (`title: 2024`).
    Plain(Box<Value>, String),
    List(Vec<Node>),
    /// A table, which is an object in JSON and a mapping in YAML.
    Table(Table),
}

impl Value {
    /// Returns the value of a plain YAML scalar according to YAML's rules. Returns other values
    /// unchanged.
    pub fn bare(&self) -> &Self {
        match self {
            Self::Plain(value, _) => value,
            value => value,
        }
    }

    /// Returns the type of the value for error messages, such as `a list`.
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

/// Keys and values, in the order of the document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    pub entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: String,
    /// Byte range of the key in the document.
    pub key_span: Range<usize>,
    pub node: Node,
}

impl Table {
    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }
}
