//! Escaping for HTML and XML, in text and in attributes.

use std::fmt;

/// Appends `text` to `out` with `& < > " ' / ` =` as character references.
///
/// ```
/// let mut out = String::new();
/// feedwright::mustache::escape_into("<b>bold</b>", &mut out);
/// assert_eq!(out, "&lt;b&gt;bold&lt;&#x2F;b&gt;");
/// ```
pub fn escape_into(text: &str, out: &mut String) {
    let mut clean_from = 0;
    for (at, byte) in text.bytes().enumerate() {
        // Each escaped character is one ASCII byte, so a slice cut beside it stays valid UTF-8.
        if IS_ESCAPED[usize::from(byte)] {
            out.push_str(&text[clean_from..at]);
            out.push_str(reference(byte));
            clean_from = at + 1;
        }
    }
    out.push_str(&text[clean_from..]);
}

/// Writes what is formatted into it to the buffer, escaped.
pub(super) struct Escaping<'o>(pub &'o mut String);

impl fmt::Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape_into(text, self.0);
        Ok(())
    }
}

const ESCAPED: [(u8, &str); 8] = [
    (b'&', "&amp;"),
    (b'<', "&lt;"),
    (b'>', "&gt;"),
    (b'"', "&quot;"),
    (b'\'', "&#39;"),
    (b'/', "&#x2F;"),
    (b'`', "&#x60;"),
    (b'=', "&#x3D;"),
];

/// One load a byte decides the usual case, a byte that stays as it is.
const IS_ESCAPED: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < ESCAPED.len() {
        table[ESCAPED[i].0 as usize] = true;
        i += 1;
    }
    table
};

fn reference(byte: u8) -> &'static str {
    ESCAPED
        .iter()
        .find_map(|&(escaped, reference)| (escaped == byte).then_some(reference))
        .unwrap_or("")
}
