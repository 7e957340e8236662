//! Finds the pictures of a body that have no alternative text.

use std::ops::Range;
use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::model::Source;

/// The bytes of a content file at which pictures stand that say nothing to those who do not see them.
pub(crate) fn without_alternatives(source: Source<'_>) -> Vec<usize> {
    // Nearly all texts have no picture, and need not be parsed.
    let may_hold = source.text.contains("![") || source.text.contains("<img");
    let Some(front) = may_hold.then(|| source.front_matter().ok()).flatten() else {
        return Vec::new();
    };
    let body = &source.text[front.body..];
    let places = match source.path.extension().as_str() {
        "html" => in_html(body, 0..body.len()),
        _ => in_markdown(body),
    };
    places.into_iter().map(|at| front.body + at).collect()
}

fn in_markdown(body: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut picture: Option<(usize, bool)> = None;
    for (event, range) in Parser::new_ext(body, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            // A sound or a film shows its own name.
            Event::Start(Tag::Image { dest_url, .. }) => {
                picture = Some((range.start, plays(&dest_url)));
            }
            Event::End(TagEnd::Image) => {
                found.extend(picture.take().filter(|(_, said)| !said).map(|(at, _)| at));
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, said)) = &mut picture {
                    *said |= !text.trim().is_empty();
                }
            }
            Event::Html(_) | Event::InlineHtml(_) => found.extend(in_html(body, range)),
            _ => {}
        }
    }
    found
}

/// The `<img>` tags without `alt` in a part of a text. An empty `alt` says that the picture only decorates.
fn in_html(text: &str, part: Range<usize>) -> Vec<usize> {
    let html = &text[part.clone()];
    let starts = html.match_indices("<img").map(|(at, _)| at);
    let is_wrong = |at: &usize| {
        let tag = &html[*at..];
        let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
        let is_tag = tag[4..].starts_with(|c: char| c.is_ascii_whitespace() || c == '/');
        let mut words = tag.split(|c: char| c.is_ascii_whitespace() || c == '"' || c == '\'');
        let has_alt = words.any(|word| word == "alt" || word.starts_with("alt="));
        is_tag && !has_alt
    };
    starts.filter(is_wrong).map(|at| part.start + at).collect()
}

fn plays(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let kind = media_facts::media_type(Path::new(path));
    kind.starts_with("audio/") || kind.starts_with("video/")
}
