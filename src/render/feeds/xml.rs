//! Writes XML 1.0 with `quick_xml::Writer`, which escapes, nests and indents.
//!
//! Element names come from the program (`&'static str`). An element is closed when the closure that
//! writes its children returns. Characters that XML 1.0 does not allow are left out.
//!
//! ```
//! use render::feeds::xml::Xml;
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

use std::borrow::Cow;

use quick_xml::Writer;
use quick_xml::escape::partial_escape;
use quick_xml::events::{BytesCData, BytesDecl, BytesEnd, BytesPI, BytesStart, BytesText, Event};

use model::special::first_special_byte;

/// A stylesheet with which browsers display a document (xml-stylesheet, second edition).
#[derive(Debug, Clone)]
pub struct Stylesheet {
    /// The stylesheet's address. It must be a path, since browsers load no stylesheet from another
    /// host.
    pub url: String,
    /// `text/css` or `text/xsl`.
    pub media_type: &'static str,
}

/// A writer for an XML document.
pub struct Xml<'o> {
    writer: Writer<&'o mut Vec<u8>>,
}

impl<'o> Xml<'o> {
    /// Writes a document: the XML declaration, an instruction for each stylesheet, and the output
    /// of `root`, which must be one element.
    pub fn document(
        out: &'o mut Vec<u8>,
        stylesheets: &[Stylesheet],
        root: impl FnOnce(&mut Xml<'_>),
    ) {
        let writer = Writer::new_with_indent(out, b' ', 2);
        let mut xml = Xml { writer };
        xml.write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        for sheet in stylesheets {
            let Stylesheet { url, media_type } = sheet;
            // `>` is escaped, so that nothing in the address can end the instruction.
            let url = attribute_value(url);
            let sheet = format!("xml-stylesheet href=\"{url}\" type=\"{media_type}\"");
            xml.write(Event::PI(BytesPI::new(sheet)));
        }
        root(&mut xml);
        xml.writer.get_mut().push(b'\n');
    }

    /// Starts an element. One of [`Tag`]'s other methods finishes it.
    pub fn element(&mut self, name: &'static str) -> Tag<'_, 'o> {
        debug_assert!(is_name(name), "{name}");
        Tag { xml: self, start: String::new(), name }
    }

    /// Writes an element that contains only text. Writes nothing if the text is empty.
    pub fn text(&mut self, name: &'static str, text: &str) {
        if !text.is_empty() {
            self.element(name).text(text);
        }
    }

    /// Writes an element with [`text`](Self::text), unless the argument `text` is None.
    pub fn optional(&mut self, name: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    /// Runs `write` and returns a copyable slice of its output, for [`paste`](Self::paste).
    pub(super) fn copy_of(&mut self, write: impl FnOnce(&mut Xml<'_>)) -> &[u8] {
        let start = self.writer.get_ref().len();
        write(self);
        &self.writer.get_ref()[start..]
    }

    /// Inserts elements that [`copy_of`](Self::copy_of) returned. They must be at the same depth as
    /// before, and follow another element.
    pub(super) fn paste(&mut self, written: &[u8]) {
        self.writer.get_mut().extend_from_slice(written);
    }

    fn write(&mut self, event: Event<'_>) {
        // Writing to a vector cannot fail.
        let _ = self.writer.write_event(event);
    }
}

/// A start tag to which attributes can still be added.
#[must_use = "an element must be finished"]
pub struct Tag<'x, 'o> {
    xml: &'x mut Xml<'o>,
    /// The name and the attributes. Empty until an attribute is added.
    start: String,
    name: &'static str,
}

impl<'x, 'o> Tag<'x, 'o> {
    /// Adds an attribute. Each name may be added only once.
    pub fn attr(mut self, name: &'static str, value: &str) -> Self {
        debug_assert!(is_name(name), "{name}");
        if self.start.is_empty() {
            self.start = String::with_capacity(USUAL_START);
            self.start.push_str(self.name);
        }
        for part in [" ", name, "=\"", &attribute_value(value), "\""] {
            self.start.push_str(part);
        }
        self
    }

    /// Adds an attribute, unless the value is missing or empty.
    pub fn optional(self, name: &'static str, value: Option<&str>) -> Self {
        match value {
            Some(value) if !value.is_empty() => self.attr(name, value),
            _ => self,
        }
    }

    /// Adds an attribute whose value is formatted with `Display`. Adds nothing if there is no
    /// value.
    pub fn display(self, name: &'static str, value: Option<impl std::fmt::Display>) -> Self {
        match value {
            Some(value) => self.attr(name, &value.to_string()),
            None => self,
        }
    }

    /// Finishes the element without content.
    pub fn empty(self) {
        let Self { xml, start, name } = self;
        xml.write(Event::Empty(start_of(start, name)));
    }

    /// Finishes the element with text content.
    pub fn text(self, text: &str) {
        if text.is_empty() {
            return self.empty();
        }
        let text = partial_escape(allowed(text));
        self.children(|xml| xml.write(Event::Text(BytesText::from_escaped(text))));
    }

    /// Finishes the element with text in a CDATA section. CDATA keeps HTML readable in the feed's
    /// source.
    pub fn cdata(self, text: &str) {
        let text = allowed(text);
        self.children(|xml| {
            // Parsers read a carriage return as a line feed unless it is written as a reference.
            for (at, part) in text.split('\r').enumerate() {
                if at > 0 {
                    xml.write(Event::Text(BytesText::from_escaped("&#13;")));
                }
                for section in BytesCData::escaped(part) {
                    xml.write(Event::CData(section));
                }
            }
        });
    }

    /// Finishes the element with the elements that `children` writes.
    pub fn children(self, children: impl FnOnce(&mut Xml<'_>)) {
        let Self { xml, start, name } = self;
        xml.write(Event::Start(start_of(start, name)));
        children(xml);
        xml.write(Event::End(BytesEnd::new(name)));
    }
}

/// The usual length of a name and its attributes, in bytes.
const USUAL_START: usize = 128;

fn start_of(start: String, name: &'static str) -> BytesStart<'static> {
    match start.is_empty() {
        true => BytesStart::new(name),
        false => BytesStart::from_content(start, name.len()),
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b':' | b'-' | b'_'))
}

/// Escapes an attribute value for double quotes. The library's own escaping of attributes also
/// changes apostrophes, which would change every feed.
fn attribute_value(text: &str) -> Cow<'_, str> {
    let may_need_escape = |byte: u8| {
        let is_markup = (byte == b'"') | (byte == b'&') | (byte == b'<') | (byte == b'>');
        (byte < 0x20) | is_markup | (byte == 0xEF)
    };
    if first_special_byte(text.as_bytes(), may_need_escape).is_none() {
        return text.into();
    }
    let escaped = partial_escape(allowed(text));
    let is_special = |byte: u8| matches!(byte, b'"' | b'\n' | b'\t');
    if !escaped.bytes().any(is_special) {
        return escaped;
    }
    let escaped = escaped.replace('"', "&quot;");
    escaped.replace('\n', "&#10;").replace('\t', "&#9;").into()
}

/// Removes the characters of a string that XML 1.0 forbids (section 2.2).
fn allowed(text: &str) -> Cow<'_, str> {
    // 0xEF is the first byte of U+FFFE and U+FFFF.
    let may_be_forbidden = |byte: u8| {
        let is_control = (byte < 0x20) & (byte != b'\n') & (byte != b'\t') & (byte != b'\r');
        is_control | (byte == 0xEF)
    };
    let is_forbidden = |c: char| match c {
        '\n' | '\t' | '\r' => false,
        c => c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}'),
    };
    match first_special_byte(text.as_bytes(), may_be_forbidden) {
        Some(at) if text[at..].contains(is_forbidden) => text.replace(is_forbidden, "").into(),
        _ => text.into(),
    }
}
