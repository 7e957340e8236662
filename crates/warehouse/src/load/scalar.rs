//! Parses scalar values strictly according to their type, and converts them to their stored form.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use jiff::tz::TimeZone;
use rusqlite::types::ValueRef;
use serde::de::DeserializeSeed;

use super::json_text::Compact;
use super::times;
use crate::float;
use crate::types::Type;

/// Base64 with optional padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A parser that reuses its buffers, so that values need no allocation.
#[derive(Debug)]
pub(crate) struct Scalars {
    /// The time zone of timestamps without a time zone.
    zone: TimeZone,
    text: String,
    bytes: Vec<u8>,
}

impl Scalars {
    /// Creates a parser. Timestamps without a time zone are interpreted in `zone`.
    pub(crate) fn new(zone: TimeZone) -> Self {
        Self { zone, text: String::new(), bytes: Vec::new() }
    }

    /// Parses a value from text. The error describes the problem.
    pub(crate) fn text<'a>(&'a mut self, of: &Type, text: &'a str) -> Result<ValueRef<'a>, String> {
        if matches!(of, Type::String) {
            return Ok(ValueRef::Text(text.as_bytes()));
        }
        let trimmed = text.trim_ascii();
        self.trimmed(of, trimmed)?.ok_or_else(|| type_mismatch(of, trimmed))
    }

    fn trimmed<'a>(&'a mut self, of: &Type, text: &'a str) -> Result<Option<ValueRef<'a>>, String> {
        self.text.clear();
        Ok(match of {
            Type::Integer => text.parse().ok().map(ValueRef::Integer),
            Type::Float => float(text),
            Type::Boolean => boolean(text).map(|value| ValueRef::Integer(value.into())),
            Type::Timestamp => self.instant(text).map(ValueRef::Integer),
            Type::Bytes => self.base64(text),
            Type::Json => {
                self.bytes.clear();
                compact_json(text, &mut self.bytes)?;
                Some(ValueRef::Text(&self.bytes))
            }
            Type::Date => times::date(text).map(|date| {
                date.write(&mut self.text);
                ValueRef::Text(self.text.as_bytes())
            }),
            Type::Time => times::time(text).map(|time| {
                time.write(&mut self.text);
                ValueRef::Text(self.text.as_bytes())
            }),
            Type::DateTime => times::datetime(text).map(|(date, time)| {
                date.write(&mut self.text);
                self.text.push('T');
                time.write(&mut self.text);
                ValueRef::Text(self.text.as_bytes())
            }),
            Type::String | Type::Array(_) | Type::Struct(_) | Type::Untyped => None,
        })
    }

    /// Converts an integer from JSON.
    pub(crate) fn integer<'a>(
        &'a mut self,
        of: &Type,
        number: i64,
    ) -> Result<ValueRef<'a>, String> {
        match of {
            Type::Integer => Ok(ValueRef::Integer(number)),
            // Large integers are rounded, which is acceptable for a FLOAT64 column.
            #[allow(clippy::cast_precision_loss)]
            Type::Float => Ok(ValueRef::Real(number as f64)),
            Type::Boolean if matches!(number, 0 | 1) => Ok(ValueRef::Integer(number)),
            _ => self.number(of, &number.to_string()),
        }
    }

    /// Converts a number from JSON that is not an `i64`.
    pub(crate) fn float<'a>(&'a mut self, of: &Type, number: f64) -> Result<ValueRef<'a>, String> {
        /// Up to this number, floats represent every integer exactly.
        const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;
        match of {
            Type::Float => Ok(ValueRef::Real(number)),
            #[allow(clippy::cast_possible_truncation)]
            Type::Integer if number.fract() == 0.0 && number.abs() <= MAX_EXACT_INTEGER => {
                Ok(ValueRef::Integer(number as i64))
            }
            _ => self.number(of, &format!("{number:?}")),
        }
    }

    fn number<'a>(&'a mut self, of: &Type, digits: &str) -> Result<ValueRef<'a>, String> {
        match of {
            Type::String => {
                self.text.clear();
                self.text.push_str(digits);
                Ok(ValueRef::Text(self.text.as_bytes()))
            }
            Type::Timestamp => {
                self.instant(digits).map(ValueRef::Integer).ok_or_else(|| type_mismatch(of, digits))
            }
            _ => Err(type_mismatch(of, digits)),
        }
    }

    /// Converts a boolean from JSON.
    pub(crate) fn boolean<'a>(
        &'a mut self,
        of: &Type,
        value: bool,
    ) -> Result<ValueRef<'a>, String> {
        match of {
            Type::Boolean => Ok(ValueRef::Integer(value.into())),
            Type::String => Ok(ValueRef::Text(if value { b"true" } else { b"false" })),
            _ => Err(type_mismatch(of, &value.to_string())),
        }
    }

    fn instant(&self, text: &str) -> Option<i64> {
        match times::instant(text) {
            Some((date, time, zone)) => times::micros(date, time, &zone, &self.zone),
            None => seconds(text),
        }
    }

    fn base64<'a>(&'a mut self, text: &str) -> Option<ValueRef<'a>> {
        self.bytes.clear();
        BASE64.decode_vec(text, &mut self.bytes).ok()?;
        Some(ValueRef::Blob(&self.bytes))
    }
}

