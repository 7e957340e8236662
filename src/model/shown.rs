//! Texts as they may stand on a terminal, which obeys some characters in place of showing them.

use std::borrow::Cow;

/// A text in one line: what a terminal would obey stands escaped, as `\u{1b}`.
///
/// ```
/// use feedwright::model::shown::shown;
///
/// assert_eq!(shown("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
/// assert_eq!(shown("Grüße, שלום"), "Grüße, שלום");
/// ```
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, is_unseen)
}

/// A text that may have several lines.
pub fn shown_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_unseen(c) && !matches!(c, '\n' | '\t'))
}

/// JSON with such characters in its texts escaped: the same value.
pub fn shown_json(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| is_unseen(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_unseen(c) && c != '\n' {
            true => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Whether a character is an order to a terminal: a control character of ISO 6429 (C0, DEL, C1), an
/// end of line of Unicode, or one that turns the direction of what follows (UAX #9).
pub fn is_unseen(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_bad(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}
