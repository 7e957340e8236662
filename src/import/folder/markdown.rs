//! The references in a Markdown text, changed where they stand.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

use crate::source::html::{self, Role};

/// Replaces references: where links lead, and what pictures show. What stands in code stays.
pub fn rewrite(text: &str, change: &mut dyn FnMut(Role, &str) -> Option<String>) -> String {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_DEFINITION_LIST;
    let parser = Parser::new_ext(text, options);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (_, definition) in parser.reference_definitions().iter() {
        let span = definition.span.clone();
        let start = text[span.clone()].find("]:").map(|at| span.start + at + 2);
        edits.extend(start.and_then(|start| edit(text, start, Role::Link, change)));
    }
    let mut html: Vec<Range<usize>> = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(Tag::Link { link_type: LinkType::Inline, .. }) => {
                edits.extend(
                    after_text(text, &range).and_then(|at| edit(text, at, Role::Link, change)),
                );
            }
            Event::Start(Tag::Image { link_type: LinkType::Inline, .. }) => {
                edits.extend(
                    after_text(text, &range).and_then(|at| edit(text, at, Role::Picture, change)),
                );
            }
            Event::Html(_) | Event::InlineHtml(_) => match html.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => html.push(range),
            },
            _ => {}
        }
    }
    for range in html {
        let before = &text[range.clone()];
        let after = in_html(before, change);
        if after != before {
            edits.push((range, after));
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in edits.into_iter().filter(|(range, _)| !range.is_empty()) {
        if range.start >= at {
            out += &text[at..range.start];
            out += &new;
            at = range.end;
        }
    }
    out + &text[at..]
}

/// Removes HTML comments, except `<!--more-->`. Returns the text and the number of comments.
pub fn without_comments(text: &str) -> (String, usize) {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for (event, range) in Parser::new_ext(text, Options::all()).into_offset_iter() {
        if matches!(event, Event::Html(_) | Event::InlineHtml(_)) {
            match spans.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => spans.push(range),
            }
        }
    }
    let (mut out, mut count, mut at) = (String::new(), 0, 0);
    for span in spans {
        let mut from = span.start.max(at);
        while let Some(start) = text[from..span.end].find("<!--").map(|start| from + start) {
            let length = text[start..span.end].find("-->").map(|end| end + 3);
            let end = length.map_or(span.end, |length| start + length);
            if text[start..end].trim_matches(['<', '!', '-', '>', ' ']) != "more" {
                out += &text[at..start];
                out += &"\n".repeat(text[start..end].matches('\n').count());
                at = end;
                count += 1;
            }
            from = end;
        }
    }
    (out + &text[at..], count)
}

/// A text without its blocks of HTML, but for the mark of its summary's end. Returns how many there were.
pub fn without_blocks(text: &str) -> (String, usize) {
    let parser = Parser::new_ext(text, Options::all()).into_offset_iter();
    let blocks = parser.filter_map(|(event, range)| {
        matches!(event, Event::Start(Tag::HtmlBlock)).then_some(range)
    });
    let (mut out, mut count, mut at) = (String::new(), 0, 0);
    for range in blocks {
        if range.start < at
            || text[range.clone()].trim().trim_matches(['<', '!', '-', '>', ' ']) == "more"
        {
            continue;
        }
        out += &text[at..range.start];
        out += &"\n".repeat(text[range.clone()].matches('\n').count());
        at = range.end;
        count += 1;
    }
    (out + &text[at..], count)
}

/// As [`rewrite`], in HTML.
pub fn in_html(text: &str, change: &mut dyn FnMut(Role, &str) -> Option<String>) -> String {
    html::rewrite(text, |role, reference, _| change(role, reference))
}

/// Where the reference of a link begins: after the last `](` in it.
fn after_text(text: &str, range: &Range<usize>) -> Option<usize> {
    text[range.clone()].rfind("](").map(|at| range.start + at + 2)
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

/// Where a reference without `<` ends: at a space, or at the parenthesis that is not its own.
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
    fn comments_go_and_code_and_the_mark_of_a_summary_stay() {
        let text = "One <!-- a --> two.\n\n<!--more-->\n\n<!-- b\nc -->\n\n`<!-- d -->`\n\n    <!-- e -->\n";
        let after = "One  two.\n\n<!--more-->\n\n\n\n\n`<!-- d -->`\n\n    <!-- e -->\n";
        assert_eq!(without_comments(text), (after.to_owned(), 2));
    }

    #[test]
    fn blocks_of_html_go_and_tags_in_lines_stay() {
        let text = "One <b>two</b>.\n\n<div>\nthree\n</div>\n\n<!--more-->\n\n> <p>four</p>\n\n    <p>five</p>\n";
        let after = "One <b>two</b>.\n\n\n\n\n\n<!--more-->\n\n> \n\n    <p>five</p>\n";
        assert_eq!(without_blocks(text), (after.to_owned(), 2));
    }

    #[test]
    fn references_change_where_they_stand_and_nothing_else_does() {
        let text = "[a](x.md \"x.md\") ![b](<x.md>) [![c](x.md)](x.md) `[d](x.md)` [e][r] <a href=\"x.md\">\n\n[r]: x.md 'x.md'\n\n    [f](x.md)\n";
        let after = rewrite(text, &mut |_, reference| (reference == "x.md").then(|| "y z".into()));
        let expected = "[a](<y z> \"x.md\") ![b](<y z>) [![c](<y z>)](<y z>) `[d](x.md)` [e][r] <a href=\"y z\">\n\n[r]: <y z> 'x.md'\n\n    [f](x.md)\n";
        assert_eq!(after, expected);
    }

    proptest::proptest! {
        #[test]
        fn what_is_not_changed_stays_byte_for_byte(text in "[\\[\\]()!<>a-c=\"'`/ \né:#*|-]{0,80}") {
            assert_eq!(rewrite(&text, &mut |_, _| None), text);
            rewrite(&text, &mut |_, _| Some("x".into()));
        }
    }
}
