//! The places of a Markdown body that its events do not show: the ends of links, and the definitions
//! of links.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::substitutions::Parsed;

/// The end of a link or picture in brackets.
pub struct LinkTail {
    /// The byte where the link starts.
    pub start: usize,
    /// The range from the bracket after the link's text to the link's end.
    pub range: Range<usize>,
    /// Whether the address is in a definition.
    pub is_reference: bool,
    pub is_in_table: bool,
    pub address: String,
    pub title: String,
}

/// The ends of a body's links, and the edits that remove its link definitions.
#[derive(Default)]
pub struct LinkTails {
    pub tails: Vec<LinkTail>,
    pub definitions: Vec<(Range<usize>, String)>,
}

/// A comment that separates blocks as the removed definition did.
const SEPARATOR: &str = "<!-- -->";

impl LinkTails {
    /// Finds them in a body. `options` must be without links by name.
    pub fn of(body: &str, parsed: &Parsed<'_>, options: Options) -> Self {
        let mut found = Self::default();
        let mut open: Vec<(LinkTail, LinkType, usize)> = Vec::new();
        let mut table = false;
        let mut done = 0;
        let mut before = None;
        for (event, range) in Parser::new_ext(&parsed.text, options).into_offset_iter() {
            let event = parsed.signs.restore_event(event);
            let gap_end = match &event {
                Event::End(_) => range.end,
                _ => range.start,
            };
            if gap_end > done {
                found.find_definitions(body, done..gap_end, before.as_ref(), Some(&event));
            }
            let covered = if is_container(&event) { range.start } else { range.end };
            done = done.max(covered);
            match &event {
                Event::Start(Tag::Table(_)) => table = true,
                Event::End(TagEnd::Table) => table = false,
                _ => {}
            }
            match &event {
                Event::Start(
                    Tag::Link { link_type, dest_url, title, .. }
                    | Tag::Image { link_type, dest_url, title, .. },
                ) => {
                    let brackets = usize::from(body[range.start..].starts_with('!')) + 1;
                    let tail = LinkTail {
                        start: range.start,
                        range: range.clone(),
                        is_reference: *link_type != LinkType::Inline,
                        is_in_table: table,
                        address: dest_url.to_string(),
                        title: title.to_string(),
                    };
                    open.push((tail, *link_type, range.start + brackets));
                }
                Event::End(TagEnd::Link | TagEnd::Image) => {
                    if let Some((tail, link_type, text_end)) = open.pop() {
                        found.end_link(body, tail, link_type, text_end);
                    }
                    read_to(&mut open, range.end);
                }
                _ => read_to(&mut open, range.end),
            }
            before = Some(event);
        }
        found.find_definitions(body, done..body.len(), before.as_ref(), None);
        found
    }

    /// Adds the tail of a link whose text ends at `text_end`.
    fn end_link(&mut self, body: &str, mut tail: LinkTail, link_type: LinkType, text_end: usize) {
        let end = &mut tail.range.end;
        // The parser's range of `[name][]` can end before the empty brackets.
        if link_type == LinkType::Collapsed && body[*end..].starts_with("[]") {
            *end += 2;
        }
        let sign = match link_type {
            LinkType::Inline => "](",
            LinkType::Reference => "][",
            LinkType::Collapsed | LinkType::Shortcut => "]",
            _ => return,
        };
        let rest = body.get(text_end..*end).unwrap_or_default();
        if let Some(at) = rest.find(sign) {
            tail.range.start = text_end + at;
            self.tails.push(tail);
        }
    }

    /// Removes the definitions in a gap between events. The parser has no events for definitions.
    fn find_definitions(
        &mut self,
        body: &str,
        gap: Range<usize>,
        before: Option<&Event<'_>>,
        after: Option<&Event<'_>>,
    ) {
        let mut from = gap.start;
        if let Some(Event::Start(Tag::FootnoteDefinition(_))) = before {
            let label = body.get(gap.clone()).and_then(|text| text.find("]:"));
            from += label.map_or(0, |at| at + 2);
        }
        while let Some(at) = body.get(from..gap.end).and_then(|text| text.find('[')) {
            let start = from + at;
            let mut end = line_end(body, start);
            loop {
                let next = (end + 1).min(body.len());
                let next_end = line_end(body, next);
                let line = &body[next..next_end];
                if is_blank(line) || next + line.trim_end().len() > gap.end {
                    break;
                }
                end = next_end;
            }
            from = end;
            if body[start..end].contains("]:") {
                let rest = body.get(end + 1..gap.end).unwrap_or_default();
                if after.is_some_and(starts_text) && end < gap.end && !rest.contains('\n') {
                    // The next line is text even if it is indented as code or begins with the sign
                    // of a block.
                    // A backslash before the text is not part of its event.
                    let text = start + body[start..gap.end].trim_end_matches('\\').len();
                    let signs = ["#", "+", "-", "=", ">", "* "];
                    let is_heading = matches!(after, Some(Event::Start(Tag::Heading { .. })));
                    let has_sign =
                        !is_heading && signs.iter().any(|sign| body[text..].starts_with(sign));
                    let escape = if has_sign { "\\" } else { "" };
                    self.definitions.push((start..text, escape.to_owned()));
                } else {
                    let must_separate = must_separate(body, &gap, before, after);
                    self.remove_definition(body, start..end, must_separate);
                }
            }
        }
    }

