//! HTML as a list of tags and texts, each closed as a browser would close it.

use std::fmt::Write;
use std::rc::Rc;

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, local_name, ns, parse_fragment};
use markup5ever_rcdom::{Node, NodeData, RcDom};

/// A piece of HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    Start(Tag),
    /// With the name of its element.
    End(String),
    /// Without entities.
    Text(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tag {
    pub name: String,
    /// In the order that they are written in.
    pub attributes: Vec<(String, String)>,
}

impl Token {
    pub fn start(name: &str) -> Self {
        Self::Start(Tag::new(name))
    }

    pub fn end(name: &str) -> Self {
        Self::End(name.to_owned())
    }

    /// Whether it starts an element of this name.
    pub fn is_start(&self, name: &str) -> bool {
        self.is_start_of(|own| own == name)
    }

    pub fn is_start_of(&self, is_name: impl FnOnce(&str) -> bool) -> bool {
        matches!(self, Self::Start(tag) if is_name(&tag.name))
    }

    /// Whether it ends an element of this name.
    pub fn is_end(&self, name: &str) -> bool {
        matches!(self, Self::End(own) if own == name)
    }

    /// Whether it is a text of white space alone.
    pub fn is_blank(&self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }
}

impl Tag {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), attributes: Vec::new() }
    }

    /// A tag with one attribute.
    pub fn with(name: &str, attribute: &str, value: &str) -> Self {
        let attributes = vec![(attribute.to_owned(), value.to_owned())];
        Self { name: name.to_owned(), attributes }
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The comment `<!--more-->`; the text after it appears only on the text's own page.
pub const MORE: &str = "feedwright-more";

/// Elements without content.
pub fn is_void(name: &str) -> bool {
    const VOID: [&str; 14] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr", MORE,
    ];
    VOID.contains(&name)
}

/// Elements that stand by themselves, and not within a line.
pub fn is_block(name: &str) -> bool {
    const BLOCKS: [&str; 43] = [
        "address", "article", "aside", "blockquote", "body", "caption", "center", "col",
        "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption",
        "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "iframe",
        "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "th",
        "ul",
    ];
    BLOCKS.contains(&name)
        || matches!(name, "tr" | "thead" | "tfoot" | "style" | "noscript" | "picture-box" | MORE)
}

/// Whether a list of words, separated by spaces, has a word.
pub fn is_among(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|own| own == word)
}

/// Elements whose text is no HTML.
fn is_raw(name: &str) -> bool {
    is_among("style script xmp noembed noframes plaintext iframe noscript", name)
}

/// Reads what stands in a body.
pub fn read(html: &str) -> Vec<Token> {
    let context = html5ever::QualName::new(None, ns!(html), local_name!("body"));
    let parser = parse_fragment(RcDom::default(), ParseOpts::default(), context, Vec::new(), false);
    let dom = parser.one(html);
    let mut tokens = Vec::new();
    // The document holds one element, which holds what was read.
    let roots = dom.document.children.borrow();
    for root in roots.iter() {
        walk(root, &mut tokens);
    }
    tokens
}

/// What is to be done with a node: its children are looked at before it ends.
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
                    tokens.push(Token::start(MORE));
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

/// Adds a text to the one before it.
pub fn push_text(tokens: &mut Vec<Token>, text: &str) {
    match tokens.last_mut() {
        Some(Token::Text(before)) => before.push_str(text),
        _ => tokens.push(Token::Text(text.to_owned())),
    }
}

/// Attributes that say all by being there.
const FLAGS: &str =
    "allowfullscreen autoplay checked controls disabled hidden loop muted open playsinline";

/// Writes tokens as HTML.
pub fn html(tokens: &[Token]) -> String {
    let mut out = String::new();
    let mut raw = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Start(tag) if tag.name == MORE => out.push_str("<!--more-->"),
            Token::Start(tag) => {
                out.push('<');
                out.push_str(&tag.name);
                for (name, value) in &tag.attributes {
                    if value.is_empty() && is_among(FLAGS, name) {
                        let _ = write!(out, " {name}");
                        continue;
                    }
                    // Writing to a text does not fail.
                    let _ = write!(out, " {name}=\"{}\"", attribute(value));
                }
                out.push('>');
                // A parser drops the first line break.
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
            Token::Text(text) => out.push_str(&escaped(text)),
        }
    }
    out
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\u{a0}', "&nbsp;")
}

fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('\n', "&#10;")
}
