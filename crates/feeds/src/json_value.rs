//! Helpers that read JSON objects by removing each known key. Keys that remain are unknown and can
//! be reported.

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::values::InvalidValues;

/// A JSON object.
pub type Keys = Map<String, Value>;

/// Removes a value, and returns it as a string. Numbers are converted, because some services have
/// numeric ids.
pub fn text(keys: &mut Keys, key: &str) -> Option<String> {
    let text = match keys.remove(key)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// Removes and returns a list of objects.
pub fn list(keys: &mut Keys, key: &str) -> Vec<Keys> {
    let Some(Value::Array(list)) = keys.remove(key) else {
        return Vec::new();
    };
    list.into_iter().filter_map(object).collect()
}

pub fn table(keys: &mut Keys, key: &str) -> Option<Keys> {
    object(keys.remove(key)?)
}

pub fn object(value: Value) -> Option<Keys> {
    match value {
        Value::Object(keys) => Some(keys),
        _ => None,
    }
}

/// Removes a value. Returns whether it is true: `true`, 1, `"1"`, `"yes"` or `"true"`.
pub fn take_bool(keys: &mut Keys, key: &str) -> bool {
    match keys.remove(key) {
        Some(Value::Bool(is)) => is,
        Some(Value::Number(number)) => number.as_i64() == Some(1),
        Some(Value::String(text)) => matches!(&*text, "1" | "yes" | "true"),
        _ => false,
    }
}

/// Removes and returns a whole number above 0.
pub fn count(keys: &mut Keys, key: &str) -> Option<u64> {
    text(keys, key)?.parse().ok().filter(|count| *count > 0)
}

/// Removes and returns a point in time: a date string, milliseconds since 1970, or a table with
/// `date` and `timezone`.
pub fn moment(keys: &mut Keys, key: &str, invalid_values: &mut InvalidValues) -> Option<Timestamp> {
    match keys.remove(key)? {
        Value::String(text) => invalid_values.date(key, &text, None),
        Value::Number(number) => Timestamp::from_millisecond(number.as_i64()?).ok(),
        Value::Object(mut table) => {
            let date = text(&mut table, "date")?;
            let zone = text(&mut table, "timezone").filter(|zone| zone != "UTC");
            let zone = zone.and_then(|name| jiff::tz::TimeZone::get(&name).ok());
            let local = zone.and_then(|zone| {
                let local: jiff::civil::DateTime = date.parse().ok()?;
                Some(local.to_zoned(zone).ok()?.timestamp())
            });
            local.or_else(|| invalid_values.date(key, &date, None))
        }
        _ => None,
    }
}

/// Escapes a string for HTML.
pub fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
