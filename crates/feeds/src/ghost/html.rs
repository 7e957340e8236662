//! Cleans up the HTML that Ghost renders for cards. Keeps the text and media, but not the elements
//! for Ghost's scripts and styles.

use std::fmt::Write;

use html5gum::{StartTag, Token, Tokenizer};

use crate::json_value::escape_html;

/// How to convert an HTML element.
enum TagAction {
    /// Remove the element and its content.
    Leave,
    /// Remove the element, but keep its content.
    Open,
    /// Replace the element with another element.
    Become(&'static str),
    /// Turn the content of the element into a link to the target of the card.
    Lead,
    /// Remove the element, which links the whole card to a target, but keep its content. The title
    /// of the card becomes the link instead.
    Card,
    Keep,
}

fn tag_action(tag: &StartTag<()>, is_opened: bool) -> TagAction {
    let class = tag.attributes.get(&b"class"[..]);
    let class = class.map(|class| String::from_utf8_lossy(&class.value).into_owned());
    let classes: Vec<&str> = class.as_deref().unwrap_or_default().split(' ').collect();
    for class in &classes {
        match *class {
            "kg-audio-thumbnail"
            | "kg-audio-player"
            | "kg-video-overlay"
            | "kg-video-player-container"
            | "kg-video-player"
            | "kg-toggle-card-icon"
            | "kg-bookmark-icon"
            | "kg-bookmark-thumbnail"
            | "kg-file-card-icon"
            | "kg-file-card-filesize"
            | "kg-product-card-rating-star"
            | "kg-signup-card-form"
            | "kg-signup-card-button"
            | "kg-header-card-form" => return TagAction::Leave,
            "kg-toggle-card" => return TagAction::Become("details"),
            "kg-toggle-heading-text" => return TagAction::Become("summary"),
            "kg-callout-card" => return TagAction::Become("blockquote"),
            "kg-bookmark-title" | "kg-file-card-title" => return TagAction::Lead,
            "kg-bookmark-container" | "kg-file-card-container" => return TagAction::Card,
            "kg-bookmark-description"
            | "kg-bookmark-author"
            | "kg-bookmark-publisher"
            | "kg-file-card-caption"
            | "kg-file-card-filename"
            | "kg-audio-title"
            | "kg-product-card-description"
            | "kg-gallery-image"
            | "kg-callout-emoji"
            | "kg-callout-text"
            | "kg-signup-card-disclaimer" => {
                return TagAction::Become("p");
            }
            "kg-bookmark-card" | "kg-gallery-card" | "kg-toggle-heading" | "kg-toggle-content" => {
                return TagAction::Open;
            }
            _ => {}
        }
    }
    // A caption whose figure was removed becomes a paragraph.
    match is_opened && *tag.name == *b"figcaption" {
        true => TagAction::Become("p"),
        false => TagAction::Keep,
    }
}

/// Removes the parts that Ghost shows only to members. Returns the remaining HTML and the number of
/// removed parts.
///
/// Ghost marks these parts with comments:
/// `<!--kg-gated-block:begin nonMember:false memberSegment:"…" -->` before a part, and
/// `<!--members-only-->` before the rest of the content.
pub fn remove_member_parts(html: &str) -> (String, usize) {
    const GATED_BEGIN: &str = "<!--kg-gated-block:begin";
    const GATED_END: &str = "<!--kg-gated-block:end-->";
    let (html, rest) = match html.split_once("<!--members-only-->") {
        Some((html, _)) => (html, 1),
        None => (html, 0),
    };
    let (mut out, mut gated) = (String::with_capacity(html.len()), rest);
    let mut parts = html.split(GATED_BEGIN);
    out += parts.next().unwrap_or_default();
    for part in parts {
        let (rule, inner) = part.split_once("-->").unwrap_or((part, ""));
        let (inner, after) = inner.split_once(GATED_END).unwrap_or((inner, ""));
        // Only the start is compared, because the name of the segment that follows can be any text.
        if rule.trim_start().starts_with("nonMember:true") {
            out += inner;
        } else {
            gated += 1;
        }
        out += after;
    }
    (out, gated)
}

/// Removes everything that only Ghost's scripts and styles use.
pub fn clean_html(html: &str) -> String {
    if !html.contains("kg-") {
        return html.to_owned();
    }
    let mut out = String::with_capacity(html.len());
    // For each open element, its name and the text to write at its end.
    let mut open: Vec<(Vec<u8>, String)> = Vec::new();
    let (mut skipped, mut lead) = (0_usize, String::new());
    for token in Tokenizer::new(html).flatten() {
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                let is_void = tag.self_closing || VOID.contains(&&*name);
                if skipped > 0 {
                    skipped += usize::from(!is_void);
                    continue;
                }
                let figure = open.iter().rfind(|(name, _)| **name == *b"figure");
                let is_opened = figure.is_some_and(|(_, end)| end.is_empty());
                let end = start(&tag, &name, is_opened, &mut lead, &mut out);
                match end {
                    None => skipped += usize::from(!is_void),
                    Some(end) if !is_void => open.push((tag.name.0.clone(), end)),
                    Some(_) => {}
                }
            }
            Token::EndTag(_) if skipped > 0 => skipped -= 1,
            Token::EndTag(tag) => {
                // An element that is never closed ends with its parent element.
                if let Some(at) = open.iter().rposition(|(name, _)| *name == tag.name.0) {
                    open.drain(at..).rev().for_each(|(_, end)| out += &end);
                }
            }
            Token::String(text) if skipped == 0 => {
                let text = String::from_utf8_lossy(&text.value).into_owned();
                let is_raw =
                    open.last().is_some_and(|(name, _)| matches!(&**name, b"script" | b"style"));
                out += &if is_raw { text } else { escape_html(&text) };
            }
            _ => {}
        }
    }
    open.iter().rev().for_each(|(_, end)| out += end);
    out
}

const VOID: [&str; 9] = ["br", "col", "embed", "hr", "img", "input", "source", "track", "wbr"];

/// Writes a start tag. Returns the text to write at the end of the element, or None if the element
/// and its content are removed.
fn start(
    tag: &StartTag<()>,
    name: &str,
    is_opened: bool,
    lead: &mut String,
    out: &mut String,
) -> Option<String> {
    let value = |key: &[u8]| {
        let value = tag.attributes.get(key)?;
        Some(String::from_utf8_lossy(&value.value).into_owned())
    };
    Some(match tag_action(tag, is_opened) {
        TagAction::Leave => return None,
        TagAction::Open => String::new(),
        TagAction::Become(name) => {
            // Attributes are dropped. The content may contain blocks, which implicitly end a
            // paragraph.
            *out += &format!("<{name}>");
            format!("</{name}>")
        }
        TagAction::Card => {
            *lead = value(b"href").unwrap_or_default();
            String::new()
        }
        TagAction::Lead => {
            *out += &format!("<p><a href=\"{}\">", escape_html(lead));
            "</a></p>".to_owned()
        }
        TagAction::Keep => {
            *out += &format!("<{name}");
            for (key, value) in &tag.attributes {
                let (key, value) =
                    (String::from_utf8_lossy(key), String::from_utf8_lossy(&value.value));
                let _ = write!(out, " {key}=\"{}\"", escape_html(&value));
            }
            if matches!(name, "audio" | "video") && value(b"controls").is_none() {
                *out += " controls";
            }
            *out += ">";
            format!("</{name}>")
        }
    })
}
