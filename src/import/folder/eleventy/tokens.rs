//! JavaScript as tokens, without its comments.

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Name(String),
    Text(String),
    Number(f64),
    /// A template with values in it, or a pattern.
    Truthy,
    Sign(&'static str),
    Unknown,
}

const SIGNS: [&str; 40] = [
    "===", "!==", "...", "**=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--",
    "+=", "-=", "(", ")", "{", "}", "[", "]", ",", ";", ":", "?", ".", "!", "=", "<", ">", "+",
    "-", "*", "/", "%", "&", "|", "~",
];

/// The tokens of code, without white space.
pub fn tokens(code: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut rest = code.trim_start();
    while let Some(c) = rest.chars().next() {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#');
        let (token, length) = if c.is_ascii_digit() {
            let end = rest
                .find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '_'))
                .unwrap_or(rest.len());
            let number = rest[..end].replace('_', "").parse();
            (number.map_or(Token::Unknown, Token::Number), end)
        } else if is_part(c) {
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            (Token::Name(rest[..end].to_owned()), end)
        } else if matches!(c, '"' | '\'' | '`') {
            text(rest, c)
        } else if c == '/' && begins_pattern(found.last()) {
            let end = rest[1..].find('/').map_or(rest.len(), |at| at + 2);
            let flags = rest[end..]
                .find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(rest.len() - end);
            (Token::Truthy, end + flags)
        } else {
            match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (Token::Sign(sign), sign.len()),
                None => (Token::Unknown, c.len_utf8()),
            }
        };
        found.push(token);
        rest = rest[length..].trim_start();
    }
    found
}

/// Whether `/` after this begins a pattern and divides nothing.
fn begins_pattern(before: Option<&Token>) -> bool {
    match before {
        None => true,
        Some(Token::Sign(sign)) => !matches!(*sign, ")" | "]" | "}"),
        Some(Token::Name(name)) => name == "return",
        Some(_) => false,
    }
}

fn text(code: &str, quote: char) -> (Token, usize) {
    let (mut value, mut is_escaped, mut has_values) = (String::new(), false, false);
    for (at, c) in code.char_indices().skip(1) {
        match c {
            c if is_escaped => {
                value.push(c);
                is_escaped = false;
            }
            '\\' => is_escaped = true,
            c if c == quote => {
                let token = if has_values {
                    Token::Truthy
                } else {
                    Token::Text(value)
                };
                return (token, at + c.len_utf8());
            }
            c => {
                has_values |= quote == '`' && c == '{' && value.ends_with('$');
                value.push(c);
            }
        }
    }
    (Token::Unknown, code.len())
}
