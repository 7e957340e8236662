//! Escaping of text for a terminal, which executes control characters instead of showing them.

use std::borrow::Cow;

/// Escapes a string for one line of a terminal. Control characters become escapes such as `\u{1b}`,
/// and line ends are escaped too.
pub fn escape_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_control)
}

/// Escapes a string that may contain several lines and tabs.
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_control(c) && !matches!(c, '\n' | '\t'))
}

/// Escapes control characters in JSON. The JSON still has the same value.
pub fn escape_json(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| is_control(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_control(c) && c != '\n' {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Returns whether a terminal executes a character instead of showing it: a control character of
/// ISO 6429 (C0, DEL, C1), a Unicode line end, or a character that changes the text direction (UAX
/// #9).
pub fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_bad(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::escape_line;

    #[test]
    fn control_characters_are_escaped_and_letters_are_kept() {
        assert_eq!(escape_line("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
        assert_eq!(escape_line("Grüße, שלום"), "Grüße, שלום");
    }
}
