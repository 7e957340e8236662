//! Links by name: `[[Late tide]]`, `[[late-tide|text]]`, `[[Late tide#Part]]`, and `![[pier.jpg]]`
//! to embed a file.

use std::ops::Range;
use std::vec::IntoIter;

use pulldown_cmark::{Event, LinkType, Options, Parser, RefDefs, Tag, TagEnd};

use super::players::Kind;
use super::substitutions::Substitutions;
use super::syntax::Spanned;
use crate::linker::Linker;
use model::Slug;

/// Returns whether a body may contain links by name.
pub fn may_contain(body: &str) -> bool {
    body.contains("[[")
}

/// Pass that resolves links by name. A link to a local file gets the file's address. Any other link
/// gets a placeholder, which is resolved when all items and pages have been read.
pub struct WikiLinks<'l, 'r, 'a, 'e> {
    linker: &'l Linker<'r, 'a>,
    /// The body, which starts at byte `start` of its file.
    body: &'e str,
    start: usize,
    /// The prepared body that is parsed, and the substitutions in it.
    parsed: (&'e str, &'e Substitutions),
    /// The parser's options, with links by name disabled.
    options: Options,
    definitions: &'l RefDefs<'l>,
    events: IntoIter<Spanned<'e>>,
    out: Vec<Spanned<'e>>,
}

/// A link by name, as written.
struct Named<'e> {
    name: &'e str,
    /// The link's text, if it has one in addition to the name.
    label: Option<Vec<Spanned<'e>>>,
    range: Range<usize>,
    is_embed: bool,
}

impl<'l, 'r, 'a, 'e> WikiLinks<'l, 'r, 'a, 'e> {
    pub fn new(
        linker: &'l Linker<'r, 'a>,
        (body, start): (&'e str, usize),
        parsed: (&'e str, &'e Substitutions),
        (definitions, options): (&'l RefDefs<'l>, Options),
        events: Vec<Spanned<'e>>,
    ) -> Self {
        let options = options.difference(Options::ENABLE_WIKILINKS);
        let (out, events) = (Vec::with_capacity(events.len()), events.into_iter());
        Self { linker, body, start, parsed, options, definitions, events, out }
    }

    /// Returns the events, with links such as `[[Late tide]]` resolved.
    pub fn change(mut self) -> Vec<Spanned<'e>> {
        while let Some((event, range)) = self.events.next() {
            let (link_type, is_embed) = match &event {
                Event::Start(Tag::Link { link_type, .. }) => (Some(*link_type), false),
                Event::Start(Tag::Image { link_type, .. }) => (Some(*link_type), true),
                _ => (None, false),
            };
            match link_type {
                Some(LinkType::WikiLink { has_pothole }) => self.read(has_pothole, is_embed, range),
                _ => self.out.push((event, range)),
            }
        }
        self.out
    }

    /// Reads a link by name. Its start event was already taken.
    fn read(&mut self, has_label: bool, is_embed: bool, range: Range<usize>) {
        let end = if is_embed { TagEnd::Image } else { TagEnd::Link };
        let mut text = Vec::new();
        let mut depth = 1;
        for (event, range) in self.events.by_ref() {
            depth += usize::from(is_embed && matches!(event, Event::Start(Tag::Image { .. })));
            depth -= usize::from(event == Event::End(end));
            if depth == 0 {
                break;
            }
            text.push((event, range));
        }
        let written = &self.body[range.clone()];
        let inner = written.trim_start_matches('!');
        let inner = inner.strip_prefix("[[").and_then(|it| it.strip_suffix("]]"));
        let inner = inner.unwrap_or_default();
        let name = if has_label {
            // In a table, the `|` between name and text is escaped with a backslash.
            inner.split('|').next().unwrap_or(inner).trim_end_matches('\\')
        } else {
            inner
        };
        // `if [[ -f x ]]` is not a link by name. Neither is a link whose text is in brackets.
        if name.starts_with(' ') && inner.ends_with(' ') || name.trim().trim_matches('#').is_empty()
        {
            self.out.push((Event::Text(written.into()), range));
        } else if !self.is_other_link(inner, &text, &range) {
            self.link(Named {
                name: name.trim(),
                label: has_label.then_some(text),
                range,
                is_embed,
            });
        }
    }

