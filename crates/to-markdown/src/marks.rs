//! Replaces characters that have a meaning in Markdown with placeholders while a block is
//! converted.

use crate::tokens::{Tag, Token, is_block};

/// A string with a meaning in Markdown, its placeholder during the conversion of a block, and the
/// Markdown that replaces the placeholder.
pub type Mark = (&'static str, &'static str, &'static str);

/// Strings that have a meaning in some Markdown dialects. The converter does not escape them.
pub const DIALECT_MARKS: &[Mark] = &[
    ("~", "\u{e000}", "\\~"),
    ("$", "\u{e001}", "\\$"),
    ("://", "\u{e002}", "&#58;//"),
    ("@", "\u{e003}", "&#64;"),
    ("www.", "\u{e004}", "www&#46;"),
    ("^", "\u{e005}", "\\^"),
];

/// Checkboxes of a task list: whether the task is done, the placeholder, and the Markdown.
pub const TASK_MARKS: [(bool, &str, &str); 2] =
    [(true, "\u{e007}", "[x] "), (false, "\u{e008}", "[ ] ")];

/// Preserves the line breaks in text.
pub const BREAK_MARKS: &[Mark] = &[("\n", LINE_PLACEHOLDER, "\n")];

/// Placeholder for a line break.
pub const LINE_PLACEHOLDER: &str = "\u{e006}";

pub fn with_marks(block: &[Token], marks: &[Mark]) -> Vec<Token> {
    let mut in_code = 0_usize;
    let with_marks = block.iter().enumerate().map(|(at, token)| {
        let is_code = |name: &str| matches!(name, "code" | "pre");
        match token {
            Token::Start(tag) => in_code += usize::from(is_code(&tag.name)),
            Token::End(name) => in_code = in_code.saturating_sub(usize::from(is_code(name))),
            Token::Text(text) if in_code == 0 => {
                let before = at.checked_sub(1).and_then(|at| block.get(at));
                let after = block.get(at + 1);
                // Whitespace at the edge of a block is insignificant and stays unchanged.
                let (mut start, mut end) = (0, text.len());
                if !before.is_some_and(is_inline) {
                    start = end - text.trim_start().len();
                }
                if !after.is_some_and(is_inline) {
                    end = text.trim_end().len().max(start);
                }
                let apply = |text: String, (plain, mark, _): &Mark| text.replace(plain, mark);
                let inner = marks.iter().fold(text[start..end].to_owned(), apply);
                return Token::Text(format!("{}{inner}{}", &text[..start], &text[end..]));
            }
            Token::Text(_) => {}
        }
        token.clone()
    });
    with_marks.collect()
}

fn is_inline(token: &Token) -> bool {
    match token {
        Token::Start(Tag { name, .. }) | Token::End(name) => !is_block(name) && name != "br",
        Token::Text(_) => true,
    }
}

pub fn restore_marks(text: &str, marks: &[Mark]) -> String {
    let apply = |text: String, (_, mark, written): &Mark| text.replace(mark, written);
    let text = marks.iter().fold(text.to_owned(), apply);
    // A colon at the start of a line would start a definition.
    match text.strip_prefix(':') {
        Some(rest) if !marks.is_empty() => format!("\\:{rest}"),
        _ => text,
    }
}
