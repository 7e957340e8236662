//! Notes in a Markdown body: quotations that begin with a marker such as `[!NOTE]`, optionally
//! followed by a custom title.

use std::ops::Range;
use std::vec::IntoIter;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::syntax::Spanned;
use crate::fields::nearest;
use crate::linker::Linker;
use model::Rule;

/// The kinds of notes. Each string is also the key of the translated default title, and part of the
/// note's CSS class.
const KINDS: [&str; 5] = ["note", "tip", "important", "warning", "caution"];

/// The names of kinds in other programs, each with the matching kind.
const ALIASES: [(&str, &str); 6] = [
    ("attention", "warning"),
    ("danger", "caution"),
    ("error", "caution"),
    ("hint", "tip"),
    ("info", "note"),
    ("todo", "note"),
];

/// Returns whether a body may contain notes.
pub fn may_contain(body: &str) -> bool {
    memchr::memmem::find(body.as_bytes(), b"[!").is_some()
}

/// The marker of a note and the marker's range in the body.
struct Marker {
    kind: &'static str,
    range: Range<usize>,
    has_title: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NotePosition {
    Text,
    /// Inside the marker, which ends at this byte of the body. The flag is true if a custom title
    /// follows.
    Marker(usize, bool),
    /// Inside the title, with the number of open inline elements.
    Title(usize),
}

/// Pass that turns quotations with a marker into notes with a title.
pub struct Notes<'l, 'r, 'a, 'e> {
    linker: &'l Linker<'r, 'a>,
    start: usize,
    position: NotePosition,
    events: IntoIter<Spanned<'e>>,
    out: Vec<Spanned<'e>>,
}

impl<'l, 'r, 'a, 'e> Notes<'l, 'r, 'a, 'e> {
    /// Creates the pass. The body starts at byte `start` of its file.
    pub fn new(linker: &'l Linker<'r, 'a>, start: usize, events: Vec<Spanned<'e>>) -> Self {
        let (out, events) = (Vec::with_capacity(events.len()), events.into_iter());
        Self { linker, start, position: NotePosition::Text, events, out }
    }

    /// Returns the events, with marked quotations converted to notes.
    pub fn change(mut self) -> Vec<Spanned<'e>> {
        while let Some(event) = self.events.next() {
            match (&event.0, self.position) {
                (Event::Start(Tag::BlockQuote(_)), _) => self.quotation(event),
                (_, NotePosition::Text) => self.out.push(event),
                _ => self.in_title(event),
            }
        }
        self.out
    }

    fn quotation(&mut self, quotation: Spanned<'e>) {
        let marker = self.marker(&quotation.1);
        // A marker that is a link or part of a heading does not start a note.
        let ahead: Vec<_> = match &marker {
            Some(_) => self.events.by_ref().take(2).collect(),
            None => Vec::new(),
        };
        let is_text = |marker: &Marker| match &ahead[..] {
            [(Event::Start(Tag::Paragraph), _), (Event::Text(_), text)] => {
                text.start == marker.range.start
            }
            _ => false,
        };
        match marker.filter(is_text) {
            Some(marker) => {
                self.begin(&marker);
                let text = ahead.into_iter().nth(1);
                if let Some(text) = text {
                    self.in_title(text);
                }
            }
            None => {
                self.out.push(quotation);
                self.out.extend(ahead);
            }
        }
    }

    fn begin(&mut self, marker: &Marker) {
        let Marker { kind, range, .. } = marker;
        let title = if marker.has_title {
            String::new()
        } else {
            let word = self.linker.word(kind, self.start + range.start);
            format!("{word}</strong></p>\n")
        };
        let html = format!(
            "<blockquote class=\"note note-{kind}\" role=\"note\">\n<p class=\"note-title\"><strong>{title}"
        );
        self.out.push((Event::Html(html.into()), range.clone()));
        self.position = NotePosition::Marker(range.end, marker.has_title);
    }

