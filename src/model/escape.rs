//! Text as HTML has it.

/// Appends text as it stands in an element.
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

/// Appends text as it stands in a double-quoted attribute.
pub fn push_attribute(out: &mut String, text: &str) {
    // Hardly any address has one of these.
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
