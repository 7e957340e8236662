//! SQL functions that process a string character by character.

use unicode_normalization::UnicodeNormalization;

use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::json_text::Json;
use crate::sql::functions::scalar_call::{ScalarCall, Text};

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("LOWER(STRING) -> STRING", |c| Ok(c.text(0)?.to_lowercase())),
        call("UPPER(STRING) -> STRING", |c| Ok(c.text(0)?.to_uppercase())),
        call("INITCAP(STRING[, STRING]) -> STRING", |c| {
            let delimiters = if c.has(1) { c.text(1)? } else { DELIMITERS };
            Ok(initcap(c.text(0)?, delimiters))
        }),
        call("REVERSE(STRING) -> STRING", |c| Ok(c.text(0)?.chars().rev().collect::<String>())),
        call("REVERSE(BYTES) -> BYTES", |c| {
            Ok(c.bytes(0)?.iter().rev().copied().collect::<Vec<_>>())
        }),
        call("TRANSLATE(STRING, STRING, STRING) -> STRING", translate),
        call("ASCII(STRING) -> INT64", |c| match c.text(0)?.chars().next() {
            None => Ok(0),
            Some(first) if first.is_ascii() => Ok(i64::from(u32::from(first))),
            Some(first) => Err(format!("Invalid argument to ASCII: {first:?} is not ASCII")),
        }),
        call("UNICODE(STRING) -> INT64", |c| {
            Ok(c.text(0)?.chars().next().map_or(0, |first| i64::from(u32::from(first))))
        }),
        call("CHR(INT64) -> STRING", |c| match c.int(0)? {
            0 => Ok(String::new()),
            code => Ok(character(code)?.to_string()),
        }),
        call("CODE_POINTS_TO_STRING(ARRAY<INT64>) -> STRING", from_code_points),
        call("CODE_POINTS_TO_BYTES(ARRAY<INT64>) -> BYTES", |c| {
            let Some(codes) = numbers(&c.array(0)?)? else {
                return Ok(None);
            };
            let bytes = codes
                .into_iter()
                .map(|code| u8::try_from(code).map_err(|_| format!("Invalid byte: {code}")));
            bytes.collect::<Result<Vec<_>, _>>().map(Some)
        }),
        call("TO_CODE_POINTS(STRING) -> ARRAY<INT64>", |c| {
            Ok(array(c.text(0)?.chars().map(|character| i64::from(u32::from(character)))))
        }),
        call("TO_CODE_POINTS(BYTES) -> ARRAY<INT64>", |c| {
            Ok(array(c.bytes(0)?.iter().map(|byte| i64::from(*byte))))
        }),
        call("NORMALIZE(STRING[, STRING]) -> STRING", |c| normalize(c.text(0)?, mode(c)?))
            .checked(1, check_mode),
        call("NORMALIZE_AND_CASEFOLD(STRING[, STRING]) -> STRING", |c| {
            normalize(&normalize(c.text(0)?, mode(c)?)?.to_lowercase(), mode(c)?)
        })
        .checked(1, check_mode),
        call("SOUNDEX(STRING) -> STRING", |c| Ok(soundex(c.text(0)?))),
    ]
}

/// The default word delimiters of INITCAP.
const DELIMITERS: &str = " \t\n\r\u{b}\u{c}[](){}/|<>!?@\"^#$&~_,.:;*%+-";

fn initcap(text: &str, delimiters: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_first = true;
    for character in text.chars() {
        if is_first {
            out.extend(character.to_uppercase())
        } else {
            out.extend(character.to_lowercase())
        }
        is_first = delimiters.contains(character);
    }
    out
}

/// In the first argument, replaces each character of the second argument with the character at the
/// same position in the third argument. Characters without a counterpart are removed.
fn translate(call: &ScalarCall) -> Result<String, String> {
    let source: Vec<_> = call.text(1)?.chars().collect();
    let target: Vec<_> = call.text(2)?.chars().collect();
    for (at, character) in source.iter().enumerate().take(1000) {
        if source[..at].contains(character) {
            return Err(format!(
                "Duplicate character {character:?} in TRANSLATE source characters"
            ));
        }
    }
    if source.len() > 1000 {
        return Err("TRANSLATE supports at most 1000 source characters".to_owned());
    }
    let mut text = Text::default();
    for character in call.text(0)?.chars() {
        let translated = match source.iter().position(|known| *known == character) {
            Some(at) => target.get(at).copied(),
            None => Some(character),
        };
        if let Some(character) = translated {
            text.push(character.encode_utf8(&mut [0; 4]))?;
        }
    }
    Ok(text.finish())
}

fn character(code: i64) -> Result<char, String> {
    let character = u32::try_from(code).ok().and_then(char::from_u32);
    character.ok_or_else(|| format!("Invalid codepoint {code}"))
}

fn from_code_points(call: &ScalarCall) -> Result<Option<String>, String> {
    let Some(codes) = numbers(&call.array(0)?)? else {
        return Ok(None);
    };
    codes.into_iter().map(character).collect::<Result<_, _>>().map(Some)
}

/// Returns the integers in an array, or `None` if an element is NULL.
fn numbers(elements: &[Json]) -> Result<Option<Vec<i64>>, String> {
    let number = |element: &Json| match element {
        Json::Null => Ok(None),
        Json::Number(digits) => {
            digits.parse().map(Some).map_err(|_| format!("{digits} is not a valid INT64"))
        }
        _ => Err("an ARRAY is damaged".to_owned()),
    };
    elements.iter().map(number).collect()
}

fn array(numbers: impl Iterator<Item = i64>) -> String {
    Json::Array(numbers.map(Json::int).collect()).to_string()
}

fn mode<'a>(call: &ScalarCall<'a>) -> Result<&'a str, String> {
    if call.has(1) { call.text(1) } else { Ok("NFC") }
}

fn check_mode(mode: &str) -> Result<(), String> {
    normalize("", mode).map(drop)
}

fn normalize(text: &str, mode: &str) -> Result<String, String> {
    Ok(match mode.to_ascii_uppercase().as_str() {
        "NFC" => text.nfc().collect(),
        "NFD" => text.nfd().collect(),
        "NFKC" => text.nfkc().collect(),
        "NFKD" => text.nfkd().collect(),
        _ => {
            return Err(format!("Invalid normalize mode {mode}: use NFC, NFD, NFKC or NFKD"));
        }
    })
}

/// Returns the Soundex code: the first letter, and three digits for the sounds of the following
/// consonants.
fn soundex(text: &str) -> String {
    let mut letters =
        text.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_uppercase());
    let Some(first) = letters.next() else {
        return String::new();
    };
    let mut code = first.to_string();
    let mut last = sound(first);
    for letter in letters {
        let next = sound(letter);
        if let Some(digit) = next.filter(|_| next != last) {
            code.push(digit);
        }
        // Adjacent letters with the same sound are counted once, even if H or W is between them.
        if !matches!(letter, 'H' | 'W') {
            last = next;
        }
        if code.len() == 4 {
            break;
        }
    }
    format!("{code:0<4}")
}

fn sound(letter: char) -> Option<char> {
    Some(match letter {
        'B' | 'F' | 'P' | 'V' => '1',
        'C' | 'G' | 'J' | 'K' | 'Q' | 'S' | 'X' | 'Z' => '2',
        'D' | 'T' => '3',
        'L' => '4',
        'M' | 'N' => '5',
        'R' => '6',
        _ => return None,
    })
}
