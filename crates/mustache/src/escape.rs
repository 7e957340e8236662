//! Escaping of text for HTML and XML, in content and in attributes.

/// Appends `text` to `out`, with ``& < > " ' / ` =`` as character references.
///
/// ```
/// let mut out = String::new();
/// mustache::escape_into("<b>bold</b>", &mut out);
/// assert_eq!(out, "&lt;b&gt;bold&lt;&#x2F;b&gt;");
/// ```
pub fn escape_into(text: &str, out: &mut String) {
    let mut clean_from = 0;
    for (number, block) in text.as_bytes().chunks(BLOCK).enumerate() {
        // Most blocks need no escaping, and testing a whole block takes a few vector instructions.
        if needs_no_escape(block) {
            continue;
        }
        for (i, &byte) in block.iter().enumerate() {
            // Every escaped character is a single ASCII byte, so it is safe to slice `text` before
            // and after it.
            if NEEDS_ESCAPE[usize::from(byte)] {
                let at = number * BLOCK + i;
                out.push_str(&text[clean_from..at]);
                out.push_str(REFERENCES[usize::from(byte)]);
                clean_from = at + 1;
            }
        }
    }
    out.push_str(&text[clean_from..]);
}

const BLOCK: usize = 32;

/// Returns whether a whole block needs no escaping. Returns false for a last block that is shorter,
/// so the caller checks it byte by byte.
fn needs_no_escape(block: &[u8]) -> bool {
    let Ok(block) = <&[u8; BLOCK]>::try_from(block) else {
        return false;
    };
    // The comparisons are written out, because the compiler vectorizes neither a loop over
    // `ESCAPES` nor a fold of `bool`s.
    let mut hits = 0;
    for &byte in block {
        let is = |escaped: u8| u8::from(byte == escaped);
        hits |= is(b'&') | is(b'<') | is(b'>') | is(b'"');
        hits |= is(b'\'') | is(b'/') | is(b'`') | is(b'=');
    }
    hits == 0
}

const ESCAPES: [(u8, &str); 8] = [
    (b'&', "&amp;"),
    (b'<', "&lt;"),
    (b'>', "&gt;"),
    (b'"', "&quot;"),
    (b'\'', "&#39;"),
    (b'/', "&#x2F;"),
    (b'`', "&#x60;"),
    (b'=', "&#x3D;"),
];

/// For each byte value, whether it needs escaping. In the common case, a byte without escaping, a
/// single table lookup is enough.
const NEEDS_ESCAPE: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < ESCAPES.len() {
        table[ESCAPES[i].0 as usize] = true;
        i += 1;
    }
    table
};

/// For each byte value that needs escaping, its character reference.
static REFERENCES: [&str; 256] = {
    let mut table = [""; 256];
    let mut i = 0;
    while i < ESCAPES.len() {
        table[ESCAPES[i].0 as usize] = ESCAPES[i].1;
        i += 1;
    }
    table
};