/// Parses seconds since 1970, with up to six decimals, and converts them to microseconds.
fn seconds(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if digits.is_empty() || digits.len() > 12 || !is_number(digits) || !is_number(fraction) {
        return None;
    }
    let (kept, cut) = fraction.split_at(fraction.len().min(6));
    if cut.bytes().any(|byte| byte != b'0') {
        return None;
    }
    let micros: i64 = format!("{digits}{kept:0<6}").parse().ok()?;
    let micros = if whole.starts_with('-') { -micros } else { micros };
    times::is_instant(micros).then_some(micros)
}

/// Parses a float, including NaN and infinities. Returns `None` if the text is invalid or the
/// number is too large.
fn float(text: &str) -> Option<ValueRef<'static>> {
    let number: f64 = text.parse().ok()?;
    let is_said = text.bytes().any(|byte| matches!(byte, b'n' | b'N'));
    match number {
        _ if number.is_nan() => Some(ValueRef::Text(float::NAN.as_bytes())),
        _ if number.is_infinite() && !is_said => None,
        _ => Some(ValueRef::Real(number)),
    }
}

fn boolean(text: &str) -> Option<bool> {
    let is_one_of = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    match text {
        _ if is_one_of(&["true", "t", "yes", "y", "1"]) => Some(true),
        _ if is_one_of(&["false", "f", "no", "n", "0"]) => Some(false),
        _ => None,
    }
}

/// Returns the error message for a value that does not match its type.
pub(super) fn type_mismatch(of: &Type, text: &str) -> String {
    let hint = match of {
        Type::Integer | Type::Untyped => {
            "a whole number from -9223372036854775808 to 9223372036854775807"
        }
        Type::Float => "a number, NaN, Infinity or -Infinity",
        Type::Boolean => "true or false, t or f, yes or no, y or n, 1 or 0",
        Type::Timestamp => {
            "a time such as 2026-11-21 07:05:00.25 UTC or 2026-11-21T07:05:00+01:00, or seconds since 1970"
        }
        Type::Date => "a date such as 2026-11-21",
        Type::Time => "a time such as 07:05:00.25",
        Type::DateTime => "a date and time such as 2026-11-21T07:05:00.25",
        Type::Bytes => "base64 (RFC 4648, section 4)",
        Type::Array(_) => "a list",
        Type::Struct(_) => "an object",
        Type::String | Type::Json => "text",
    };
    format!("{:?} is not a valid {}: write {hint}", shorten(text), of.schema_name())
}

/// Parses JSON and writes it in compact form. The error describes the problem and its position.
pub(crate) fn compact_json(text: &str, out: &mut Vec<u8>) -> Result<(), String> {
    let mut json = serde_json::Deserializer::from_str(text);
    Compact(out)
        .deserialize(&mut json)
        .and_then(|()| json.end())
        .map_err(|error| format!("{:?} is not valid JSON: {error}", shorten(text)))
}

/// Truncates text for an error message.
fn shorten(text: &str) -> String {
    const MAX_SHOWN_CHARS: usize = 60;
    match text.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(of: &Type, text: &str) -> Option<rusqlite::types::Value> {
        let mut scalars = Scalars::new(TimeZone::UTC);
        scalars.text(of, text).ok().map(|value| value.try_into().unwrap())
    }

    #[test]
    fn text_is_parsed_as_its_type_or_rejected() {
        use rusqlite::types::Value::{Blob, Integer, Real, Text};
        let cases = [
            (Type::Integer, " -9223372036854775808 ", Some(Integer(i64::MIN))),
            (Type::Integer, "9223372036854775808", None),
            (Type::Integer, "1.0", None),
            (Type::Integer, "", None),
            (Type::Float, "1e999", None),
            (Type::Float, "-Infinity", Some(Real(f64::NEG_INFINITY))),
            (Type::Float, "-nan", Some(Text("NaN".into()))),
            (Type::Float, ".5", Some(Real(0.5))),
            (Type::Boolean, "Yes", Some(Integer(1))),
            (Type::Boolean, "2", None),
            (Type::Timestamp, "1.5", Some(Integer(1_500_000))),
            (Type::Timestamp, "-0.000001", Some(Integer(-1))),
            (Type::Timestamp, "1e9", None),
            (Type::Timestamp, "999999999999", None),
            (Type::Date, "2024-2-9", Some(Text("2024-02-09".into()))),
            (Type::Time, "7:05:00.250", Some(Text("07:05:00.25".into()))),
            (Type::DateTime, "2024-02-09 7:05", Some(Text("2024-02-09T07:05:00".into()))),
            (Type::DateTime, "2024-02-09 07:05Z", None),
            (Type::Bytes, "aGk", Some(Blob(b"hi".to_vec()))),
            (Type::Bytes, "a-_b", None),
            (
                Type::Json,
                " { \"b\" : [ 1.50, null ], \"a\": 2, \"b\": 3 } ",
                Some(Text("{\"b\":[1.5,null],\"a\":2}".into())),
            ),
            (Type::Json, "{} {}", None),
            (Type::String, " x ", Some(Text(" x ".into()))),
        ];
        for (of, text, value) in cases {
            assert_eq!(read(&of, text), value, "{of} {text}");
        }
    }
}
