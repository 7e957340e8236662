//! Formats rows for clients: `{"f": [{"v": "1"}, …]}`. Each value is a string, null, a list or a
//! row.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use rusqlite::types::Value as Kept;
use serde_json::{Value, json};

use super::parameters::Parameters;
use api_shared::ApiError;
use warehouse::{Field, Type};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InstantFormat {
    /// Seconds since 1970, in scientific notation: `1.76370690025E9`.
    #[default]
    Seconds,
    /// Microseconds since 1970: `1763706900250000`.
    Microseconds,
    /// ISO 8601: `2025-11-21T06:35:00.250000Z`.
    Text,
}

impl InstantFormat {
    /// Reads the format from query parameters: `formatOptions.useInt64Timestamp` or
    /// `formatOptions.timestampOutputFormat`.
    pub fn of_parameters(parameters: &Parameters) -> Result<Self, ApiError> {
        let is_micros = parameters.flag("formatOptions.useInt64Timestamp")?;
        Self::of(is_micros, parameters.text("formatOptions.timestampOutputFormat"))
    }

    /// Reads the format from a body: `{"useInt64Timestamp": true}` or `{"timestampOutputFormat":
    /// "INT64"}`.
    pub fn of_json(options: &Value) -> Result<Self, ApiError> {
        let is_micros = options["useInt64Timestamp"] == true;
        Self::of(is_micros, options["timestampOutputFormat"].as_str())
    }

    fn of(is_micros: bool, format: Option<&str>) -> Result<Self, ApiError> {
        Ok(match format {
            None | Some("TIMESTAMP_OUTPUT_FORMAT_UNSPECIFIED") if is_micros => Self::Microseconds,
            None | Some("TIMESTAMP_OUTPUT_FORMAT_UNSPECIFIED" | "FLOAT64") => Self::Seconds,
            Some("INT64") => Self::Microseconds,
            Some("ISO8601_STRING") => Self::Text,
            Some(other) => {
                let name = "formatOptions.timestampOutputFormat";
                let message = format!("must be FLOAT64, INT64 or ISO8601_STRING, not {other:?}");
                return Err(ApiError::invalid(name, message));
            }
        })
    }
}

/// Formats a row. The values are in the order of the columns.
pub fn row(fields: &[Field], values: &[Kept], instants: InstantFormat) -> Value {
    let cells = fields.iter().zip(values);
    let cells: Vec<Value> =
        cells.map(|(field, value)| json!({ "v": cell(&field.of, value, instants) })).collect();
    json!({ "f": cells })
}

/// Formats a column's value from its stored form.
fn cell(of: &Type, value: &Kept, instants: InstantFormat) -> Value {
    match (of, value) {
        // An array is never NULL, but can be empty.
        (Type::Array(_), Kept::Null) => json!([]),
        (_, Kept::Null) => Value::Null,
        (Type::Array(_) | Type::Struct(_), Kept::Text(text)) => {
            let parts = serde_json::from_str(text).unwrap_or(Value::Null);
            nested_value(of, &parts, instants)
        }
        (_, Kept::Text(text)) => scalar(of, text.clone()).into(),
        (_, Kept::Integer(number)) => integer(of, *number, instants).into(),
        (_, Kept::Real(number)) => float(*number).into(),
        (_, Kept::Blob(bytes)) => STANDARD.encode(bytes).into(),
    }
}

/// Formats a value inside an array or struct.
fn nested_value(of: &Type, value: &Value, instants: InstantFormat) -> Value {
    match (of, value) {
        (Type::Array(element), Value::Array(list)) => {
            let elements = list.iter().map(|value| nested_value(element, value, instants));
            elements.map(|value| json!({ "v": value })).collect()
        }
        (Type::Array(_), _) => json!([]),
        (_, Value::Null) => Value::Null,
        (Type::Struct(fields), Value::Object(members)) => {
            let member = |field: &Field| members.get(&field.name).unwrap_or(&Value::Null);
            let cells: Vec<Value> = fields
                .iter()
                .map(|field| json!({ "v": nested_value(&field.of, member(field), instants) }))
                .collect();
            json!({ "f": cells })
        }
        (Type::Json, value) => value.to_string().into(),
        (Type::Boolean, Value::Bool(is_true)) => is_true.to_string().into(),
        (_, Value::String(text)) => scalar(of, text.clone()).into(),
        (_, Value::Number(number)) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => integer(of, whole, instants).into(),
            (None, Some(real)) => float(real).into(),
            (None, None) => number.to_string().into(),
        },
        (_, other) => other.to_string().into(),
    }
}

fn integer(of: &Type, number: i64, instants: InstantFormat) -> String {
    match of {
        Type::Boolean => (number != 0).to_string(),
        Type::Timestamp => instant(number, instants),
        Type::Float => format!("{number}.0"),
        _ => number.to_string(),
    }
}

/// Returns the shortest notation of a float, with a decimal point or an exponent.
fn float(number: f64) -> String {
    match number {
        _ if number.is_nan() => "NaN".to_owned(),
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        _ => format!("{number:?}"),
    }
}

fn instant(microseconds: i64, instants: InstantFormat) -> String {
    match instants {
        InstantFormat::Microseconds => microseconds.to_string(),
        InstantFormat::Seconds => seconds(microseconds),
        InstantFormat::Text => match Timestamp::from_microsecond(microseconds) {
            Ok(time) => time.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string(),
            Err(_) => microseconds.to_string(),
        },
    }
}

