//! Writes XML 1.0 straight into a buffer, and cannot write it ill-formed.
//!
//! Names are the program's own (`&'static str`), an element closes when the closure that writes its
//! children returns, and every character of a text or attribute is escaped or, where XML 1.0 has no
//! way to hold it, left out.
//!
//! ```
//! use feedwright::render::xml::Xml;
//!
//! let mut out = Vec::new();
//! Xml::document(&mut out, &[], |xml| {
//!     xml.element("a").attr("href", "?x=1&y=2").text("1 < 2");
//! });
//! assert_eq!(
//!     String::from_utf8_lossy(&out),
//!     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a href=\"?x=1&amp;y=2\">1 &lt; 2</a>\n"
//! );
//! ```

use crate::model::special::first_special;

/// A stylesheet that browsers show a document with (xml-stylesheet, second edition).
#[derive(Debug, Clone)]
pub struct Stylesheet {
    /// Its address: a path, for browsers take none of another host.
    pub url: String,
    /// `text/css` or `text/xsl`.
    pub media_type: &'static str,
}

/// The writer: where in the tree it is, and what it writes into.
pub struct Xml<'o> {
    out: &'o mut Vec<u8>,
    depth: usize,
}

impl<'o> Xml<'o> {
    /// Writes a document: the XML declaration, an instruction for each stylesheet, and what
    /// `root` writes, which has to be one element.
    pub fn document(
        out: &'o mut Vec<u8>,
        stylesheets: &[Stylesheet],
        root: impl FnOnce(&mut Xml<'_>),
    ) {
        out.extend_from_slice(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        for sheet in stylesheets {
            out.extend_from_slice(b"<?xml-stylesheet href=\"");
            // `>` is escaped, so that nothing in the address can end the instruction.
            escape(out, &sheet.url, TextKind::Attribute);
            out.extend_from_slice(b"\" type=\"");
            out.extend_from_slice(sheet.media_type.as_bytes());
            out.extend_from_slice(b"\"?>\n");
        }
        root(&mut Xml { out, depth: 0 });
    }

    /// Starts an element. It is finished by one of [`Tag`]'s other methods.
    pub fn element(&mut self, name: &'static str) -> Tag<'_, 'o> {
        debug_assert!(is_name(name), "{name}");
        self.indent();
        self.out.push(b'<');
        self.out.extend_from_slice(name.as_bytes());
        Tag { xml: self, name }
    }

    /// An element that holds a text and nothing else; an empty text writes nothing.
    pub fn text(&mut self, name: &'static str, text: &str) {
        if !text.is_empty() {
            self.element(name).text(text);
        }
    }

    /// [`text`](Self::text) of something that may be missing.
    pub fn optional(&mut self, name: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    /// What `write` writes, for [`paste`](Self::paste).
    pub(super) fn copy_of(&mut self, write: impl FnOnce(&mut Xml<'_>)) -> &[u8] {
        let start = self.out.len();
        write(&mut Xml {
            out: self.out,
            depth: self.depth,
        });
        &self.out[start..]
    }

    /// Writes what [`copy_of`](Self::copy_of) gave at the same depth of another document.
    pub(super) fn paste(&mut self, written: &[u8]) {
        self.out.extend_from_slice(written);
    }

    fn indent(&mut self) {
        const SPACES: &[u8; 32] = b"                                ";
        let width = (self.depth * 2).min(SPACES.len());
        self.out.extend_from_slice(&SPACES[..width]);
    }
}

/// A start tag that can still take attributes.
#[must_use = "an element has to be finished"]
pub struct Tag<'x, 'o> {
    xml: &'x mut Xml<'o>,
    name: &'static str,
}

impl<'x, 'o> Tag<'x, 'o> {
    /// Adds an attribute; no name may be added twice.
    pub fn attr(self, name: &'static str, value: &str) -> Self {
        debug_assert!(is_name(name), "{name}");
        let out = &mut *self.xml.out;
        out.push(b' ');
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"=\"");
        escape(out, value, TextKind::Attribute);
        out.push(b'"');
        self
    }

    /// Adds an attribute if there is a value that is not empty.
    pub fn optional(self, name: &'static str, value: Option<&str>) -> Self {
        match value {
            Some(value) if !value.is_empty() => self.attr(name, value),
            _ => self,
        }
    }

    /// Adds an attribute of a number or another value that is written as it displays, if there is one.
    pub fn display(self, name: &'static str, value: Option<impl std::fmt::Display>) -> Self {
        match value {
            Some(value) => self.attr(name, &value.to_string()),
            None => self,
        }
    }

    /// Finishes the element without content.
    pub fn empty(self) {
        self.xml.out.extend_from_slice(b"/>\n");
    }

    /// Finishes the element with a text.
    pub fn text(self, text: &str) {
        if text.is_empty() {
            return self.empty();
        }
        self.xml.out.push(b'>');
        escape(self.xml.out, text, TextKind::Text);
        self.close();
    }

    /// Finishes the element with a text in a CDATA section, for HTML that people read in the source.
    pub fn cdata(self, text: &str) {
        let out = &mut *self.xml.out;
        out.extend_from_slice(b"><![CDATA[");
        escape(out, text, TextKind::Cdata);
        out.extend_from_slice(b"]]>");
        self.close();
    }

    /// Finishes the element with the elements that `children` writes.
    pub fn children(self, children: impl FnOnce(&mut Xml<'_>)) {
        self.xml.out.extend_from_slice(b">\n");
        children(&mut Xml {
            out: self.xml.out,
            depth: self.xml.depth + 1,
        });
        self.xml.indent();
        self.close();
    }

    fn close(self) {
        let out = &mut *self.xml.out;
        out.extend_from_slice(b"</");
        out.extend_from_slice(self.name.as_bytes());
        out.extend_from_slice(b">\n");
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b':' | b'-' | b'_'))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TextKind {
    Text,
    Attribute,
    Cdata,
}

/// Writes a text so that a parser reads it as it is, less what XML 1.0 forbids (section 2.2).
fn escape(out: &mut Vec<u8>, text: &str, kind: TextKind) {
    // 0xEF is the first byte of U+FFFE and U+FFFF.
    let control = |b: u8| (b < 0x20) & (b != b'\n') & (b != b'\t');
    let markup = |b: u8| (b == b'&') | (b == b'<') | (b == b'>') | (b == 0xEF);
    match kind {
        TextKind::Text => escape_where(out, text, kind, |b| control(b) | markup(b)),
        TextKind::Attribute => {
            escape_where(out, text, kind, |b| (b < 0x20) | (b == b'"') | markup(b));
        }
        TextKind::Cdata => {
            escape_where(out, text, kind, |b| control(b) | (b == b']') | (b == 0xEF));
        }
    }
}

/// Copies bytes that are not special, and escapes the others as the kind of text requires.
fn escape_where(out: &mut Vec<u8>, text: &str, kind: TextKind, is_special: impl Fn(u8) -> bool) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len());
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = first_special(&bytes[at..], &is_special) {
        at += found;
        let (replacement, length): (&[u8], usize) = match (&bytes[at..], kind) {
            // In CDATA only the end of the section: it is cut between its brackets and `>`.
            ([b']', b']', b'>', ..], TextKind::Cdata) => (b"]]]]><![CDATA[>", 3),
            // Parsers read a carriage return as a line feed unless it is written as a reference.
            ([b'\r', ..], TextKind::Cdata) => (b"]]>&#13;<![CDATA[", 1),
            ([b'\r', ..], _) => (b"&#13;", 1),
            ([b'\n', ..], _) => (b"&#10;", 1),
            ([b'\t', ..], _) => (b"&#9;", 1),
            ([b'&', ..], _) => (b"&amp;", 1),
            ([b'<', ..], _) => (b"&lt;", 1),
            ([b'>', ..], _) => (b"&gt;", 1),
            ([b'"', ..], _) => (b"&quot;", 1),
            ([0..0x20, ..], _) => (b"", 1),
            ([0xEF, 0xBF, 0xBE | 0xBF, ..], _) => (b"", 3),
            _ => {
                at += 1;
                continue;
            }
        };
        out.extend_from_slice(&bytes[copied..at]);
        out.extend_from_slice(replacement);
        at += length;
        copied = at;
    }
    out.extend_from_slice(&bytes[copied..]);
}
