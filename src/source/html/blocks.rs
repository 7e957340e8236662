//! The blocks of HTML from which excerpts are made.

use html5gum::{StartTag, Token};

use super::{is_block, is_hidden, push_collapsed, tokens};

/// A block of HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// The text of a paragraph, or of a block without paragraphs.
    Paragraph(String),
    /// The text of a list item.
    Item(String),
    Comment(String),
}

/// Returns the paragraphs, list items and comments of HTML, in order. Headings, code, tables,
/// captions and footnotes are left out.
pub fn blocks(html: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut text = String::new();
    // The open elements whose text is left out.
    let mut left_out: Vec<Vec<u8>> = Vec::new();
    let mut lists = 0_usize;
    let close = |text: &mut String, is_item: bool, found: &mut Vec<Block>| {
        let text = std::mem::take(text);
        let text = text.trim().to_owned();
        if !text.is_empty() {
            found.push(if is_item { Block::Item(text) } else { Block::Paragraph(text) });
        }
    };
    for token in tokens(html) {
        match token {
            Token::StartTag(tag) => {
                if is_block(&tag.name) {
                    close(&mut text, lists > 0, &mut found);
                } else if *tag.name == *b"br" && left_out.is_empty() {
                    text.push(' ');
                }
                if !tag.self_closing && (is_omitted(&tag) || left_out.last() == Some(&tag.name)) {
                    left_out.push(tag.name.to_vec());
                }
                lists += usize::from(is_list(&tag.name));
            }
            Token::EndTag(tag) => {
                if is_block(&tag.name) {
                    close(&mut text, lists > 0, &mut found);
                }
                if left_out.last().is_some_and(|open| **open == **tag.name) {
                    left_out.pop();
                }
                lists = lists.saturating_sub(usize::from(is_list(&tag.name)));
            }
            Token::String(part) if left_out.is_empty() => {
                push_collapsed(&mut text, &String::from_utf8_lossy(&part.value));
            }
            Token::Comment(comment) => {
                close(&mut text, lists > 0, &mut found);
                let comment = String::from_utf8_lossy(&comment.value).into_owned();
                found.push(Block::Comment(comment));
            }
            _ => {}
        }
    }
    close(&mut text, lists > 0, &mut found);
    found
}

fn is_list(name: &[u8]) -> bool {
    matches!(name, b"ul" | b"ol" | b"dl")
}

/// Returns whether the text of an element is left out of the paragraphs.
fn is_omitted(tag: &StartTag<usize>) -> bool {
    let is_footnote = tag.attributes.iter().any(|(name, value)| {
        let value = String::from_utf8_lossy(&value.value);
        match name.as_slice() {
            b"class" => value.split_whitespace().any(|class| class.starts_with("footnote")),
            b"role" => matches!(&*value, "doc-endnotes" | "doc-noteref" | "doc-footnote"),
            _ => false,
        }
    });
    is_footnote || is_not_paragraph_text(&tag.name) || is_hidden(&tag.name)
}

/// Returns whether elements with this name contain headings, code, captions, controls or fallback
/// content.
pub fn is_not_paragraph_text(name: &[u8]) -> bool {
    matches!(
        name,
        b"h1"
            | b"h2"
            | b"h3"
            | b"h4"
            | b"h5"
            | b"h6"
            | b"pre"
            | b"table"
            | b"figure"
            | b"figcaption"
            | b"caption"
            | b"nav"
            | b"form"
            | b"button"
            | b"dt"
            | b"audio"
            | b"video"
            | b"object"
            | b"rp"
            | b"rt"
            | b"noscript"
            | b"template"
            | b"canvas"
            | b"svg"
            | b"select"
            | b"textarea"
            | b"iframe"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paragraphs_and_list_items_are_blocks() {
        let html = "<h1>Head</h1><p>One <b>two</b><sup class=\"footnote-reference\"><a>1</a></sup>.</p>\
            <pre><code>x</code></pre><table><tr><td>t</td></tr></table><figure><img alt=a><figcaption>c</figcaption></figure>\
            <!--more--><ul><li>a<li>b</ul>Alone<section class=footnotes><p>note</p></section>";
        let paragraph = |text: &str| Block::Paragraph(text.to_owned());
        let item = |text: &str| Block::Item(text.to_owned());
        assert_eq!(
            blocks(html),
            [
                paragraph("One two."),
                Block::Comment("more".to_owned()),
                item("a"),
                item("b"),
                paragraph("Alone"),
            ]
        );
    }
}
