//! Implements `FORMAT`, which formats values with `%` specifiers like C's `printf`.

use super::readable::readable;
use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::json_text::Json;
use crate::sql::functions::nested;
use crate::sql::functions::scalar_call::{ScalarCall, Text};
use crate::types::Type;

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("FORMAT(STRING[, ANY, ...]) -> STRING", format)
            .receives_null()
            .argument_types()
            .checked(0, |pattern| pieces(pattern).map(drop)),
    ]
}

/// A piece of a format string.
enum Piece<'p> {
    Text(&'p str),
    Value(Specifier),
}

#[derive(Debug, Clone, Default)]
struct Specifier {
    is_left: bool,
    has_plus: bool,
    has_space: bool,
    is_alternate: bool,
    has_zeros: bool,
    is_grouped: bool,
    width: Size,
    precision: Size,
    letter: char,
}

/// The width or precision in a specifier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Size {
    #[default]
    None,
    Fixed(usize),
    /// Written as `*`: the number is the next argument.
    Argument,
}

fn pieces(pattern: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(at) = rest.find('%') {
        pieces.push(Piece::Text(&rest[..at]));
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            pieces.push(Piece::Text("%"));
            rest = after;
            continue;
        }
        pieces.push(Piece::Value(specifier(&mut rest)?));
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

fn specifier(rest: &mut &str) -> Result<Specifier, String> {
    let mut found = Specifier::default();
    loop {
        let flag = match rest.chars().next() {
            Some('-') => &mut found.is_left,
            Some('+') => &mut found.has_plus,
            Some(' ') => &mut found.has_space,
            Some('#') => &mut found.is_alternate,
            Some('0') => &mut found.has_zeros,
            Some('\'') => &mut found.is_grouped,
            _ => break,
        };
        *flag = true;
        *rest = &rest[1..];
    }
    found.width = size(rest)?;
    if let Some(after) = rest.strip_prefix('.') {
        *rest = after;
        found.precision = match size(rest)? {
            Size::None => Size::Fixed(0),
            size => size,
        };
    }
    found.letter = rest
        .chars()
        .next()
        .filter(|letter| "diuoxXfFeEgGspPtT".contains(*letter))
        .ok_or_else(|| {
            format!("Invalid FORMAT specifier at {:?}", rest.chars().take(10).collect::<String>())
        })?;
    *rest = &rest[1..];
    Ok(found)
}

fn size(rest: &mut &str) -> Result<Size, String> {
    if let Some(after) = rest.strip_prefix('*') {
        *rest = after;
        return Ok(Size::Argument);
    }
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, after) = rest.split_at(end);
    *rest = after;
    if digits.is_empty() {
        Ok(Size::None)
    } else {
        digits.parse().ok().filter(|size| *size <= MAX_WIDTH).map(Size::Fixed).ok_or_else(too_wide)
    }
}

/// Maximum width or precision.
const MAX_WIDTH: usize = 1 << 16;

fn too_wide() -> String {
    format!("the width and precision of FORMAT must be at most {MAX_WIDTH}")
}

fn format(call: &ScalarCall) -> Result<Option<String>, String> {
    let types = call.types()?;
    if call.is_null(0) {
        return Ok(None);
    }
    let mut arguments = Arguments { call, types: &types, next: 1 };
    let mut out = Text::default();
    for piece in pieces(call.text(0)?)? {
        match piece {
            Piece::Text(text) => out.push(text)?,
            Piece::Value(specifier) => match arguments.format_value(specifier)? {
                Some(text) => out.push(&text)?,
                None => return Ok(None),
            },
        }
    }
    if arguments.next == types.len() {
        Ok(Some(out.finish()))
    } else {
        Err("FORMAT: too many arguments for the pattern".to_owned())
    }
}

struct Arguments<'c> {
    call: &'c ScalarCall<'c>,
    types: &'c [Type],
    next: usize,
}

impl<'c> Arguments<'c> {
    fn take(&mut self) -> Result<(Json<'c>, &'c Type), String> {
        let of = self.types.get(self.next);
        let of = of.ok_or_else(|| "FORMAT: too few arguments for the pattern".to_owned())?;
        self.next += 1;
        Ok((nested::element(self.call.raw(self.next - 1), of)?, of))
    }

    fn resolve(&mut self, size: Size) -> Result<Option<i64>, String> {
        match size {
            Size::None => Ok(None),
            Size::Fixed(size) => i64::try_from(size).map(Some).map_err(|_| too_wide()),
            Size::Argument => match self.take()? {
                (Json::Number(digits), Type::Integer) => {
                    let limit = MAX_WIDTH as i64;
                    let size = digits.parse().ok().filter(|size| (-limit..=limit).contains(size));
                    size.map(Some).ok_or_else(too_wide)
                }
                _ => Err("FORMAT: * requires an INT64".to_owned()),
            },
        }
    }