/// Returns exact seconds in scientific notation: `1.4E9`.
fn seconds(microseconds: i64) -> String {
    let sign = if microseconds < 0 { "-" } else { "" };
    let digits = microseconds.unsigned_abs().to_string();
    let significant = digits.trim_end_matches('0');
    let Some((first, rest)) =
        significant.split_at_checked(1).filter(|(first, _)| !first.is_empty())
    else {
        return "0.0".to_owned();
    };
    let rest = if rest.is_empty() { "0" } else { rest };
    // The value has microseconds, so the last six digits are the fraction.
    let exponent = i64::try_from(digits.len()).unwrap_or(0) - 7;
    format!("{sign}{first}.{rest}E{exponent}")
}

/// Formats a string according to its type. Times have a fraction of six digits or no fraction.
fn scalar(of: &Type, text: String) -> String {
    match of {
        Type::Time | Type::DateTime => match text.rsplit_once('.') {
            Some((whole, fraction)) => format!("{whole}.{fraction:0<6}"),
            None => text,
        },
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_formatted_by_type() {
        let micros = 1_763_706_900_250_000;
        for (of, stored, shown) in [
            (Type::Integer, Kept::Integer(i64::MIN), "-9223372036854775808"),
            (Type::Float, Kept::Real(1.0), "1.0"),
            (Type::Float, Kept::Real(1e300), "1e300"),
            (Type::Float, Kept::Real(-0.1), "-0.1"),
            (Type::Float, Kept::Real(f64::INFINITY), "Infinity"),
            (Type::Float, Kept::Real(f64::NEG_INFINITY), "-Infinity"),
            (Type::Boolean, Kept::Integer(1), "true"),
            (Type::Boolean, Kept::Integer(0), "false"),
            (Type::Timestamp, Kept::Integer(micros), "1.76370690025E9"),
            (Type::Timestamp, Kept::Integer(0), "0.0"),
            (Type::Timestamp, Kept::Integer(1), "1.0E-6"),
            (Type::Timestamp, Kept::Integer(-1_500_000), "-1.5E0"),
            (Type::Date, Kept::Text("2026-11-21".into()), "2026-11-21"),
            (Type::Time, Kept::Text("07:05:00".into()), "07:05:00"),
            (Type::Time, Kept::Text("07:05:00.25".into()), "07:05:00.250000"),
            (
                Type::DateTime,
                Kept::Text("2026-11-21T07:05:00.000001".into()),
                "2026-11-21T07:05:00.000001",
            ),
            (Type::Bytes, Kept::Blob(vec![0, 255]), "AP8="),
            (Type::Json, Kept::Text("{\"a\":1}".into()), "{\"a\":1}"),
            (Type::String, Kept::Text("a.b".into()), "a.b"),
        ] {
            assert_eq!(cell(&of, &stored, InstantFormat::Seconds), shown, "{of} {stored:?}");
        }
        assert_eq!(instant(micros, InstantFormat::Microseconds), "1763706900250000");
        assert_eq!(instant(micros, InstantFormat::Text), "2025-11-21T06:35:00.250000Z");
    }

    #[test]
    fn arrays_and_structs_are_lists_and_rows() {
        let person = Type::Struct(vec![
            Field::new("name", Type::String),
            Field::new("since", Type::Timestamp),
            Field::new("tags", Type::Array(Box::new(Type::Integer))),
            Field::new("more", Type::Json),
        ]);
        let people = Type::Array(Box::new(person));
        let stored =
            r#"[{"name":"Ada","since":1000000,"tags":[1,2],"more":{"a":[1]}},{"name":null}]"#;
        let shown = cell(&people, &Kept::Text(stored.into()), InstantFormat::Microseconds);
        let first = json!([{ "v": "Ada" }, { "v": "1000000" }, { "v": [{ "v": "1" }, { "v": "2" }] }, { "v": "{\"a\":[1]}" }]);
        let second = json!([{ "v": null }, { "v": null }, { "v": [] }, { "v": null }]);
        assert_eq!(shown, json!([{ "v": { "f": first } }, { "v": { "f": second } }]));
        assert_eq!(cell(&people, &Kept::Null, InstantFormat::Seconds), json!([]));
    }

    proptest! {
        #[test]
        fn seconds_are_exact(microseconds: i64) {
            let text = seconds(microseconds);
            let (mantissa, exponent) = text.split_once('E').unwrap_or((&text, "0"));
            let (whole, fraction) = mantissa.split_once('.').unwrap();
            let digits: i128 = format!("{whole}{fraction}").parse().unwrap();
            let power = exponent.parse::<i32>().unwrap() + 6 - i32::try_from(fraction.len()).unwrap();
            let value = match u32::try_from(power) {
                Ok(power) => digits * 10_i128.pow(power),
                Err(_) => digits / 10_i128.pow(power.unsigned_abs()),
            };
            prop_assert_eq!(value, i128::from(microseconds));
        }

        #[test]
        fn any_stored_value_is_formatted_without_panic(text in "\\PC{0,20}", number: i64, real: f64) {
            let types = [Type::String, Type::Integer, Type::Time, Type::Timestamp, Type::Json, Type::Boolean];
            for of in types.iter().cloned().chain(types.iter().cloned().map(|of| Type::Array(Box::new(of)))) {
                for value in [Kept::Text(text.clone()), Kept::Integer(number), Kept::Real(real)] {
                    cell(&of, &value, InstantFormat::Text);
                }
            }
        }
    }
}
