//! Binds literals (numbers, strings, bytes, and typed literals such as DATE) and `?` parameters.

use sqlparser::ast::{DataType, TypedString, Value, ValueWithSpan};

use super::bind_error::BindResult;
use super::binder::Binder;
use super::coercion;
use super::expression::{Argument, Expression};
use super::expression_kinds::scalar;
use super::sqlite_literals::{bytes_sql, text_sql};
use super::types::type_of;
use crate::types::Type;

pub(super) fn string(text: String) -> Expression {
    Expression { sql: text_sql(&text), of: Some(Type::String), literal: Some(text) }
}

pub(super) fn null() -> Expression {
    Expression { sql: "NULL".into(), of: None, literal: None }
}

/// Binds a numeric literal with its sign.
pub(super) fn number(digits: &str, is_negative: bool) -> BindResult<Expression> {
    let sign = if is_negative { "-" } else { "" };
    let written = format!("{sign}{digits}");
    if digits.bytes().all(|c| c.is_ascii_digit()) {
        let value: i64 = written
            .parse()
            .map_err(|_| format!("Invalid integer literal: {written} does not fit INT64"))?;
        return Ok(Expression::new(integer_sql(value), Type::Integer));
    }
    let value: f64 = written
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())
        .ok_or_else(|| format!("Invalid floating point literal: {written}"))?;
    Ok(Expression::new(format!("{value:?}"), Type::Float))
}

fn integer_sql(value: i64) -> String {
    // SQLite would parse the smallest INT64 as a REAL.
    match value {
        i64::MIN => format!("({} - 1)", i64::MIN + 1),
        value if value < 0 => format!("({value})"),
        value => value.to_string(),
    }
}

/// Returns the text of a string literal, or `None` for any other literal.
pub(super) fn string_of(value: &Value) -> Option<BindResult<String>> {
    Some(match value {
        Value::SingleQuotedString(text)
        | Value::DoubleQuotedString(text)
        | Value::TripleSingleQuotedString(text)
        | Value::TripleDoubleQuotedString(text) => unescape(text).and_then(|bytes| utf8(&bytes)),
        Value::SingleQuotedRawStringLiteral(text)
        | Value::DoubleQuotedRawStringLiteral(text)
        | Value::TripleSingleQuotedRawStringLiteral(text)
        | Value::TripleDoubleQuotedRawStringLiteral(text) => Ok(text.clone()),
        _ => return None,
    })
}

fn utf8(units: &[Unit]) -> BindResult<String> {
    let mut text = String::with_capacity(units.len());
    for unit in units {
        match unit {
            Unit::Char(c) => text.push(*c),
            // In a string literal, a byte escape stands for a code point.
            Unit::Byte(byte) => text.push(char::from(*byte)),
        }
    }
    Ok(text)
}

/// Returns the value of a bytes literal.
fn bytes_of(text: &str) -> BindResult<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    for unit in unescape(text)? {
        match unit {
            Unit::Byte(byte) => bytes.push(byte),
            Unit::Char(c) => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    Ok(bytes)
}

/// A character of a literal, after resolving escapes.
enum Unit {
    Char(char),
    /// An escape such as `\x41` or `\101`, which means a byte in a bytes literal, and a code point
    /// in a string literal.
    Byte(u8),
}

fn unescape(text: &str) -> BindResult<Vec<Unit>> {
    let mut units = Vec::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            units.push(Unit::Char(c));
            continue;
        }
        let escape = rest.next().unwrap_or('\\');
        units.push(match escape {
            'a' => Unit::Char('\u{7}'),
            'b' => Unit::Char('\u{8}'),
            'f' => Unit::Char('\u{c}'),
            'n' => Unit::Char('\n'),
            'r' => Unit::Char('\r'),
            't' => Unit::Char('\t'),
            'v' => Unit::Char('\u{b}'),
            '\\' | '?' | '"' | '\'' | '`' | '\n' => Unit::Char(escape),
            '0'..='3' => byte(&mut rest, Some(escape), 2, 8)?,
            'x' | 'X' => byte(&mut rest, None, 2, 16)?,
            'u' => Unit::Char(code_point(&mut rest, 4)?),
            'U' => Unit::Char(code_point(&mut rest, 8)?),
            other => {
                return Err(format!(
                    "Illegal escape sequence: \\{other}; write \\\\ for a backslash, or r'…'"
                )
                .into());
            }
        });
    }
    Ok(units)
}