    fn remove_definition(&mut self, body: &str, range: Range<usize>, must_separate: bool) {
        let line = line_start(body, range.start);
        let prefix = &body[line..range.start];
        if must_separate || !is_blank(prefix) {
            let range = range.start..range.start + body[range.clone()].trim_end().len();
            self.definitions.push((range, SEPARATOR.to_owned()));
            return;
        }
        let mut removed = line..(range.end + 1).min(body.len());
        let next = body[removed.end..].lines().next();
        let last = self.definitions.last().map_or(0, |(last, _)| last.end);
        if line > last {
            let above = line_start(body, line - 1);
            let above_text = body[above..line].trim_end();
            let is_quote_end = above_text.contains('>')
                && is_blank(above_text)
                && !next.is_some_and(|next| next.trim_start().starts_with('>'));
            if is_quote_end && above >= last {
                removed.start = above;
            } else if is_blank(above_text) && next.is_some_and(|next| next.trim_end() == above_text)
            {
                removed.end = (line_end(body, removed.end) + 1).min(body.len());
            }
        }
        self.definitions.push((removed, String::new()));
    }
}

/// Returns whether the blocks before and after a gap would become one block without the definition
/// between them.
fn must_separate(
    body: &str,
    gap: &Range<usize>,
    before: Option<&Event<'_>>,
    after: Option<&Event<'_>>,
) -> bool {
    match before {
        Some(Event::Start(Tag::BlockQuote(_))) => {
            let line = line_start(body, gap.start);
            let mut next = body[gap.end..].lines().filter(|line| !line.trim().is_empty());
            line > 0 && !is_blank(&body[line_start(body, line - 1)..line])
                || next.next().is_some_and(|next| next.starts_with([' ', '\t']))
        }
        Some(Event::End(
            TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::BlockQuote(_)
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListDefinition
            | TagEnd::CodeBlock,
        )) => match after {
            Some(Event::Start(
                Tag::List(_)
                | Tag::BlockQuote(_)
                | Tag::CodeBlock(CodeBlockKind::Indented)
                | Tag::DefinitionList,
            )) => true,
            Some(Event::Start(_)) => body[..gap.end].ends_with([' ', '\t']),
            _ => false,
        },
        _ => false,
    }
}

/// Returns whether an event starts a paragraph, heading or table. In a list without blank lines,
/// paragraphs have no events.
fn starts_text(event: &Event<'_>) -> bool {
    match event {
        Event::Start(tag) => matches!(
            tag,
            Tag::Paragraph
                | Tag::Heading { .. }
                | Tag::Table(_)
                | Tag::Link { .. }
                | Tag::Image { .. }
                | Tag::Emphasis
                | Tag::Strong
                | Tag::Strikethrough
        ),
        Event::End(_) | Event::Html(_) | Event::Rule => false,
        _ => true,
    }
}

/// Returns whether a block contains blocks, so that definitions can be between its events.
fn is_container(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::Start(
            Tag::BlockQuote(_)
                | Tag::List(_)
                | Tag::Item
                | Tag::FootnoteDefinition(_)
                | Tag::DefinitionList
                | Tag::DefinitionListDefinition
        )
    )
}

/// Records that the text of the innermost open link reaches to `end`.
fn read_to(open: &mut [(LinkTail, LinkType, usize)], end: usize) {
    if let Some((_, _, text_end)) = open.last_mut() {
        *text_end = end.max(*text_end);
    }
}

fn is_blank(line: &str) -> bool {
    line.chars().all(|c| c == '>' || c.is_ascii_whitespace())
}

fn line_start(body: &str, at: usize) -> usize {
    body[..at].rfind('\n').map_or(0, |end| end + 1)
}

fn line_end(body: &str, at: usize) -> usize {
    body[at..].find('\n').map_or(body.len(), |length| at + length)
}
