//! Converts the types in statements.

use sqlparser::ast::{
    ArrayElemTypeDef, DataType, ExactNumberInfo, StructBracketKind, StructField, TimezoneInfo,
};

use super::bind_error::{BindError, BindResult};
use crate::schema::check_name;
use crate::types::{Field, Type};

/// Converts a parsed type to a type of the warehouse.
pub(super) fn type_of(written: &DataType) -> BindResult<Type> {
    Ok(match written {
        DataType::String(None) | DataType::Text => Type::String,
        DataType::Bytes(None) => Type::Bytes,
        DataType::Int64
        | DataType::Int(None)
        | DataType::Integer(None)
        | DataType::SmallInt(None)
        | DataType::BigInt(None)
        | DataType::TinyInt(None) => Type::Integer,
        DataType::Float64 | DataType::Float(ExactNumberInfo::None) => Type::Float,
        DataType::Bool | DataType::Boolean => Type::Boolean,
        DataType::Timestamp(None, TimezoneInfo::None) => Type::Timestamp,
        DataType::Date => Type::Date,
        DataType::Time(None, TimezoneInfo::None) => Type::Time,
        DataType::Datetime(None) => Type::DateTime,
        DataType::JSON => Type::Json,
        DataType::Array(ArrayElemTypeDef::AngleBracket(element)) => array_of(type_of(element)?)?,
        DataType::Struct(fields, StructBracketKind::AngleBrackets) => struct_of(fields)?,
        DataType::Custom(name, arguments) if arguments.is_empty() => {
            let name = name.to_string();
            Type::parse(&name).ok_or_else(|| unknown(&name))?
        }
        DataType::Numeric(_)
        | DataType::BigNumeric(_)
        | DataType::BigDecimal(_)
        | DataType::Decimal(_) => {
            return Err(
                "NUMERIC is not supported: use FLOAT64, or INT64 in the smallest unit".into()
            );
        }
        DataType::String(Some(_)) | DataType::Bytes(Some(_)) => {
            return Err("the length of a type is not supported: remove it".into());
        }
        other => return Err(unknown(&other.to_string())),
    })
}

fn unknown(name: &str) -> BindError {
    let name: String = name.chars().take(60).collect();
    format!("Type not found: {name}; use STRING, BYTES, INT64, FLOAT64, BOOL, TIMESTAMP, DATE, TIME, DATETIME, JSON, ARRAY<…> or STRUCT<…>").into()
}

/// Creates an array type. Returns an error if the elements are arrays.
pub(super) fn array_of(element: Type) -> BindResult<Type> {
    match element {
        Type::Array(_) => {
            Err("Cannot construct array with element type ARRAY: put the inner array in a STRUCT"
                .into())
        }
        element => Ok(Type::Array(Box::new(element))),
    }
}

fn struct_of(written: &[StructField]) -> BindResult<Type> {
    let mut fields: Vec<Field> = Vec::with_capacity(written.len());
    for StructField { field_name, field_type, options } in written {
        if options.is_some() {
            return Err("OPTIONS of fields are not supported here: remove them".into());
        }
        let name = field_name.as_ref().map(|name| name.value.clone());
        fields.push(field(name, fields.len(), type_of(field_type)?)?);
    }
    distinct(fields)
}

/// Creates a field of a struct. A field without a name gets a name from its position, such as
/// `_field_1`.
pub(super) fn field(name: Option<String>, at: usize, of: Type) -> BindResult<Field> {
    let name = name.unwrap_or_else(|| format!("_field_{}", at + 1));
    check_name(&name)?;
    Ok(Field::new(name, of))
}

/// Creates a struct type. Returns an error if two fields have the same name.
pub(super) fn distinct(fields: Vec<Field>) -> BindResult<Type> {
    for (at, field) in fields.iter().enumerate() {
        if fields[..at].iter().any(|before| before.has_name(&field.name)) {
            return Err(format!("duplicate field {} in a STRUCT", field.name).into());
        }
    }
    Ok(Type::Struct(fields))
}
