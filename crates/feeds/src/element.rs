//! A lenient XML parser that builds a tree from any text. Markup that is not well-formed is
//! reported, and fixed as a browser would fix it.

use std::borrow::Cow;
use std::sync::Arc;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::entities::{declared, resolve_entity, unescape};
use crate::feed::{Fault, Faults};
use crate::namespaces::known;

/// Maximum depth of nested elements. Deeper elements are placed at the maximum depth.
const MAX_DEPTH: usize = 200;
/// Maximum number of comments, CDATA sections and tags that are never closed. After that many, the
/// rest of the document is skipped: to find out that an end is missing, the parser must scan all
/// remaining text.
const MAX_UNCLOSED_TAGS: usize = 100;

const NO_TAG: &str = "this < does not start a tag; it was read as text";

/// An element, named with the usual prefix of its namespace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Node>,
    /// Line at which the element begins, counted from 1.
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    Text(String),
    Element(Element),
}

impl Element {
    /// Returns the value of an attribute without surrounding whitespace, or None if the attribute
    /// is missing or empty.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key == name)?;
        Some(found.1.trim()).filter(|value| !value.is_empty())
    }

    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// Removes and returns the child elements with this name.
    pub fn take_all(&mut self, name: &str) -> Vec<Element> {
        let is_wanted = |node: &mut Node| matches!(node, Node::Element(it) if it.name == name);
        let taken = self.children.extract_if(.., is_wanted);
        let elements = taken.filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        });
        elements.collect()
    }

    /// Removes the child elements with this name. Returns the first that is not empty. If all are
    /// empty, returns the first.
    pub fn take(&mut self, name: &str) -> Option<Element> {
        let mut all = self.take_all(name);
        let is_full = |one: &Element| !one.children.is_empty() || !one.attributes.is_empty();
        let at = all.iter().position(is_full).unwrap_or(0);
        (at < all.len()).then(|| all.swap_remove(at))
    }

    /// Removes the child elements with this name. Returns the text of the first element that
    /// contains text.
    pub fn take_text(&mut self, name: &str) -> Option<String> {
        let all = self.take_all(name);
        all.iter().map(Element::text).find(|text| !text.is_empty())
    }

    /// Returns all text of the element, without surrounding whitespace.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.push_text(&mut text);
        text.trim().to_owned()
    }

    /// Returns the text of the element, without the text of its child elements.
    pub fn own_text(&self) -> String {
        let parts = self.children.iter().filter_map(|node| match node {
            Node::Text(text) => Some(text.as_str()),
            Node::Element(_) => None,
        });
        parts.collect::<String>().trim().to_owned()
    }

    fn push_text(&self, text: &mut String) {
        for node in &self.children {
            match node {
                Node::Text(part) => text.push_str(part),
                Node::Element(element) => element.push_text(text),
            }
        }
    }

    /// Returns the content of the element as HTML. Child elements are written as tags.
    pub fn html(&self) -> String {
        let mut html = String::new();
        for node in &self.children {
            node.push_html(&mut html);
        }
        html.trim().to_owned()
    }
}

impl Node {
    fn push_html(&self, html: &mut String) {
        let element = match self {
            Node::Text(text) => return html.push_str(&quick_xml::escape::partial_escape(&**text)),
            Node::Element(element) => element,
        };
        let name = element.name.trim_start_matches("xhtml:");
        html.push('<');
        html.push_str(name);
        for (key, value) in &element.attributes {
            html.push_str(&format!(" {key}=\"{}\"", quick_xml::escape::escape(&**value)));
        }
        html.push('>');
        if is_void(name) {
            return;
        }
        for node in &element.children {
            node.push_html(html);
        }
        html.push_str(&format!("</{name}>"));
    }
}

/// Returns whether a string can be the name of an element. This excludes text such as `1 < 2`.
fn is_name(name: &str) -> bool {
    let begins = |c: char| c.is_alphabetic() || c == '_' || c == ':';
    name.starts_with(begins) && !name.contains(['<', '&', '"', '\''])
}

/// Returns whether an HTML element never has an end tag.
fn is_void(name: &str) -> bool {
    let names = [
        "area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
        "wbr",
    ];
    names.contains(&name)
}

/// Parses a document, and returns its root element.
pub fn parse(text: &str, faults: &mut Faults) -> Option<Element> {
    let mut tree = Tree::new(text);
    tree.read(faults);
    let mut root = tree.finish(faults)?;
    if text.contains("xml:base") {
        resolve_references(&mut root, None);
    }
    Some(root)
}