    /// Formats the next argument according to a specifier. Returns `None` if the value is NULL and
    /// the specifier does not support NULL.
    fn format_value(&mut self, mut specifier: Specifier) -> Result<Option<String>, String> {
        let width = self.resolve(specifier.width)?.unwrap_or(0);
        let precision =
            self.resolve(specifier.precision)?.and_then(|size| usize::try_from(size).ok());
        specifier.is_left |= width < 0;
        let (value, of) = self.take()?;
        if value == Json::Null && !matches!(specifier.letter, 't' | 'T') {
            return Ok(None);
        }
        let text = match (specifier.letter, of, &value) {
            ('t', ..) => truncate_text(readable(&value, of, false)?, precision),
            ('T', ..) => truncate_text(readable(&value, of, true)?, precision),
            ('s', Type::String, Json::String(text)) => {
                truncate_text(text.clone().into_owned(), precision)
            }
            ('p' | 'P', Type::Json, json) => json.to_string(),
            ('d' | 'i' | 'u' | 'o' | 'x' | 'X', Type::Integer, Json::Number(digits)) => integer(
                digits.parse().map_err(|_| format!("{digits} is not a valid INT64"))?,
                &specifier,
                precision,
            ),
            (letter, Type::Float | Type::Integer, Json::Number(digits) | Json::String(digits))
                if "fFeEgG".contains(letter) =>
            {
                let value =
                    digits.parse().map_err(|_| format!("{digits} is not a valid FLOAT64"))?;
                float(value, &specifier, precision.unwrap_or(6))
            }
            (letter, of, _) => {
                return Err(format!("FORMAT: %{letter} does not support a value of type {of}"));
            }
        };
        Ok(Some(pad(&text, &specifier, usize::try_from(width.unsigned_abs()).unwrap_or(0))))
    }
}

fn truncate_text(text: String, precision: Option<usize>) -> String {
    match precision {
        Some(most) => text.chars().take(most).collect(),
        None => text,
    }
}

/// Pads text to a minimum width.
fn pad(text: &str, specifier: &Specifier, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let is_number = text.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '.')
        && !text.ends_with(['n', 'N']);
    if specifier.is_left {
        return format!("{text}{:missing$}", "");
    }
    if specifier.has_zeros
        && is_number
        && !matches!(specifier.letter, 's' | 't' | 'T' | 'p' | 'P')
        && !text.contains("inf")
    {
        let digits = text.trim_start_matches(['-', '+', ' ']);
        let sign = &text[..text.len() - digits.len()];
        return format!("{sign}{}{digits}", "0".repeat(missing));
    }
    format!("{:missing$}{text}", "")
}

fn sign(is_negative: bool, specifier: &Specifier) -> &'static str {
    match is_negative {
        true => "-",
        false if specifier.has_plus => "+",
        false if specifier.has_space => " ",
        false => "",
    }
}

fn integer(value: i64, specifier: &Specifier, precision: Option<usize>) -> String {
    let size = value.unsigned_abs();
    let prefix = if specifier.is_alternate && value != 0 { specifier.letter } else { ' ' };
    let (prefix, digits) = match (specifier.letter, prefix) {
        ('o', 'o') => ("0", format!("{size:o}")),
        ('o', _) => ("", format!("{size:o}")),
        ('x', 'x') => ("0x", format!("{size:x}")),
        ('x', _) => ("", format!("{size:x}")),
        ('X', 'X') => ("0X", format!("{size:X}")),
        ('X', _) => ("", format!("{size:X}")),
        _ => ("", size.to_string()),
    };
    let digits = format!("{digits:0>0$}", precision.unwrap_or(0), digits = digits);
    let digits = if specifier.is_grouped { group(&digits) } else { digits };
    format!("{}{prefix}{digits}", sign(value < 0, specifier))
}

/// Inserts a comma before every third digit from the end.
fn group(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn float(value: f64, specifier: &Specifier, precision: usize) -> String {
    let size = value.abs();
    let text = match (size.is_finite(), specifier.letter.to_ascii_lowercase()) {
        (false, _) => if size.is_nan() { "nan" } else { "inf" }.to_owned(),
        (true, 'f') => fixed(size, precision, specifier.is_grouped),
        (true, 'e') => scientific(size, precision),
        (true, _) => general(size, precision.max(1), specifier),
    };
    let text = if specifier.letter.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text };
    let is_negative = value.is_sign_negative() && !value.is_nan();
    format!("{}{text}", sign(is_negative, specifier))
}

fn fixed(size: f64, precision: usize, is_grouped: bool) -> String {
    let text = format!("{size:.precision$}");
    match (is_grouped, text.split_once('.')) {
        (false, _) => text,
        (true, Some((whole, fraction))) => format!("{}.{fraction}", group(whole)),
        (true, None) => group(&text),
    }
}

/// Formats a number such as `1.500000e+03`.
fn scientific(size: f64, precision: usize) -> String {
    let text = format!("{size:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// Formats a number in decimal or scientific notation like C's `%g`, without trailing zeros in the
/// fraction.
fn general(size: f64, precision: usize, specifier: &Specifier) -> String {
    let exponent = if size == 0.0 {
        0
    } else {
        let text = format!("{size:.0$e}", precision - 1);
        text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
    };
    let trim = |text: &str| {
        if text.contains('.') && !specifier.is_alternate {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    let precision = i64::try_from(precision).unwrap_or(i64::MAX);
    if (-4..precision).contains(&exponent) {
        let digits = usize::try_from(precision - 1 - exponent).unwrap_or(0);
        let text = trim(&format!("{size:.digits$}"));
        return match (specifier.is_grouped, text.split_once('.')) {
            (false, _) => text,
            (true, Some((whole, fraction))) => format!("{}.{fraction}", group(whole)),
            (true, None) => group(&text),
        };
    }
    let text = scientific(size, usize::try_from(precision - 1).unwrap_or(0));
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
    format!("{}e{exponent}", trim(digits))
}
