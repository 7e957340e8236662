//! Reading of HTML that authors write: its text and anchors, its references ([`rewrite`]), its
//! addresses ([`rewrite_addresses`]) and its headings ([`headed`]).

mod addresses;
mod blocks;
mod headings;
mod images;
mod markup;
mod published;
mod references;

use model::push_attribute;
use std::collections::HashSet;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};

pub use addresses::rewrite_addresses;
pub use blocks::{Block, blocks, is_not_paragraph_text};
pub use headings::{Headed, headed};
pub use images::{ImageTag, replace_images};
pub use markup::{MarkupFault, markup_faults};
pub use published::{Address, PageAddresses, page_addresses};
pub use references::{Role, references, replaced, rewrite};

/// Returns the visible text of HTML, with one line for each block.
pub fn text(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    if !html.contains(['<', '&', '\0']) {
        push_collapsed(&mut out, html);
        out.truncate(out.trim_end().len());
        return out;
    }
    let mut hidden = 0_usize;
    for token in tokens(html) {
        match token {
            Token::StartTag(tag) if is_hidden(&tag.name) => {
                hidden += usize::from(!tag.self_closing)
            }
            Token::EndTag(tag) if is_hidden(&tag.name) => hidden = hidden.saturating_sub(1),
            Token::StartTag(tag) if *tag.name == *b"br" || is_block(&tag.name) => {
                new_line(&mut out)
            }
            Token::EndTag(tag) if is_block(&tag.name) => new_line(&mut out),
            Token::String(text) if hidden == 0 => {
                push_collapsed(&mut out, &String::from_utf8_lossy(&text.value))
            }
            _ => {}
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Returns whether HTML shows anything: text, or an element that is visible without text.
pub fn shows_something(html: &str) -> bool {
    /// Elements that are invisible without text. Editors write such elements for an empty
    /// paragraph.
    const INVISIBLE_WHEN_EMPTY: [&[u8]; 12] = [
        b"a", b"b", b"br", b"div", b"em", b"font", b"i", b"p", b"section", b"span", b"strong", b"u",
    ];
    !text(html).trim().is_empty()
        || start_tags(html).any(|tag| !INVISIBLE_WHEN_EMPTY.contains(&tag.name.as_slice()))
}

/// Returns the anchors in HTML: ids, and the `name` attributes of links.
pub fn anchors(html: &str) -> HashSet<String> {
    let mut anchors = HashSet::new();
    for tag in start_tags(html) {
        let is_link = *tag.name == *b"a";
        for (name, value) in &tag.attributes {
            if **name == *b"id" || (is_link && **name == *b"name") {
                anchors.insert(String::from_utf8_lossy(&value.value).into_owned());
            }
        }
    }
    anchors
}

/// Appends a string with its whitespace collapsed.
pub fn push_collapsed(out: &mut String, text: &str) {
    for part in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
        let word = part.trim_end_matches(|c: char| c.is_ascii_whitespace());
        out.push_str(word);
        if word.len() < part.len() && !out.is_empty() && !out.ends_with([' ', '\n']) {
            out.push(' ');
        }
    }
}

/// Ends the current line, unless it is empty.
pub fn new_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

fn tokens(html: &str) -> impl Iterator<Item = Token<usize>> {
    let mut emitter = DefaultEmitter::new_with_span();
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(html, emitter).map(|token| match token {
        Ok(token) => token,
        Err(never) => match never {},
    })
}

pub(super) fn start_tags(html: &str) -> impl Iterator<Item = StartTag<usize>> {
    tokens(html).filter_map(|token| match token {
        Token::StartTag(tag) => Some(tag),
        _ => None,
    })
}

/// Copies HTML from byte `copied` up to the end of the last attribute value in `found`, and
/// replaces each value. Returns the offset of that end.
fn replace(
    out: &mut String,
    html: &str,
    mut copied: usize,
    mut found: Vec<(usize, usize, String)>,
) -> usize {
    found.sort();
    for (start, end, new) in found {
        out.push_str(&html[copied..start]);
        out.push('"');
        push_attribute(out, &new);
        out.push('"');
        copied = end;
    }
    copied
}

/// Returns the addresses of a `srcset`, each with its byte offset (HTML Living Standard, section
/// 4.8.4.2.2).
fn srcset_candidates(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        let rest = text[at..].trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        at = text.len() - rest.len();
        if rest.is_empty() {
            return found;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace());
        let end = end.unwrap_or(rest.len());
        let address = rest[..end].trim_end_matches(',');
        found.push((at, address));
        at += end;
        if address.len() == end {
            // Skips the candidate's descriptors.
            at += text[at..].find(',').unwrap_or(text.len() - at);
        }
    }
}

/// Replaces each address of a `srcset` with the result of `resolve`. Returns `None` if no address
/// changes.
pub fn rewrite_srcset(
    text: &str,
    mut resolve: impl FnMut(&str) -> Option<String>,
) -> Option<String> {
    let mut changed = false;
    let candidates: Vec<String> = text
        .split(", ")
        .map(|candidate| {
            let candidate = candidate.trim();
            let (reference, rest) =
                candidate.split_at(candidate.find(char::is_whitespace).unwrap_or(candidate.len()));
            match resolve(reference) {
                Some(new) => {
                    changed = true;
                    format!("{new}{rest}")
                }
                None => candidate.to_owned(),
            }
        })
        .collect();
    changed.then(|| candidates.join(", "))
}

fn is_hidden(name: &[u8]) -> bool {
    matches!(name, b"script" | b"style" | b"template" | b"noscript" | b"svg" | b"iframe")
}

fn is_block(name: &[u8]) -> bool {
    matches!(
        name,
        b"address"
            | b"article"
            | b"aside"
            | b"blockquote"
            | b"dd"
            | b"details"
            | b"div"
            | b"dl"
            | b"dt"
            | b"figcaption"
            | b"figure"
            | b"footer"
            | b"form"
            | b"h1"
            | b"h2"
            | b"h3"
            | b"h4"
            | b"h5"
            | b"h6"
            | b"header"
            | b"hr"
            | b"li"
            | b"main"
            | b"nav"
            | b"ol"
            | b"p"
            | b"pre"
            | b"section"
            | b"summary"
            | b"table"
            | b"td"
            | b"th"
            | b"tr"
            | b"ul"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_contains_only_visible_text() {
        let html = "<h1>A &amp; B</h1><p>one\n two <b>three</b>.</p><script>x()</script><ul><li>x</li><li>y</li></ul>a<br>b";
        assert_eq!(text(html), "A & B\none two three.\nx\ny\na\nb");
    }
}
