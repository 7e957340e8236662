//! Parses and writes JSON (RFC 8259), preserving the order of members and all digits of numbers.

use std::borrow::Cow;
use std::fmt::{self, Write};

use crate::float;

/// Maximum nesting depth of arrays and objects.
const MAX_DEPTH: u32 = 500;

/// A JSON value, borrowed from the parsed text where possible.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json<'a> {
    Null,
    Bool(bool),
    /// A number, as written in the text.
    Number(Cow<'a, str>),
    String(Cow<'a, str>),
    Array(Vec<Json<'a>>),
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Parses a complete JSON document.
    pub(crate) fn parse(text: &'a str) -> Result<Self, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(MAX_DEPTH)?;
        reader.skip_space();
        if reader.at == text.len() { Ok(value) } else { Err(reader.error("the end")) }
    }

    /// Returns the first member with this name.
    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else {
            return None;
        };
        let found = members.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }

    /// Converts an integer to JSON.
    pub(crate) fn int(value: i64) -> Self {
        Self::Number(Cow::Owned(value.to_string()))
    }

    /// Converts a float to JSON as stored in an array. Infinities and NaN become strings, because
    /// JSON has no such numbers.
    pub(crate) fn float(value: f64) -> Self {
        match float::text(value) {
            Some(text) => Self::text(text),
            None => Self::Number(Cow::Owned(format!("{value:?}"))),
        }
    }

    pub(crate) fn text(value: impl Into<Cow<'a, str>>) -> Self {
        Self::String(value.into())
    }
}

/// Writes the value as compact JSON.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(digits) => f.write_str(digits),
            Self::String(text) => write_string(f, text),
            Self::Array(elements) => {
                f.write_char('[')?;
                for (at, element) in elements.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { "," })?;
                    element.fmt(f)?;
                }
                f.write_char(']')
            }
            Self::Object(members) => {
                f.write_char('{')?;
                for (at, (name, value)) in members.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { "," })?;
                    write_string(f, name)?;
                    f.write_char(':')?;
                    value.fmt(f)?;
                }
                f.write_char('}')
            }
        }
    }
}

/// Writes a JSON string with its quotes.
pub(super) fn write_string(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c < ' ' || matches!(c, '"' | '\\')) {
        out.write_str(&rest[..at])?;
        match rest.as_bytes()[at] {
            b'"' => out.write_str("\\\"")?,
            b'\\' => out.write_str("\\\\")?,
            b'\n' => out.write_str("\\n")?,
            b'\r' => out.write_str("\\r")?,
            b'\t' => out.write_str("\\t")?,
            8 => out.write_str("\\b")?,
            12 => out.write_str("\\f")?,
            control => write!(out, "\\u{control:04x}")?,
        }
        rest = &rest[at + 1..];
    }
    out.write_str(rest)?;
    out.write_char('"')
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self, depth: u32) -> Result<Json<'a>, String> {
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Json::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => [("true", Json::Bool(true)), ("false", Json::Bool(false)), ("null", Json::Null)]
                .into_iter()
                .find_map(|(word, value)| self.consume(word).then_some(value))
                .ok_or_else(|| self.error("a value")),
        }
    }

    fn array(&mut self, depth: u32) -> Result<Json<'a>, String> {
        let depth = self.enter(depth)?;
        let mut elements = Vec::new();
        while !self.closes("]", elements.is_empty())? {
            elements.push(self.value(depth)?);
        }
        Ok(Json::Array(elements))
    }

    fn object(&mut self, depth: u32) -> Result<Json<'a>, String> {
        let depth = self.enter(depth)?;
        let mut members = Vec::new();
        while !self.closes("}", members.is_empty())? {
            self.skip_space();
            let name = match self.peek() {
                Some(b'"') => self.string()?,
                _ => return Err(self.error("a name in quotes")),
            };
            self.skip_space();
            if !self.consume(":") {
                return Err(self.error("a colon"));
            }
            members.push((name, self.value(depth)?));
        }
        Ok(Json::Object(members))
    }

    fn enter(&mut self, depth: u32) -> Result<u32, String> {
        self.at += 1;
        depth.checked_sub(1).ok_or_else(|| format!("JSON nests deeper than {MAX_DEPTH} levels"))
    }

    /// Returns whether the array or object ends here. If not, reads the comma before the next
    /// element.
    fn closes(&mut self, end: &str, is_first: bool) -> Result<bool, String> {
        self.skip_space();
        if self.consume(end) {
            return Ok(true);
        }
        if is_first || self.consume(",") { Ok(false) } else { Err(self.error("a comma")) }
    }

    fn number(&mut self) -> Result<Json<'a>, String> {
        let begin = self.at;
        self.consume("-");
        if !self.consume("0") {
            self.digits()?;
        }
        if self.consume(".") {
            self.digits()?;
        }
        if self.consume("e") || self.consume("E") {
            let _ = self.consume("+") || self.consume("-");
            self.digits()?;
        }
        Ok(Json::Number(Cow::Borrowed(&self.text[begin..self.at])))
    }

    fn digits(&mut self) -> Result<(), String> {
        let rest = &self.text.as_bytes()[self.at..];
        match rest.iter().take_while(|byte| byte.is_ascii_digit()).count() {
            0 => Err(self.error("a digit")),
            count => {
                self.at += count;
                Ok(())
            }
        }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, String> {
        self.at += 1;
        let unescaped_text = self.unescaped_text()?;
        if self.consume("\"") {
            return Ok(Cow::Borrowed(unescaped_text));
        }
        let mut text = unescaped_text.to_owned();
        while !self.consume("\"") {
            text.push(self.escape()?);
            text.push_str(self.unescaped_text()?);
        }
        Ok(Cow::Owned(text))
    }

    /// Reads characters up to a quote or a backslash.
    fn unescaped_text(&mut self) -> Result<&'a str, String> {
        let rest = &self.text[self.at..];
        let is_end = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
        let end = rest.bytes().position(|byte| is_end(&byte));
        let end = end.ok_or_else(|| "a JSON string has no closing quote".to_owned())?;
        self.at += end;
        if rest.as_bytes()[end] < 0x20 {
            Err(self.error("a string without control characters"))
        } else {
            Ok(&rest[..end])
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        self.at += 1;
        let escaped = self.peek().ok_or_else(|| self.error("an escape sequence"))?;
        let character = match escaped {
            b'"' | b'\\' | b'/' => char::from(escaped),
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                self.at += 1;
                return self.unicode();
            }
            _ => return Err(self.error("an escape sequence")),
        };
        self.at += 1;
        Ok(character)
    }

    /// Reads the character after `\u`. A character outside the Basic Multilingual Plane is written
    /// as two escapes.
    fn unicode(&mut self) -> Result<char, String> {
        let high = self.hex()?;
        let code = match high {
            0xD800..0xDC00 if self.consume("\\u") => match self.hex()? {
                low @ 0xDC00..0xE000 => 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00),
                _ => return Err(self.error("the second half of a surrogate pair")),
            },
            code => code,
        };
        char::from_u32(code).ok_or_else(|| self.error("a complete surrogate pair"))
    }

    fn hex(&mut self) -> Result<u32, String> {
        let digits = self.text.get(self.at..self.at + 4);
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let code = code.ok_or_else(|| self.error("four hexadecimal digits"))?;
        self.at += 4;
        Ok(code)
    }

    fn skip_space(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += rest.iter().take_while(is_space).count();
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn consume(&mut self, word: &str) -> bool {
        let is_next = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    fn error(&self, wanted: &str) -> String {
        format!("Invalid JSON at byte {}: expected {wanted}", self.at)
    }
}
