//! Converts HTML to a list of tags and text, and back. Elements are closed where a browser would
//! close them.

use std::fmt::Write;
use std::rc::Rc;

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, local_name, ns, parse_fragment};
use markup5ever_rcdom::{Node, NodeData, RcDom};

/// A tag, or the text between two tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    Start(Tag),
    /// An end tag, with the name of the element.
    End(String),
    /// Text with decoded entities.
    Text(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tag {
    pub name: String,
    /// Attributes in source order.
    pub attributes: Vec<(String, String)>,
}

impl Token {
    pub fn start(name: &str) -> Self {
        Self::Start(Tag::new(name))
    }

    pub fn end(name: &str) -> Self {
        Self::End(name.to_owned())
    }

    /// Returns whether the token starts an element with this name.
    pub fn is_start(&self, name: &str) -> bool {
        self.is_start_of(|own| own == name)
    }

    pub fn is_start_of(&self, is_name: impl FnOnce(&str) -> bool) -> bool {
        matches!(self, Self::Start(tag) if is_name(&tag.name))
    }

    /// Returns whether the token ends an element with this name.
    pub fn is_end(&self, name: &str) -> bool {
        matches!(self, Self::End(own) if own == name)
    }

    /// Returns whether the token is text that contains only whitespace.
    pub fn is_blank(&self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }
}

impl Tag {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), attributes: Vec::new() }
    }

    /// Returns a tag with one attribute.
    pub fn with(name: &str, attribute: &str, value: &str) -> Self {
        let attributes = vec![(attribute.to_owned(), value.to_owned())];
        Self { name: name.to_owned(), attributes }
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Name of the element that replaces the comment `<!--more-->`. Lists of posts show only the text
/// before this comment.
pub const MORE_ELEMENT: &str = "feedwright-more";

/// Returns whether an element has no content and no end tag.
pub fn is_void(name: &str) -> bool {
    const VOID: [&str; 14] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr", MORE_ELEMENT,
    ];
    VOID.contains(&name)
}

/// Returns whether an element is a block element, as opposed to an inline element.
pub fn is_block(name: &str) -> bool {
    const BLOCKS: [&str; 43] = [
        "address", "article", "aside", "blockquote", "body", "caption", "center", "col",
        "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption",
        "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "iframe",
        "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "th",
        "ul",
    ];
    BLOCKS.contains(&name)
        || matches!(
            name,
            "tr" | "thead" | "tfoot" | "style" | "noscript" | "picture-box" | MORE_ELEMENT
        )
}

/// Returns whether `words`, a list separated by spaces, contains a word.
pub fn contains_word(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|own| own == word)
}

/// Returns whether an element contains raw text, which is not parsed as HTML.
fn is_raw(name: &str) -> bool {
    contains_word("style script xmp noembed noframes plaintext iframe noscript", name)
}

/// Parses the content of a `body` element.
pub fn read(html: &str) -> Vec<Token> {
    let context = html5ever::QualName::new(None, ns!(html), local_name!("body"));
    let parser = parse_fragment(RcDom::default(), ParseOpts::default(), context, Vec::new(), false);
    let dom = parser.one(html);
    let mut tokens = Vec::new();
    // The document contains a single root element, which contains the parsed nodes.
    let roots = dom.document.children.borrow();
    for root in roots.iter() {
        walk(root, &mut tokens);
    }
    tokens
}

/// A step in traversing the tree: enter a node, or leave an element after its children.
enum Step {
    Enter(Rc<Node>),
    Leave(String),
}

fn walk(root: &Rc<Node>, tokens: &mut Vec<Token>) {
    let children = |node: &Rc<Node>, steps: &mut Vec<Step>| {
        let children = node.children.borrow();
        steps.extend(children.iter().rev().cloned().map(Step::Enter));
    };
    let mut steps = Vec::new();
    children(root, &mut steps);
    while let Some(step) = steps.pop() {
        let node = match step {
            Step::Enter(node) => node,
            Step::Leave(name) => {
                tokens.push(Token::End(name));
                continue;
            }
        };
        match &node.data {
            NodeData::Text { contents } => push_text(tokens, &contents.borrow()),
            NodeData::Comment { contents } => {
                let said = contents.trim();
                if said == "more" || said.starts_with("more ") {
                    tokens.push(Token::start(MORE_ELEMENT));
                }
            }
            NodeData::Element { name, attrs, .. } => {
                let name = name.local.to_string();
                let attrs = attrs.borrow();
                let attributes = attrs.iter().map(|one| {
                    let prefix = one.name.prefix.as_ref();
                    let local = &one.name.local;
                    let name = prefix
                        .map_or_else(|| local.to_string(), |prefix| format!("{prefix}:{local}"));
                    (name, one.value.to_string())
                });
                tokens.push(Token::Start(Tag {
                    name: name.clone(),
                    attributes: attributes.collect(),
                }));
                if !is_void(&name) {
                    steps.push(Step::Leave(name));
                    children(&node, &mut steps);
                }
            }
            _ => {}
        }
    }
}

/// Appends text. If the last token is text too, extends that token.
pub fn push_text(tokens: &mut Vec<Token>, text: &str) {
    match tokens.last_mut() {
        Some(Token::Text(before)) => before.push_str(text),
        _ => tokens.push(Token::Text(text.to_owned())),
    }
}

/// Boolean attributes, which are written without a value.
const BOOLEAN_ATTRIBUTES: &str =
    "allowfullscreen autoplay checked controls disabled hidden loop muted open playsinline";

/// Writes tokens as HTML.
pub fn html(tokens: &[Token]) -> String {
    let mut out = String::new();
    let mut raw = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Start(tag) if tag.name == MORE_ELEMENT => out.push_str("<!--more-->"),
            Token::Start(tag) => {
                out.push('<');
                out.push_str(&tag.name);
                for (name, value) in &tag.attributes {
                    if value.is_empty() && contains_word(BOOLEAN_ATTRIBUTES, name) {
                        let _ = write!(out, " {name}");
                        continue;
                    }
                    // Writing to a `String` cannot fail.
                    let _ = write!(out, " {name}=\"{}\"", attribute(value));
                }
                out.push('>');
                // An HTML parser drops a line break directly after this start tag, so it is
                // doubled.
                let begins_line =
                    matches!(tokens.get(at + 1), Some(Token::Text(text)) if text.starts_with('\n'));
                if begins_line && matches!(tag.name.as_str(), "pre" | "textarea" | "listing") {
                    out.push('\n');
                }
                raw += usize::from(is_raw(&tag.name));
            }
            Token::End(name) => {
                raw -= usize::from(is_raw(name));
                let _ = write!(out, "</{name}>");
            }
            Token::Text(text) if raw > 0 => out.push_str(text),
            Token::Text(text) => out.push_str(&escape_html(text)),
        }
    }
    out
}

pub fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\u{a0}', "&nbsp;")
}

fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('\n', "&#10;")
}