    /// Returns the rest of a text event after the marker, or `None` if nothing follows.
    fn rest_of(&self, (event, range): Spanned<'e>) -> Option<Spanned<'e>> {
        let NotePosition::Marker(end, _) = self.position else {
            return Some((event, range));
        };
        if range.end <= end {
            return None;
        }
        let text = self.linker.reader.source.text[self.start..].get(end..range.end)?;
        Some((Event::Text(text.to_owned().into()), end..range.end))
    }

    fn marker(&self, quotation: &Range<usize>) -> Option<Marker> {
        let body = &self.linker.reader.source.text[self.start..];
        let line = body[quotation.clone()].lines().next()?;
        let text = line.strip_prefix('>')?.trim_start();
        let (name, rest) = text.strip_prefix("[!")?.split_once(']')?;
        let lower = name.to_ascii_lowercase();
        let alias = ALIASES.iter().find(|(alias, _)| *alias == lower);
        let written = alias.map_or(lower.as_str(), |(_, kind)| kind);
        let start = quotation.start + line.len() - text.len();
        // A `+` or `-` after the marker makes a note foldable in Obsidian.
        let fold = usize::from(rest.starts_with(['+', '-']));
        let range = start..start + name.len() + 3 + fold;
        let Some(kind) = KINDS.iter().find(|kind| **kind == written) else {
            self.warn(name, &lower, &range);
            return None;
        };
        Some(Marker { kind, range, has_title: !rest[fold..].trim().is_empty() })
    }

    fn warn(&self, name: &str, lower: &str, range: &Range<usize>) {
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return;
        }
        let kinds = KINDS.join(", ");
        let help = match nearest(lower, &KINDS) {
            Some(near) => {
                let near = near.to_ascii_uppercase();
                format!("did you mean [!{near}]? The kinds are {kinds}")
            }
            None => format!("write one of {kinds}"),
        };
        self.linker.reader.warning(
            Rule::ForeignSyntax,
            &(self.start + range.start..self.start + range.end),
            format!("[!{name}] is an unknown kind of note: readers see it as plain text"),
            help,
        );
    }

    /// Processes an event after a marker, up to the end of its line.
    fn in_title(&mut self, (event, range): Spanned<'e>) {
        let depth = match self.position {
            NotePosition::Title(depth) => depth,
            NotePosition::Marker(end, has_title) => {
                let is_marker = matches!(event, Event::Text(_)) && range.start < end;
                if is_marker {
                    if let Some(rest) = self.rest_of((event, range)) {
                        self.in_title(rest);
                    }
                    return;
                }
                if !has_title {
                    self.position = NotePosition::Text;
                    // The text continues on the line after the marker, or the paragraph contains
                    // only the marker.
                    if matches!(event, Event::SoftBreak | Event::HardBreak) {
                        self.out.push((Event::Start(Tag::Paragraph), range));
                    }
                    return;
                }
                if let Event::Text(text) = &event {
                    self.position = NotePosition::Title(0);
                    let text = text.trim_start().to_owned();
                    return self.out.push((Event::Text(text.into()), range));
                }
                0
            }
            NotePosition::Text => return self.out.push((event, range)),
        };
        self.position = NotePosition::Title(match event {
            Event::Start(_) => depth + 1,
            Event::End(_) => depth.saturating_sub(1),
            _ => depth,
        });
        let is_end = match event {
            Event::SoftBreak | Event::HardBreak => depth == 0,
            Event::End(TagEnd::Paragraph) => true,
            _ => false,
        };
        if !is_end {
            return self.out.push((event, range));
        }
        self.position = NotePosition::Text;
        let ends = [Event::InlineHtml("</strong>".into()), Event::End(TagEnd::Paragraph)];
        self.out.extend(ends.map(|event| (event, range.clone())));
        if !matches!(event, Event::End(_)) {
            self.out.push((Event::Start(Tag::Paragraph), range));
        }
    }
}
