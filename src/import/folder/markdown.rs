//! Changes the references in Markdown, and removes HTML from it.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

use source::html::{self, Role};

/// Replaces the targets of links and pictures. Code stays unchanged.
pub fn rewrite(text: &str, change: &mut dyn FnMut(Role, &str) -> Option<String>) -> String {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_DEFINITION_LIST;
    let parser = Parser::new_ext(text, options);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let definitions = parser.reference_definitions().iter();
    let mut definitions: Vec<_> = definitions.map(|(_, found)| found.span.clone()).collect();
    definitions.sort_by_key(|span| span.start);
    for span in definitions {
        let start = text[span.clone()].find("]:").map(|at| span.start + at + 2);
        edits.extend(start.and_then(|start| edit(text, start, Role::Link, change)));
    }
    let mut html: Vec<Range<usize>> = Vec::new();
    let mut inline = |role, range: Range<usize>| {
        // The target begins after the last `](`.
        let at = range.start + text[range].rfind("](")? + 2;
        edit(text, at, role, change)
    };
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(Tag::Link { link_type: LinkType::Inline, .. }) => {
                edits.extend(inline(Role::Link, range));
            }
            Event::Start(Tag::Image { link_type: LinkType::Inline, .. }) => {
                edits.extend(inline(Role::Picture, range));
            }
            Event::Html(_) | Event::InlineHtml(_) => html.push(range),
            _ => {}
        }
    }
    for range in joined(html.into_iter()) {
        let before = &text[range.clone()];
        let after = in_html(before, change);
        if after != before {
            edits.push((range, after));
        }
    }
    edited(text, edits)
}

/// Applies edits to a string. If edits overlap, the first one is applied.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (range, new) in edits.into_iter().filter(|(range, _)| !range.is_empty()) {
        if range.start >= at {
            out += &text[at..range.start];
            out += &new;
            at = range.end;
        }
    }
    out + &text[at..]
}

/// Removes ranges from Markdown, but keeps their line breaks and the mark `<!--more-->`. Also
/// returns the number of removed ranges.
fn without(text: &str, places: impl Iterator<Item = Range<usize>>) -> (String, usize) {
    let is_mark = |place: &str| place.trim().trim_matches(['<', '!', '-', '>', ' ']) == "more";
    let places = places.filter(|range| !is_mark(&text[range.clone()]));
    let lines = |range: &Range<usize>| "\n".repeat(text[range.clone()].matches('\n').count());
    let edits: Vec<_> = places.map(|range| (range.clone(), lines(&range))).collect();
    let count = edits.len();
    (edited(text, edits), count)
}

/// Removes HTML comments, except `<!--more-->`. Also returns the number of removed comments.
pub fn without_comments(text: &str) -> (String, usize) {
    let events = Parser::new_ext(text, Options::all()).into_offset_iter();
    let html = events.filter(|(event, _)| matches!(event, Event::Html(_) | Event::InlineHtml(_)));
    let comments = joined(html.map(|(_, range)| range)).into_iter().flat_map(|span| {
        let mut from = span.start;
        std::iter::from_fn(move || {
            let start = from + text[from..span.end].find("<!--")?;
            let length = text[start..span.end].find("-->");
            from = length.map_or(span.end, |length| start + length + 3);
            Some(start..from)
        })
    });
    without(text, comments)
}

/// Merges adjacent ranges.
fn joined(places: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in places {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}

/// Removes HTML blocks, except `<!--more-->`. Also returns the number of removed blocks.
pub fn without_blocks(text: &str) -> (String, usize) {
    let parser = Parser::new_ext(text, Options::all()).into_offset_iter();
    let blocks = parser.filter_map(|(event, range)| {
        matches!(event, Event::Start(Tag::HtmlBlock)).then_some(range)
    });
    without(text, blocks)
}

/// Replaces references like [`rewrite`], but in HTML.
pub fn in_html(text: &str, change: &mut dyn FnMut(Role, &str) -> Option<String>) -> String {
    html::rewrite(text, |role, reference, _| change(role, reference))
}

fn edit(
    text: &str,
    start: usize,
    role: Role,
    change: &mut dyn FnMut(Role, &str) -> Option<String>,
) -> Option<(Range<usize>, String)> {
    let start = start + text[start..].len() - text[start..].trim_start().len();
    let rest = &text[start..];
    let (end, reference) = match rest.strip_prefix('<') {
        Some(inner) => (inner.find('>')? + 2, &inner[..inner.find('>')?]),
        None => {
            let end = end_of(rest);
            (end, &rest[..end])
        }
    };
    let new = change(role, reference)?;
    let new = if new.contains([' ', '(', ')']) { format!("<{new}>") } else { new };
    Some((start..start + end, new))
}

/// Returns the end of a link target that is not in angle brackets. The target ends at whitespace,
/// or at an unmatched closing parenthesis.
fn end_of(text: &str) -> usize {
    let mut open = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return at,
            ')' => open -= 1,
            c if c.is_whitespace() => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_removed_and_code_and_more_marks_are_kept() {
        let text = "One <!-- a --> two.\n\n<!--more-->\n\n<!-- b\nc -->\n\n`<!-- d -->`\n\n    <!-- e -->\n";
        let after = "One  two.\n\n<!--more-->\n\n\n\n\n`<!-- d -->`\n\n    <!-- e -->\n";
        assert_eq!(without_comments(text), (after.to_owned(), 2));
    }

    #[test]
    fn html_blocks_are_removed_and_inline_tags_are_kept() {
        let text = "One <b>two</b>.\n\n<div>\nthree\n</div>\n\n<!--more-->\n\n> <p>four</p>\n\n    <p>five</p>\n";
        let after = "One <b>two</b>.\n\n\n\n\n\n<!--more-->\n\n> \n\n    <p>five</p>\n";
        assert_eq!(without_blocks(text), (after.to_owned(), 2));
    }

    #[test]
    fn only_references_are_rewritten() {
        let text = "[a](x.md \"x.md\") ![b](<x.md>) [![c](x.md)](x.md) `[d](x.md)` [e][r] <a href=\"x.md\">\n\n[r]: x.md 'x.md'\n\n    [f](x.md)\n";
        let after = rewrite(text, &mut |_, reference| (reference == "x.md").then(|| "y z".into()));
        let expected = "[a](<y z> \"x.md\") ![b](<y z>) [![c](<y z>)](<y z>) `[d](x.md)` [e][r] <a href=\"y z\">\n\n[r]: <y z> 'x.md'\n\n    [f](x.md)\n";
        assert_eq!(after, expected);
    }

    proptest::proptest! {
        #[test]
        fn unchanged_text_stays_byte_for_byte(text in "[\\[\\]()!<>a-c=\"'`/ \né:#*|-]{0,80}") {
            assert_eq!(rewrite(&text, &mut |_, _| None), text);
            rewrite(&text, &mut |_, _| Some("x".into()));
        }
    }
}
