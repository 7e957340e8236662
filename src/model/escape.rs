//! Escaping of text for HTML.

/// Appends text, escaped for the content of an element.
pub fn push_text(out: &mut String, text: &str) {
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escaped = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => continue,
        };
        out.push_str(&text[copied..at]);
        out.push_str(escaped);
        copied = at + 1;
    }
    out.push_str(&text[copied..]);
}

/// Appends text, escaped for a double-quoted attribute.
pub fn push_attribute(out: &mut String, text: &str) {
    // Few attribute values contain any of these characters.
    let is_escaped = |byte| matches!(byte, b'&' | b'"' | b'<' | b'>');
    if !text.bytes().any(is_escaped) {
        return out.push_str(text);
    }
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
}
