//! A Rust file as tokens, without comments and the insides of texts.

/// A word, or a sign; `::` is one sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub text: String,
    /// From 1.
    pub line: usize,
}

impl Token {
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

pub fn tokens(text: &str) -> Vec<Token> {
    let code = blank_strings_and_comments(text);
    let mut found = Vec::new();
    for (at, line) in code.lines().enumerate() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                c if c.is_alphanumeric() || c == '_' => {
                    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
                }
                _ if rest.starts_with("::") => 2,
                c => c.len_utf8(),
            };
            let (token, after) = rest.split_at(length);
            if !first.is_whitespace() {
                found.push(Token { text: token.to_owned(), line: at + 1 });
            }
            rest = after;
        }
    }
    found
}

/// The code with spaces in the place of comments, texts and characters; line breaks stay.
pub fn blank_strings_and_comments(text: &str) -> String {
    blank_out(text, false)
}

/// The code with spaces in the place of comments and characters.
pub fn blank_comments(text: &str) -> String {
    blank_out(text, true)
}

fn blank_out(text: &str, keeps_texts: bool) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['/', '"', '\'']) {
        code.push_str(&rest[..start]);
        rest = &rest[start..];
        let (length, is_text) = inside(rest, &code);
        let (inside, after) = rest.split_at(length);
        if length == 1 || (is_text && keeps_texts) {
            code.push_str(inside);
        } else {
            code.extend(inside.chars().map(|c| if c == '\n' { c } else { ' ' }));
        }
        rest = after;
    }
    code + rest
}

/// How long the comment, text or character is that begins here, and whether it is a text; 1 where
/// it is a sign. `before` is the code before it.
fn inside(rest: &str, before: &str) -> (usize, bool) {
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if rest.starts_with("/*") {
        return (block_comment_length(rest), false);
    }
    if rest.starts_with('\'') {
        return (char_literal_length(rest).unwrap_or(1), false);
    }
    if rest.starts_with('"') {
        return (raw_string_length(rest, before).unwrap_or_else(|| string_length(rest)), true);
    }
    (1, false)
}

/// How long a text is before which `r`, `br` or `cr` stands, and signs `#`.
fn raw_string_length(rest: &str, before: &str) -> Option<usize> {
    let prefix = before.trim_end_matches('#');
    let end = format!("\"{}", &before[prefix.len()..]);
    let word = prefix.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    if !matches!(word, "r" | "br" | "cr") {
        return None;
    }
    let length = rest[1..].find(&end).map(|at| 1 + at + end.len());
    Some(length.unwrap_or(rest.len()))
}

fn block_comment_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match &rest.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string_length(rest: &str) -> usize {
    let mut bytes = rest.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// None for a lifetime.
fn char_literal_length(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    if chars.next()?.1 == '\\' {
        chars.next();
        return rest[3..].find('\'').map(|at| at + 4);
    }
    let (at, end) = chars.next()?;
    (end == '\'').then_some(at + 1)
}

#[test]
fn comments_strings_and_characters_are_not_code() {
    let text = r##"a // crate::x
/* crate::y /* nested */ */ b "crate::\"z" r#"crate::"w""# 'c' '\'' '"' 'life: d"##;
    let words: Vec<_> = tokens(text).into_iter().map(|token| (token.text, token.line)).collect();
    let word = |text: &str, line| (text.to_owned(), line);
    assert_eq!(
        words,
        [
            word("a", 1),
            word("b", 2),
            word("r", 2),
            word("#", 2),
            word("'", 2),
            word("life", 2),
            word(":", 2),
            word("d", 2)
        ]
    );
}
