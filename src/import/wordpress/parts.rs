//! Splits a post of the block editor: comments that start and end blocks, and the text between
//! these comments.

use serde_json::Value;

/// A part of a post.
#[derive(Debug)]
pub enum Part<'t> {
    Text(&'t str),
    Start(&'t str, Value),
    End,
    /// A block without contents.
    Alone(&'t str, Value),
}

/// Splits a post into its parts.
pub fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = memchr::memmem::find(&text.as_bytes()[at..], b"<!--") {
        let start = at + found;
        let Some(length) = text[start..].find("-->") else {
            break;
        };
        at = start + length + 3;
        let Some(part) = part(text[start + 4..start + length].trim()) else {
            continue;
        };
        if from < start {
            parts.push(Part::Text(&text[from..start]));
        }
        parts.push(part);
        from = at;
    }
    parts.push(Part::Text(&text[from..]));
    parts
}

/// Parses a comment. Returns `None` for a comment that does not come from the block editor.
fn part(comment: &str) -> Option<Part<'_>> {
    if comment.starts_with("/wp:") {
        return Some(Part::End);
    }
    let rest = comment.strip_prefix("wp:")?;
    let (rest, is_alone) = rest.strip_suffix('/').map_or((rest, false), |rest| (rest, true));
    let (name, values) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
    let name = name.strip_prefix("core/").unwrap_or(name);
    let values = serde_json::from_str(values).unwrap_or_default();
    Some(match is_alone {
        true => Part::Alone(name, values),
        false => Part::Start(name, values),
    })
}
