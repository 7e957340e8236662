//! The types of columns, and how the engine keeps their values.

use std::fmt;

/// The type of a value. Each says how SQLite stores it; NULL is a value of every type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// TEXT.
    String,
    /// BLOB.
    Bytes,
    /// 64 bits with a sign. INTEGER.
    Integer,
    /// 64 bits, IEEE 754. REAL, or the TEXT `NaN`. In arrays and structs infinities are texts, too.
    Float,
    /// INTEGER, 0 or 1.
    Boolean,
    /// An instant. INTEGER: microseconds since 1970-01-01T00:00:00Z.
    Timestamp,
    /// A day. TEXT: `2026-11-21`.
    Date,
    /// A time of day. TEXT: `07:05:00` or, with a fraction, `07:05:00.25`, without zeros at its end.
    Time,
    /// A day and a time, in no time zone. TEXT: `2026-11-21T07:05:00`, its time as in [`Type::Time`].
    DateTime,
    /// TEXT: compact JSON (RFC 8259).
    Json,
    /// TEXT: a JSON array. Each element is as SQLite would keep it: text, number, true or false; bytes
    /// are base64, JSON, arrays and structs stand as they are.
    Array(Box<Type>),
    /// TEXT: a JSON object with a member for each field, each value as in an array.
    Struct(Vec<Field>),
    /// The type of a field of a struct that is written as NULL. It becomes every type, and is shown as INT64.
    Untyped,
}

/// A column, or a field of a struct.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name. Names are compared without regard to case.
    pub name: String,
    /// The type of its values. An array is what schemas call a repeated field.
    pub of: Type,
    /// Whether it may not be NULL. An array never is: it is empty instead.
    pub is_required: bool,
    /// What its author says of it.
    pub description: Option<String>,
}

impl Field {
    /// A column that may be NULL.
    pub fn new(name: impl Into<String>, of: Type) -> Self {
        Self { name: name.into(), of, is_required: false, description: None }
    }

    /// The same, described.
    #[must_use]
    pub fn described(self, description: &str) -> Self {
        Self { description: Some(description.to_owned()), ..self }
    }

    /// Whether this is its name, whatever the case.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

impl Type {
    /// The name that SQL and schemas have for a type without parts. The long ones of SQL (`INT64`,
    /// `FLOAT64`, `BOOL`) and those of schemas (`INTEGER`, `FLOAT`, `BOOLEAN`) mean the same.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name.to_ascii_uppercase().as_str() {
            "STRING" => Self::String,
            "BYTES" => Self::Bytes,
            "INTEGER" | "INT64" | "INT" | "SMALLINT" | "BIGINT" | "TINYINT" | "BYTEINT" => {
                Self::Integer
            }
            "FLOAT" | "FLOAT64" => Self::Float,
            "BOOLEAN" | "BOOL" => Self::Boolean,
            "TIMESTAMP" => Self::Timestamp,
            "DATE" => Self::Date,
            "TIME" => Self::Time,
            "DATETIME" => Self::DateTime,
            "JSON" => Self::Json,
            _ => return None,
        })
    }

    /// Its name in a schema. An array has that of its elements, with the mode `REPEATED`.
    pub fn schema_name(&self) -> &'static str {
        match self {
            Self::String => "STRING",
            Self::Bytes => "BYTES",
            Self::Integer | Self::Untyped => "INTEGER",
            Self::Float => "FLOAT",
            Self::Boolean => "BOOLEAN",
            Self::Timestamp => "TIMESTAMP",
            Self::Date => "DATE",
            Self::Time => "TIME",
            Self::DateTime => "DATETIME",
            Self::Json => "JSON",
            Self::Array(element) => element.schema_name(),
            Self::Struct(_) => "RECORD",
        }
    }

    /// The affinity of a column of this type (SQLite, "Datatypes In SQLite", section 3).
    pub fn affinity(&self) -> &'static str {
        match self {
            Self::Integer | Self::Boolean | Self::Timestamp | Self::Untyped => "INTEGER",
            // A REAL column of a STRICT table takes no text.
            Self::Float => "ANY",
            Self::Bytes => "BLOB",
            _ => "TEXT",
        }
    }
}

/// As SQL writes it: `INT64`, `ARRAY<STRING>`, `STRUCT<name STRING>`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer | Self::Untyped => f.write_str("INT64"),
            Self::Float => f.write_str("FLOAT64"),
            Self::Boolean => f.write_str("BOOL"),
            Self::Array(element) => write!(f, "ARRAY<{element}>"),
            Self::Struct(fields) => {
                f.write_str("STRUCT<")?;
                for (at, field) in fields.iter().enumerate() {
                    let separator = if at == 0 { "" } else { ", " };
                    write!(f, "{separator}{} {}", field.name, field.of)?;
                }
                f.write_str(">")
            }
            plain => f.write_str(plain.schema_name()),
        }
    }
}