/// Names of elements whose content can have relative references. Such elements keep an `xml:base`
/// attribute with the resolved base, so that the references can be resolved later.
const REFERENCE_ELEMENTS: [&str; 12] = [
    "channel", "content", "content:encoded", "description", "enclosure", "entry", "item", "link",
    "subtitle", "summary", "tagline", "info",
];

/// Resolves the references in an element's attributes against its base. Child elements inherit the
/// base (XML Base, section 4).
fn resolve_references(element: &mut Element, outer: Option<&url::Url>) {
    let own = element.attribute("xml:base");
    let own = own.and_then(|own| match outer {
        Some(outer) => outer.join(own).ok(),
        None => url::Url::parse(own).ok(),
    });
    let base = own.as_ref().or(outer);
    if let Some(base) = base {
        element.attributes.retain(|(name, _)| name != "xml:base");
        let name = element.name.strip_prefix("atom:").unwrap_or(&element.name);
        if REFERENCE_ELEMENTS.contains(&name) {
            let base = base.to_string();
            element.attributes.push(("xml:base".to_owned(), base));
        }
        for name in ["href", "url"] {
            let value = element.attributes.iter_mut().find(|(own, _)| own == name);
            if let Some((_, value)) = value
                && let Ok(whole) = base.join(value.trim())
            {
                *value = whole.to_string();
            }
        }
    }
    for child in &mut element.children {
        if let Node::Element(child) = child {
            resolve_references(child, base);
        }
    }
}

struct Tree<'t> {
    text: &'t str,
    /// The byte up to which lines have been counted, and the line of that byte.
    counted: (usize, usize),
    open: Vec<Open>,
    root: Option<Element>,
    /// Number of times that parsing stopped at an error.
    stops: usize,
    /// Names and replacement texts of the entities that the document type declares.
    entities: Vec<(String, String)>,
}

struct Open {
    element: Element,
    /// Name of the element, as written in the document.
    raw_name: String,
    /// Namespace prefixes that are valid inside the element, and the addresses of their namespaces.
    scope: Arc<Vec<(String, String)>>,
}

impl<'t> Tree<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, counted: (0, 1), open: Vec::new(), root: None, stops: 0, entities: Vec::new() }
    }

    /// Returns the line that contains a byte. Callers must pass the positions of bytes in ascending
    /// order.
    fn line(&mut self, at: usize) -> usize {
        let (from, line) = self.counted;
        if at > from {
            let bytes = &self.text.as_bytes()[from..at.min(self.text.len())];
            self.counted = (at, line + memchr::memchr_iter(b'\n', bytes).count());
        }
        self.counted.1
    }

    fn read(&mut self, faults: &mut Faults) {
        let mut start = 0;
        // The parser stops at text that is not XML. Parsing then continues after that text.
        while start < self.text.len() {
            let Err((at, why)) = self.read_from(start, faults) else {
                return;
            };
            let line = self.line(at);
            self.stops += 1;
            if self.stops > MAX_UNCLOSED_TAGS && why != NO_TAG {
                let message =
                    "too many XML errors; the rest of the document was not read".to_owned();
                return faults.push(Fault { line, message });
            }
            let message = why;
            faults.push(Fault { line, message });
            let sign = self.text[at..].chars().next();
            if let Some(sign) = sign {
                self.push_text(&sign.to_string());
            }
            start = at + sign.map_or(1, char::len_utf8);
        }
    }

    fn read_from(&mut self, start: usize, faults: &mut Faults) -> Result<(), (usize, String)> {
        let mut reader = Reader::from_str(&self.text[start..]);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        loop {
            let at =
                start + usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX - start);
            let event = reader.read_event().map_err(|error| {
                let at = self.text.floor_char_boundary(at);
                (at, error.to_string())
            })?;
            match event {
                Event::Eof => return Ok(()),
                Event::Start(tag) | Event::Empty(tag) if !is_name(tag.name().as_ref()) => {
                    return Err((at, NO_TAG.to_owned()));
                }
                Event::Start(tag) => self.start(&tag, at, false, faults),
                Event::Empty(tag) => self.start(&tag, at, true, faults),
                Event::End(tag) => {
                    let name = tag.name().as_ref().trim().to_owned();
                    self.end(&name, at, faults);
                }
                Event::Text(text) => self.push_text(&text),
                Event::CData(text) => self.push_text(&text),
                Event::GeneralRef(name) => {
                    let declared = self.entities.iter().find(|(known, _)| *known == *name);
                    let declared = declared.map(|(_, text)| Cow::Owned(text.clone()));
                    let text = declared.or_else(|| resolve_entity(&name));
                    if text.is_none() {
                        let line = self.line(at);
                        let message =
                            format!("&{}; is an unknown entity; it was kept unchanged", &*name);
                        faults.push(Fault { line, message });
                    }
                    self.push_text(&text.unwrap_or_else(|| Cow::Owned(format!("&{};", &*name))));
                }
                Event::DocType(declarations) => self.entities = declared(&declarations),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            }
        }
    }

    fn push_text(&mut self, text: &str) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        match open.element.children.last_mut() {
            Some(Node::Text(before)) => before.push_str(text),
            _ => open.element.children.push(Node::Text(text.to_owned())),
        }
    }
}

