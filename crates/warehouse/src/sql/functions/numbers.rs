//! Parses numbers and booleans from text, and formats floats.

/// Parses an INT64: a decimal number, or a hexadecimal number after `0x`.
pub(super) fn parse_int(text: &str) -> Result<i64, String> {
    let bad = || format!("Bad int64 value: {}", shorten(text));
    let trimmed = text.trim();
    let (sign, digits) = match trimmed.strip_prefix(['-', '+']) {
        Some(digits) => (&trimmed[..1], digits),
        None => ("", trimmed),
    };
    let (digits, radix) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    if digits.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        i64::from_str_radix(&format!("{sign}{digits}"), radix).map_err(|_| bad())
    } else {
        Err(bad())
    }
}

/// Parses a FLOAT64: a number, or `nan`, `inf` or `infinity`, ignoring case.
pub(super) fn parse_float(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| format!("Bad double value: {}", shorten(text)))
}

pub(super) fn parse_bool(text: &str) -> Result<bool, String> {
    match text.trim() {
        text if text.eq_ignore_ascii_case("true") => Ok(true),
        text if text.eq_ignore_ascii_case("false") => Ok(false),
        text => Err(format!("Bad bool value: {}", shorten(text))),
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Rounds a float to the nearest integer. Halves are rounded away from zero.
pub(super) fn round_to_int(value: f64) -> Result<i64, String> {
    const INT64_LIMIT: f64 = 9_223_372_036_854_775_808.0;
    let rounded = value.round();
    if (-INT64_LIMIT..INT64_LIMIT).contains(&rounded) {
        Ok(rounded as i64)
    } else {
        Err(format!(
            "Illegal conversion of non-finite or out of range floating point number to an integer: {}",
            float_text(value)
        ))
    }
}

/// Formats a float in the style of C's `%g` with the fewest digits that identify the float, such as
/// `1`, `0.1`, `1e+20` or `inf`.
pub(super) fn float_text(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "nan".to_owned() } else { value.to_string() };
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let count = digits.bytes().filter(u8::is_ascii_digit).count();
    let precision = if count <= 15 { 15 } else { 17 };
    if (-4..precision).contains(&exponent) {
        value.to_string()
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{digits}e{sign}{:02}", exponent.abs())
    }
}
