//! Formats values for `%t` and `%T` in `FORMAT`.

use crate::sql::functions::bytes;
use crate::sql::functions::dates::{Moment, readable_timestamp};
use crate::sql::functions::json_text::Json;
use crate::sql::functions::numbers::{float_text, parse_float};
use crate::types::Type;

/// Formats a value for people, or as an SQL literal if `is_literal` is true.
pub(super) fn readable(value: &Json, of: &Type, is_literal: bool) -> Result<String, String> {
    let quoted = |prefix: &str, text: &str| {
        if is_literal { format!("{prefix}{}", quote(text)) } else { text.to_owned() }
    };
    Ok(match (value, of) {
        (json, Type::Json) if *json != Json::Null || !is_literal => {
            quoted("JSON ", &json.to_string())
        }
        (Json::Null, _) => "NULL".to_owned(),
        (Json::Bool(value), _) => value.to_string(),
        (Json::Number(digits), Type::Timestamp) => {
            let micros =
                digits.parse().map_err(|_| format!("{digits} is not a valid TIMESTAMP"))?;
            quoted("TIMESTAMP ", &readable_timestamp(Moment::utc(micros)?))
        }
        (Json::Number(digits), Type::Float) => {
            readable_float(digits.parse().unwrap_or(f64::NAN), is_literal)
        }
        (Json::Number(digits), _) => digits.clone().into_owned(),
        (Json::String(text), Type::Bytes) => {
            let escaped = bytes::from_base64(text)?;
            let escaped: String = escaped.iter().flat_map(|byte| escape(*byte)).collect();
            if is_literal { format!("b\"{escaped}\"") } else { escaped }
        }
        (Json::String(text), Type::Float) => readable_float(parse_float(text)?, is_literal),
        (Json::String(text), Type::DateTime) => quoted("DATETIME ", &text.replacen('T', " ", 1)),
        (Json::String(text), of @ (Type::Date | Type::Time)) => quoted(&format!("{of} "), text),
        (Json::String(text), _) => quoted("", text),
        (Json::Array(elements), Type::Array(of)) => {
            let elements: Vec<_> = elements
                .iter()
                .map(|element| readable(element, of, is_literal))
                .collect::<Result<_, _>>()?;
            format!("[{}]", elements.join(", "))
        }
        (Json::Object(members), Type::Struct(fields)) => {
            let fields: Vec<_> = members
                .iter()
                .zip(fields)
                .map(|((_, value), field)| readable(value, &field.of, is_literal))
                .collect::<Result<_, _>>()?;
            format!("({})", fields.join(", "))
        }
        (json, _) => json.to_string(),
    })
}

/// Formats a float so that it does not look like an integer.
fn readable_float(value: f64, is_literal: bool) -> String {
    let text = float_text(value);
    match value.is_finite() {
        false if is_literal => format!("CAST({} AS FLOAT64)", quote(&text)),
        false => text,
        true if text.contains(['.', 'e']) => text,
        true => format!("{text}.0"),
    }
}

fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => {
                out.push_str(&format!("\\u{:04x}", u32::from(control)))
            }
            character => out.push(character),
        }
    }
    out.push('"');
    out
}

fn escape(byte: u8) -> Vec<char> {
    match byte {
        b'"' | b'\\' => vec!['\\', char::from(byte)],
        b' '..=b'~' => vec![char::from(byte)],
        _ => format!("\\x{byte:02x}").chars().collect(),
    }
}
