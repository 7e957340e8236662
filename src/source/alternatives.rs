//! Detection of pictures without alternative text in bodies.

use std::ops::Range;
use std::path::Path;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::html::start_tags;
use model::{MarkdownConfig, Source, url};

/// Returns the byte offsets, in a content file, of the pictures without alternative text.
pub fn pictures_without_alternatives(source: Source<'_>, config: &MarkdownConfig) -> Vec<usize> {
    // Most bodies have no pictures. This check avoids parsing a body without pictures.
    let has_tag = |text: &str| {
        let mut starts = text.match_indices('<');
        starts.any(|(at, _)| {
            text[at + 1..].get(..3).is_some_and(|name| name.eq_ignore_ascii_case("img"))
        })
    };
    let has_address = |text: &str| config.media_players && text.contains("://");
    let may_hold = source.text.contains("![") || has_tag(source.text) || has_address(source.text);
    let Some(front) = may_hold.then(|| source.front_matter().ok()).flatten() else {
        return Vec::new();
    };
    let body = &source.text[front.body..];
    let places = match source.path.extension().as_str() {
        "html" => in_html(body, 0..body.len()).collect(),
        _ => in_markdown(body, config),
    };
    places.into_iter().map(|at| front.body + at).collect()
}

fn in_markdown(body: &str, config: &MarkdownConfig) -> Vec<usize> {
    let mut found = Vec::new();
    let mut picture: Option<(usize, bool)> = None;
    // Number of open pictures in the alternative text of a picture.
    let mut inner = 0;
    let mut options = Options::ENABLE_TABLES;
    options.set(Options::ENABLE_WIKILINKS, config.wiki_links);
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        match event {
            // A paragraph that consists only of a picture's address is shown as that picture.
            Event::Start(Tag::Paragraph) if config.media_players => {
                let text = body[range.clone()].trim();
                let address = text.trim_start_matches('<').trim_end_matches('>');
                let is_alone = !address.contains(char::is_whitespace) && url::is_http(address);
                if is_alone && media_kind(address).starts_with("image/") {
                    found.push(range.start);
                }
            }
            Event::Start(Tag::Image { .. }) if picture.is_some() => inner += 1,
            Event::End(TagEnd::Image) if inner > 0 => inner -= 1,
            // A file name does not describe a picture.
            Event::Start(Tag::Image {
                link_type: LinkType::WikiLink { has_pothole: false },
                dest_url,
                ..
            }) => {
                picture = Some((range.start, !media_kind(&dest_url).starts_with("image/")));
            }
            // Audio and video need no alternative text: the player shows a name for the file.
            Event::Start(Tag::Image { dest_url, .. }) => {
                picture = Some((range.start, is_playable(&dest_url)));
            }
            Event::End(TagEnd::Image) => {
                found.extend(picture.take().filter(|(_, said)| !said).map(|(at, _)| at));
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some((at, said)) = &mut picture {
                    // The text of `![[pier.jpg]]` is its file name, which does not count as
                    // alternative text.
                    let is_name =
                        body[*at..].starts_with("![[") && media_kind(&text).starts_with("image/");
                    *said |= !is_name && !text.trim().is_empty();
                }
            }
            // The HTML block is checked as a whole, because a tag or comment can span several of
            // its lines.
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => {
                found.extend(in_html(body, range));
            }
            _ => {}
        }
    }
    found
}

/// Returns the offsets of `<img>` tags without `alt` in a byte range of a file's text. An empty
/// `alt` marks a decorative picture.
fn in_html(text: &str, part: Range<usize>) -> impl Iterator<Item = usize> {
    let images = start_tags(&text[part.clone()]).filter(|tag| *tag.name == *b"img");
    let without_alt = images.filter(|tag| !tag.attributes.contains_key(&b"alt"[..]));
    without_alt.map(move |tag| part.start + tag.span.start)
}

fn media_kind(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    media_facts::media_type(Path::new(path))
}

fn is_playable(address: &str) -> bool {
    let kind = media_kind(address);
    kind.starts_with("audio/") || kind.starts_with("video/")
}
