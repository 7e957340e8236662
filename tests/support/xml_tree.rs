//! A document as a tree, read by a parser that is not ours, to compare what was written.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

/// An element.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    pub children: Vec<Element>,
    /// The text of the element itself.
    pub text: String,
}

impl Element {
    /// The elements of a name among the children.
    pub fn all<'e>(&'e self, name: &str) -> impl Iterator<Item = &'e Element> + use<'e> {
        let name = name.to_owned();
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The first child of a name.
    pub fn child(&self, name: &str) -> &Element {
        self.all(name).next().unwrap_or_else(|| panic!("<{}> has no <{name}>", self.name))
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// Parses a document, which has to be well-formed.
pub fn parse(text: &str) -> Element {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_comments = true;
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => open.push(element(&start)),
            Event::Empty(start) => open.last_mut().unwrap().children.push(element(&start)),
            Event::End(_) => {
                let done = open.pop().unwrap();
                open.last_mut().unwrap().children.push(done);
            }
            Event::Text(text) => {
                let text = text.xml10_content();
                open.last_mut().unwrap().text.push_str(&text);
            }
            Event::CData(text) => {
                let text = text.xml10_content();
                open.last_mut().unwrap().text.push_str(&text);
            }
            Event::GeneralRef(reference) => {
                let name = reference.xml10_content();
                let c = match (reference.resolve_char_ref().unwrap(), &*name) {
                    (Some(c), _) => c,
                    (None, "amp") => '&',
                    (None, "lt") => '<',
                    (None, "gt") => '>',
                    (None, "quot") => '"',
                    (None, "apos") => '\'',
                    (None, name) => panic!("unknown entity {name}"),
                };
                open.last_mut().unwrap().text.push(c);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(open.len(), 1, "an element is not closed");
    let mut root = open.remove(0);
    assert_eq!(root.children.len(), 1, "a document has one root");
    root.children.remove(0)
}

fn element(start: &BytesStart<'_>) -> Element {
    let attributes: Vec<(String, String)> = start
        .attributes()
        .map(|attribute| {
            let attribute = attribute.unwrap();
            let name = attribute.key.as_ref();
            let value = attribute.normalized_value(XmlVersion::Explicit1_0).unwrap();
            (name.to_owned(), value.into_owned())
        })
        .collect();
    Element {
        name: start.name().as_ref().to_owned(),
        attributes: attributes.into_iter().collect(),
        ..Element::default()
    }
}