impl Tree<'_> {
    fn start(&mut self, tag: &BytesStart<'_>, at: usize, is_empty: bool, faults: &mut Faults) {
        let line = self.line(at);
        let raw_name = tag.name().as_ref().to_owned();
        let mut attributes = Vec::new();
        let mut declared: Vec<(String, String)> = Vec::new();
        for attribute in tag.html_attributes().with_checks(false) {
            let Ok(attribute) = attribute else {
                let message = format!("<{raw_name}> has invalid attributes");
                faults.push(Fault { line, message });
                break;
            };
            let key: &str = attribute.key.as_ref();
            let value = unescape(&attribute.value);
            match key.strip_prefix("xmlns") {
                Some("") => declared.push((String::new(), value)),
                Some(prefix) if prefix.starts_with(':') => {
                    declared.push((prefix[1..].to_owned(), value))
                }
                _ => attributes.push((key.to_owned(), value)),
            }
        }
        let outer = self.open.last().map(|open| Arc::clone(&open.scope));
        let scope = match outer {
            Some(outer) if declared.is_empty() => outer,
            outer => {
                let outer = outer.iter().flat_map(|outer| outer.iter().cloned());
                Arc::new(outer.chain(declared).collect())
            }
        };
        let name = qualified_name(&raw_name, &scope);
        let element = Element { name, attributes, children: Vec::new(), line };
        if is_empty {
            self.close(element);
        } else if self.open.len() < MAX_DEPTH {
            self.open.push(Open { element, raw_name, scope });
        }
    }

    /// Closes the innermost open element with this name, and all elements inside it. If there is no
    /// such element, closes nothing.
    fn end(&mut self, raw_name: &str, at: usize, faults: &mut Faults) {
        let Some(depth) = self.open.iter().rposition(|open| open.raw_name == raw_name) else {
            let line = self.line(at);
            let message = format!("</{raw_name}> has no start tag");
            return faults.push(Fault { line, message });
        };
        while self.open.len() > depth {
            let Some(open) = self.open.pop() else { return };
            if self.open.len() > depth {
                let line = self.line(at);
                let message = format!("<{}> has no end tag before </{raw_name}>", open.raw_name);
                faults.push(Fault { line, message });
            }
            self.close(open.element);
        }
    }

    fn close(&mut self, element: Element) {
        match self.open.last_mut() {
            Some(open) => open.element.children.push(Node::Element(element)),
            None if self.root.is_none() => self.root = Some(element),
            None => {}
        }
    }

    fn finish(mut self, faults: &mut Faults) -> Option<Element> {
        if let Some(open) = self.open.last() {
            let message = format!("the document is incomplete: it ends inside <{}>", open.raw_name);
            let line = self.line(self.text.len());
            faults.push(Fault { line, message });
        }
        while let Some(open) = self.open.pop() {
            self.close(open.element);
        }
        self.root
    }
}

/// Returns the name of an element, with the usual prefix of its namespace.
fn qualified_name(raw_name: &str, scope: &[(String, String)]) -> String {
    let (prefix, local) = raw_name.split_once(':').unwrap_or(("", raw_name));
    let declared = scope.iter().rev().find(|(key, _)| key == prefix);
    let known = declared.and_then(|(_, address)| known(address));
    // Even an undeclared prefix shows which namespace is meant.
    match known.unwrap_or(prefix) {
        "" => local.to_owned(),
        prefix => format!("{prefix}:{local}"),
    }
}
