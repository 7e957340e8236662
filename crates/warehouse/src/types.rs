//! The types of columns, and how their values are stored.

use std::fmt;

/// The type of a value. Each variant describes how SQLite stores the value. NULL is valid for every
/// type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// TEXT.
    String,
    /// BLOB.
    Bytes,
    /// INTEGER: a signed 64-bit integer.
    Integer,
    /// REAL: a 64-bit IEEE 754 float. NaN is stored as the TEXT `NaN`. In arrays and structs,
    /// infinities are also stored as text.
    Float,
    /// INTEGER, 0 or 1.
    Boolean,
    /// INTEGER: a timestamp in microseconds since 1970-01-01T00:00:00Z.
    Timestamp,
    /// TEXT: a day, such as `2026-11-21`.
    Date,
    /// TEXT: a time of day, such as `07:05:00` or `07:05:00.25`. The fraction has no trailing
    /// zeros.
    Time,
    /// TEXT: a day and a time without a time zone, such as `2026-11-21T07:05:00`. The time is
    /// stored like a [`Type::Time`].
    DateTime,
    /// TEXT: compact JSON (RFC 8259).
    Json,
    /// TEXT: a JSON array. Scalar elements are strings, numbers or booleans in their stored form,
    /// and BYTES are base64. JSON, arrays and structs are nested JSON.
    Array(Box<Type>),
    /// TEXT: a JSON object with a member for each field. Values are stored as in arrays.
    Struct(Vec<Field>),
    /// The type of a struct field whose value is written as NULL in a statement. Such a field
    /// converts to every type, and is shown as INT64.
    Untyped,
}

/// A column of a table or a field of a struct.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// The name, which is compared without regard to case.
    pub name: String,
    /// The type of the values. An array is a repeated field in JSON schemas.
    pub of: Type,
    /// Whether NULL is forbidden. An array is never NULL, but can be empty.
    pub is_required: bool,
    /// The description, written by the table's author.
    pub description: Option<String>,
}

impl Field {
    /// Creates a nullable field.
    pub fn new(name: impl Into<String>, of: Type) -> Self {
        Self { name: name.into(), of, is_required: false, description: None }
    }

    /// Returns the same field with a description.
    #[must_use]
    pub fn described(self, description: &str) -> Self {
        Self { description: Some(description.to_owned()), ..self }
    }

    /// Returns whether the field has this name, ignoring case.
    pub fn has_name(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

impl Type {
    /// Parses the name of a type, except arrays and structs. Accepts the names in SQL (`INT64`,
    /// `FLOAT64`, `BOOL`) and in schemas (`INTEGER`, `FLOAT`, `BOOLEAN`).
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

    /// Returns the name of the type in a schema. An array has the name of its element type, because
    /// a schema marks arrays with the mode `REPEATED`.
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

    /// Returns the SQLite type of a column of this type.
    pub fn affinity(&self) -> &'static str {
        match self {
            Self::Integer | Self::Boolean | Self::Timestamp | Self::Untyped => "INTEGER",
            // NaN is stored as text, which a REAL column of a STRICT table does not accept.
            Self::Float => "ANY",
            Self::Bytes => "BLOB",
            _ => "TEXT",
        }
    }
}

/// Writes the type as in SQL, such as `INT64`, `ARRAY<STRING>` or `STRUCT<name STRING>`.
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
