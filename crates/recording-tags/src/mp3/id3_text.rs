//! Text in frames of ID3v2: an encoding byte, then strings with a terminator between them.
//!
//! Version 2.3 has no UTF-8. ASCII is written as Latin-1, and other text as UTF-16.

/// Returns whether a reader needs UTF-16 for a text.
pub(super) fn is_wide(text: &str) -> bool {
    !text.is_ascii()
}

/// Appends a text.
pub(super) fn push(bytes: &mut Vec<u8>, text: &str, is_wide: bool) {
    if is_wide {
        bytes.extend_from_slice(&[0xff, 0xfe]);
        bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    } else {
        bytes.extend_from_slice(text.as_bytes());
    }
}

/// Returns the body of a frame with text: encoding, language if the frame has one, strings.
pub(super) fn body(language: &[u8], strings: &[&str]) -> Vec<u8> {
    let is_wide = strings.iter().copied().any(is_wide);
    let mut bytes = [&[u8::from(is_wide)], language].concat();
    for (index, text) in strings.iter().enumerate() {
        if index > 0 {
            bytes.extend_from_slice(if is_wide { &[0, 0] } else { &[0] });
        }
        push(&mut bytes, text, is_wide);
    }
    bytes
}

/// Splits bytes after the first string. The string includes its terminator, if it has one.
pub(super) fn split_string(encoding: u8, bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = match encoding {
        1 | 2 => {
            bytes.as_chunks::<2>().0.iter().position(|unit| *unit == [0, 0]).map(|at| at * 2 + 2)
        }
        _ => bytes.iter().position(|byte| *byte == 0).map(|at| at + 1),
    };
    bytes.split_at(end.unwrap_or(bytes.len()))
}

/// Decodes a string without its terminator.
pub(super) fn decode(encoding: u8, bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair)).collect();
        String::from_utf16_lossy(&units)
    };
    let text = match (encoding, bytes) {
        (0, _) => bytes.iter().copied().map(char::from).collect(),
        (1, [0xfe, 0xff, bytes @ ..]) | (2, bytes) => utf16(bytes, u16::from_be_bytes),
        (1, [0xff, 0xfe, bytes @ ..]) | (1, bytes) => utf16(bytes, u16::from_le_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    text.trim_end_matches('\0').to_owned()
}

/// Decodes all strings.
pub(super) fn decode_all(encoding: u8, mut bytes: &[u8]) -> Vec<String> {
    let mut strings = Vec::new();
    while !bytes.is_empty() {
        let (string, rest) = split_string(encoding, bytes);
        strings.push(decode(encoding, string));
        bytes = rest;
    }
    strings
}