fn digits(rest: &mut std::str::Chars, count: usize, radix: u32) -> Option<u32> {
    let mut value = 0_u32;
    for _ in 0..count {
        value = value.checked_mul(radix)?.checked_add(rest.next()?.to_digit(radix)?)?;
    }
    Some(value)
}

fn byte(
    rest: &mut std::str::Chars,
    first: Option<char>,
    count: usize,
    radix: u32,
) -> BindResult<Unit> {
    let high = first.and_then(|c| c.to_digit(radix)).unwrap_or(0);
    digits(rest, count, radix)
        .and_then(|low| u8::try_from(high * 64 + low).ok())
        .map(Unit::Byte)
        .ok_or_else(|| {
            "Illegal escape sequence: \\ooo requires three octal digits, \\xhh requires two hexadecimal digits"
                .into()
        })
}

fn code_point(rest: &mut std::str::Chars, count: usize) -> BindResult<char> {
    digits(rest, count, 16)
        .and_then(char::from_u32)
        .ok_or_else(|| "Illegal escape sequence: \\u requires four and \\U eight hexadecimal digits of a Unicode character".into())
}

impl Binder<'_> {
    /// Binds a literal or a positional parameter.
    pub(super) fn value(&mut self, literal: &ValueWithSpan) -> BindResult<Expression> {
        if let Some(text) = string_of(&literal.value) {
            return Ok(string(text?));
        }
        match &literal.value {
            Value::Number(digits, false) => number(digits, false),
            Value::HexStringLiteral(digits) => {
                let value = u64::from_str_radix(digits, 16)
                    .ok()
                    .and_then(|value| i64::try_from(value).ok())
                    .ok_or_else(|| {
                        format!("Invalid integer literal: 0x{digits} does not fit INT64")
                    })?;
                Ok(Expression::new(integer_sql(value), Type::Integer))
            }
            Value::Boolean(value) => {
                Ok(Expression::new(i64::from(*value).to_string(), Type::Boolean))
            }
            Value::Null => Ok(null()),
            Value::SingleQuotedByteStringLiteral(text)
            | Value::DoubleQuotedByteStringLiteral(text)
            | Value::TripleSingleQuotedByteStringLiteral(text)
            | Value::TripleDoubleQuotedByteStringLiteral(text) => {
                Ok(Expression::new(bytes_sql(&bytes_of(text)?), Type::Bytes))
            }
            Value::Placeholder(sign) if sign == "?" => {
                self.positional_parameter(literal.span.start)
            }
            // Python's DB-API clients write a parameter as @`name`, with backticks.
            Value::Placeholder(sign) if sign.starts_with('@') => self.named_parameter(&sign[1..]),
            other => {
                let shown: String = other.to_string().chars().take(40).collect();
                Err(format!(
                    "unsupported literal {shown}: write strings in '…', and parameters as @name or ?"
                )
                .into())
            }
        }
    }

    /// Binds a typed literal such as `DATE '2026-11-21'`.
    pub(super) fn typed_string(&mut self, typed: &TypedString) -> BindResult<Expression> {
        let TypedString { data_type, value, uses_odbc_syntax } = typed;
        if *uses_odbc_syntax {
            return Err("{d '…'} is not supported: write DATE '…'".into());
        }
        let of = match data_type {
            DataType::Numeric(_)
            | DataType::BigNumeric(_)
            | DataType::BigDecimal(_)
            | DataType::Decimal(_) => {
                return Err(
                    "NUMERIC is not supported: use FLOAT64, or INT64 in the smallest unit".into()
                );
            }
            other => type_of(other)?,
        };
        let text = string_of(&value.value)
            .ok_or("a literal with a type requires a string: write DATE '2026-11-21'")??;
        match of {
            Type::Json => scalar("PARSE_JSON", &[Argument::Value(string(text))]),
            Type::Date | Type::Time | Type::DateTime | Type::Timestamp => {
                coercion::coerce(string(text), &of).map_err(Into::into)
            }
            other => Err(format!("{other} is not supported before a string: use CAST").into()),
        }
    }
}
