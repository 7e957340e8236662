//! A lexer for PowerShell, which none of the available grammars supports.

use super::{Class, Piece};

const KEYWORDS: [&str; 32] = [
    "begin", "break", "catch", "class", "continue", "data", "do", "dynamicparam", "else", "elseif",
    "end", "enum", "exit", "filter", "finally", "for", "foreach", "function", "if", "in", "param",
    "process", "return", "switch", "throw", "trap", "try", "until", "using", "while", "workflow",
    "parallel",
];

/// Splits a script into adjacent pieces that cover all of it.
pub fn pieces(code: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut rest, mut plain) = (code, 0);
    while let Some(first) = rest[plain..].chars().next() {
        let before = rest[..plain].chars().next_back();
        let Some((class, length)) = token(&rest[plain..], before) else {
            plain += first.len_utf8();
            continue;
        };
        let (text, after) = rest[plain..].split_at(length);
        pieces.push((None, &rest[..plain]));
        pieces.push((class, text));
        (rest, plain) = (after, 0);
    }
    pieces.push((None, rest));
    pieces.retain(|(_, text)| !text.is_empty());
    pieces
}

/// Returns the class and the length of the token at the start of `text`. `before` is the character
/// before `text`.
fn token(text: &str, before: Option<char>) -> Option<(Option<Class>, usize)> {
    let until = |end: &str| text[2..].find(end).map_or(text.len(), |at| 2 + at + end.len());
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = |from: usize, more: &str| {
        let end = text[from..].find(|c| !is_word(c) && !more.contains(c));
        end.map_or(text.len(), |end| from + end)
    };
    let first = text.chars().next()?;
    Some(match first {
        '<' if text.starts_with("<#") => (Some(Class::Comment), until("#>")),
        '#' => (Some(Class::Comment), text.find('\n').unwrap_or(text.len())),
        '@' if text.starts_with("@\"") => (Some(Class::String), until("\n\"@")),
        '@' if text.starts_with("@'") => (Some(Class::String), until("\n'@")),
        '"' | '\'' => (Some(Class::String), string(text, first)),
        '$' => {
            let end = if text.starts_with("${") { until("}") } else { word(1, ":?") };
            let is_constant = ["$true", "$false", "$null"]
                .iter()
                .any(|name| text[..end].eq_ignore_ascii_case(name));
            (Some(if is_constant { Class::Number } else { Class::Type }), end)
        }
        '0'..='9' => (Some(Class::Number), word(0, ".")),
        c if c.is_alphabetic() || c == '_' => {
            let end = word(0, "-");
            let name = &text[..end];
            let class = if KEYWORDS.iter().any(|keyword| name.eq_ignore_ascii_case(keyword)) {
                Some(Class::Keyword)
            } else if before == Some('[') {
                Some(Class::Type)
            } else if name.contains('-') && before != Some('-') {
                Some(Class::Function)
            } else {
                None
            };
            (class, end)
        }
        _ => return None,
    })
}

/// Returns the length of a string literal. A backtick escapes the next character in double quotes.
fn string(text: &str, quote: char) -> usize {
    let mut is_kept = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !is_kept {
            return at + 1;
        }
        is_kept = quote == '"' && c == '`' && !is_kept;
    }
    text.len()
}