    /// Reads an ordinary CommonMark link with brackets in or around its text: `[[1]](https://…)`,
    /// and `[[1]]` where `[1]` is defined. Returns whether such a link was found.
    fn is_other_link(&mut self, inner: &str, text: &[Spanned<'e>], range: &Range<usize>) -> bool {
        if self.body[range.end..].starts_with('(') {
            return self.inline(range.start);
        }
        let Some(definition) = self.definitions.get(inner) else {
            return false;
        };
        let link = self.parsed.1.restore_event(Event::Start(Tag::Link {
            link_type: LinkType::Shortcut,
            dest_url: definition.dest.to_string().into(),
            title: definition.title.as_deref().unwrap_or_default().to_owned().into(),
            id: "".into(),
        }));
        let at = |event| (event, range.clone());
        let before = &self.body[range.start..range.end - inner.len() - 3];
        self.out.push(at(Event::Text(before.into())));
        self.out.push(at(link));
        self.out.extend(text.iter().cloned());
        self.out.push(at(Event::End(TagEnd::Link)));
        self.out.push(at(Event::Text("]".into())));
        true
    }

    /// Reads the inline link or picture that starts at byte `start`, and skips the events that the
    /// parser produced for it. Returns whether a link or picture was found.
    fn inline(&mut self, start: usize) -> bool {
        // Maximum number of bytes to read: longer than any address, and short enough to be read for
        // each of many links in a line.
        const MAX_LINK_LENGTH: usize = 1000;
        let (parsed, signs) = self.parsed;
        let rest = &parsed[start..];
        let rest = &rest[..rest.floor_char_boundary(MAX_LINK_LENGTH)];
        let line = rest.lines().next().unwrap_or_default();
        let events = Parser::new_ext(line, self.options).into_offset_iter().skip(1);
        let mut events = events.map(|(event, range)| (signs.restore_event(event), range));
        let Some((first @ Event::Start(Tag::Link { .. } | Tag::Image { .. }), range)) =
            events.next()
        else {
            return false;
        };
        let (end, whole) = (start + range.end, range.clone());
        let shifted = |range: Range<usize>| start + range.start..start + range.end;
        self.out.push((first, shifted(range)));
        for (event, range) in events {
            let is_end =
                range == whole && matches!(event, Event::End(TagEnd::Link | TagEnd::Image));
            self.out.push((event, shifted(range)));
            if is_end {
                break;
            }
        }
        for (event, range) in self.events.by_ref() {
            if range.start > start && range.end <= end {
                continue;
            }
            let event = match event {
                Event::Text(_) if range.start < end => {
                    Event::Text(self.body[end..range.end].into())
                }
                event => event,
            };
            self.out.push((event, range));
            break;
        }
        true
    }

    fn link(&mut self, named: Named<'e>) {
        let at = self.start + named.range.start;
        let (target, part) = match named.name.split_once('#') {
            // `[[C#]]` is a link to the name `C#`, without a heading.
            Some((target, part)) if !part.is_empty() => (target.trim(), part.rsplit('#').next()),
            _ => (named.name, None),
        };
        let target = target.strip_suffix(".md").unwrap_or(target);
        if let Some(file) = self.linker.file_named(target) {
            return self.file(named, target, file);
        }
        let anchor = part.and_then(Slug::truncated_title);
        let text = match part {
            Some(part) if target.is_empty() => part.to_owned(),
            Some(part) => format!("{target} › {part}"),
            None => target.to_owned(),
        };
        let to = self.linker.named(target, anchor.as_ref(), at);
        self.push_link(named, (false, to), text);
    }

    /// Adds a link to a file, or embeds the file.
    fn file(&mut self, named: Named<'e>, name: &str, file: String) {
        let is_shown = named.is_embed && Kind::of(&file).is_some();
        // The label of an embedded file may be the display size, as in `![[pier.jpg|300]]`.
        let is_size = |label: &Vec<Spanned<'_>>| {
            let is_digit = |c: char| c.is_ascii_digit() || c == 'x';
            matches!(&**label, [(Event::Text(text), _)] if text.chars().all(is_digit))
        };
        let label = named.label.filter(|label| !(is_shown && is_size(label)));
        self.push_link(Named { label, ..named }, (is_shown, file), name.to_owned());
    }

    fn push_link(&mut self, named: Named<'e>, (is_shown, to): (bool, String), text: String) {
        let (link_type, dest_url) = (LinkType::Inline, to.into());
        let (title, id) = ("".into(), "".into());
        let (start, end) = if is_shown {
            let image = Tag::Image { link_type, dest_url, title, id };
            (image, TagEnd::Image)
        } else {
            let link = Tag::Link { link_type, dest_url, title, id };
            (link, TagEnd::Link)
        };
        let at = |event| (event, named.range.clone());
        self.out.push(at(Event::Start(start)));
        match named.label {
            Some(label) => self.out.extend(label),
            None => self.out.push(at(Event::Text(text.into()))),
        }
        self.out.push(at(Event::End(end)));
    }
}
