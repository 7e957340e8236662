//! A scanner for JSON (RFC 8259). It can skip values without building them.

/// A position in a JSON file.
pub(super) struct Scanner<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

/// A string as it is written in the file, without its quotes.
pub(super) struct Text<'a> {
    pub raw: &'a [u8],
    pub has_escapes: bool,
}

/// A syntax error and its position. Reading continues from this position and never goes back, so no
/// byte is read repeatedly.
pub(super) struct SyntaxError {
    pub at: usize,
    pub problem: &'static str,
}

impl<'a> Scanner<'a> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips whitespace and commas. Missing and extra commas are tolerated.
    pub(super) fn skip_separators(&mut self) {
        self.skip_while(|byte| byte == b',' || byte.is_ascii_whitespace());
    }

    fn skip_while(&mut self, is_in: impl Fn(u8) -> bool) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|byte| is_in(**byte)).count();
    }

    fn syntax_error<T>(&self, problem: &'static str) -> Result<T, SyntaxError> {
        Err(SyntaxError { at: self.at, problem })
    }

    /// Reads a key, the colon after it, and the whitespace after the colon.
    pub(super) fn key(&mut self) -> Result<&'a [u8], SyntaxError> {
        if self.peek() != Some(b'"') {
            return self.syntax_error("a key in quotes is missing");
        }
        let key = self.string()?.raw;
        self.skip_while(|byte| byte.is_ascii_whitespace());
        if self.peek() != Some(b':') {
            return self.syntax_error("a colon is missing");
        }
        self.at += 1;
        self.skip_while(|byte| byte.is_ascii_whitespace());
        Ok(key)
    }

    /// Reads the string that begins at the current position.
    pub(super) fn string(&mut self) -> Result<Text<'a>, SyntaxError> {
        let from = self.at + 1;
        let mut has_escapes = false;
        self.at = from;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    let raw = &self.bytes[from..self.at];
                    self.at += 1;
                    return Ok(Text { raw, has_escapes });
                }
                b'\\' => {
                    has_escapes = true;
                    self.at += 1;
                    let is_break = matches!(self.peek(), Some(b'\n' | b'\r'));
                    self.at += usize::from(!is_break);
                }
                b'\n' | b'\r' => break,
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.bytes.len());
        self.syntax_error("the closing quote of a string is missing")
    }

    /// Skips any value, at any nesting depth.
    pub(super) fn skip_value(&mut self) -> Result<(), SyntaxError> {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                None => return self.syntax_error("the file ends within a value"),
                Some(b'"') => {
                    self.string()?;
                }
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') if depth == 0 => return self.syntax_error("a value is missing"),
                Some(b'}' | b']') => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',' | b':') if depth == 0 => return self.syntax_error("a value is missing"),
                Some(b',' | b':') => self.at += 1,
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                Some(_) => self.skip_scalar()?,
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Skips a number, `true`, `false` or `null`.
    fn skip_scalar(&mut self) -> Result<(), SyntaxError> {
        let from = self.at;
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        if self.at > from {
            return Ok(());
        }
        self.at += 1;
        self.syntax_error("this is not valid JSON")
    }

    /// Moves to the next `{` that is followed by a string.
    pub(super) fn skip_to_object(&mut self) {
        loop {
            self.skip_while(|byte| byte != b'{');
            let from = self.at;
            if self.peek().is_none() {
                return;
            }
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_whitespace());
            if self.peek() == Some(b'"') {
                self.at = from;
                return;
            }
        }
    }
}

/// Replaces the escape sequences in a string. An unpaired surrogate becomes U+FFFD.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.find('\\') {
        out.push_str(&rest[..next]);
        rest = &rest[next + 1..];
        let mut chars = rest.chars();
        let Some(c) = chars.next() else { break };
        rest = chars.as_str();
        match c {
            'n' | 'r' | 't' | 'f' => out.push(' '),
            'b' => {}
            'u' => rest = unescape_unit(rest, &mut out),
            c => out.push(c),
        }
    }
    out.push_str(rest);
    out
}

/// Decodes the four hexadecimal digits after `\u`. Characters beyond U+FFFF have a second escape
/// sequence. Returns the rest of the string.
fn unescape_unit<'t>(text: &'t str, out: &mut String) -> &'t str {
    let unit = |text: &str| {
        let digits = text.get(..4)?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
    };
    let Some(first) = unit(text) else {
        out.push('\u{FFFD}');
        return text;
    };
    let rest = &text[4..];
    let second = rest.strip_prefix("\\u").and_then(unit);
    let pair = char::decode_utf16([first].into_iter().chain(second)).next();
    match (first, pair) {
        (0xD800..=0xDBFF, Some(Ok(c))) => {
            out.push(c);
            &rest[6..]
        }
        (_, Some(Ok(c))) => {
            out.push(c);
            rest
        }
        _ => {
            out.push('\u{FFFD}');
            rest
        }
    }
}
