//! The parser, which converts the source of a template to steps.

use std::ops::Range;

use super::error::Position;
use super::steps::{Key, Name, PartialStep, Step};
use super::{MAX_SECTION_DEPTH, ParseError, Template};

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// Returns an error if a tag is not closed, empty or malformed, if an opening or closing
    /// section tag has no counterpart, or if sections are nested more than [`MAX_SECTION_DEPTH`]
    /// deep.
    ///
    /// ```
    /// use mustache::Template;
    ///
    /// let error = Template::parse("<ul>\n  {{#items}}\n</ul>").unwrap_err();
    /// assert_eq!((error.line(), error.column()), (2, 3));
    /// assert_eq!(error.source_line(), "  {{#items}}");
    /// ```
    pub fn parse(source: impl Into<String>) -> Result<Self, ParseError> {
        parse(source.into())
    }
}

fn parse(source: String) -> Result<Template, ParseError> {
    let mut parser = Parser {
        source: &source,
        at: 0,
        open: "{{",
        close: "}}",
        sections: Vec::new(),
        steps: Vec::new(),
        keys: Vec::new(),
        partial_steps: Vec::new(),
    };
    parser.run()?;
    let Parser { steps, keys, partial_steps, .. } = parser;
    Ok(Template { source, steps, keys, partial_steps })
}

struct Parser<'s> {
    source: &'s str,
    /// Current offset in the source. Everything before this offset is already in `steps`.
    at: usize,
    open: &'s str,
    close: &'s str,
    /// Open sections, the innermost last.
    sections: Vec<OpenSection<'s>>,
    steps: Vec<Step>,
    keys: Vec<Key>,
    partial_steps: Vec<PartialStep>,
}

struct OpenSection<'s> {
    name: &'s str,
    /// Index of the section's step. The step's `after` is set when the section closes.
    step: usize,
    tag: Tag<'s>,
}

#[derive(Clone, Copy)]
struct Tag<'s> {
    kind: Kind,
    /// Text between the sigil and the closing delimiter.
    content: &'s str,
    start: usize,
    end: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Escaped,
    Unescaped,
    Section,
    Inverted,
    Close,
    Comment,
    Partial,
    Delimiters,
}

impl<'s> Parser<'s> {
    fn run(&mut self) -> Result<(), ParseError> {
        while let Some(found) = self.source[self.at..].find(self.open) {
            let tag = self.read_tag(self.at + found)?;
            let indent = self.text_before(tag);
            self.add_tag(tag, indent)?;
        }
        self.text(self.source.len());
        match self.sections.last() {
            None => Ok(()),
            Some(section) => {
                let (name, tag) = (section.name, section.tag);
                let place = self.place(tag.start);
                let close = self.closing_tag(name);
                let message = format!(
                    "section `{name}` opened at {place} is never closed; add `{close}` where it ends"
                );
                Err(self.error(tag.start, message))
            }
        }
    }

    /// Reads the tag that starts at `start`, up to its closing delimiter.
    fn read_tag(&self, start: usize) -> Result<Tag<'s>, ParseError> {
        let inside = self.source[start + self.open.len()..].trim_start();
        let kind = match inside.as_bytes().first() {
            Some(b'#') => Kind::Section,
            Some(b'^') => Kind::Inverted,
            Some(b'/') => Kind::Close,
            Some(b'!') => Kind::Comment,
            Some(b'>') => Kind::Partial,
            Some(b'=') => Kind::Delimiters,
            Some(b'&' | b'{') => Kind::Unescaped,
            _ => Kind::Escaped,
        };
        let rest = if kind == Kind::Escaped { inside } else { &inside[1..] };

        let mut closings = rest.match_indices(self.close).map(|(at, _)| at);
        let end = if kind == Kind::Delimiters {
            // The new delimiters can contain the current closing delimiter, as in `{{={{ }}=}}`.
            closings.find(|&at| rest[..at].ends_with('='))
        } else {
            closings.next()
        };
        let Some(end) = end else {
            return Err(self.unclosed_tag(kind, start));
        };
        let rest_at = self.source.len() - rest.len();
        let mut tag =
            Tag { kind, content: &rest[..end], start, end: rest_at + end + self.close.len() };
        if kind == Kind::Delimiters {
            tag.content = &rest[..end - 1];
        } else if inside.starts_with('{') {
            // In `{{{x}}}`, the first match of `}}` is one byte too early.
            if rest[end..].strip_prefix('}').is_some_and(|rest| rest.starts_with(self.close)) {
                tag.end += 1;
            } else if let Some(content) = tag.content.strip_suffix('}') {
                tag.content = content;
            } else {
                let (text, close) = (self.excerpt(start, tag.end), self.close);
                let message = format!("`{text}` lacks a `}}`; end it with `}}{close}`");
                return Err(self.error(start, message));
            }
        }
        Ok(tag)
    }

    /// Adds a step for the text before the tag, and moves to the end of the tag. If the tag is
    /// alone on its line, skips the rest of the line too, and returns the whitespace before the
    /// tag.
    fn text_before(&mut self, tag: Tag<'s>) -> Option<Range<usize>> {
        let before = &self.source[self.at..tag.start];
        let line_start = self.at + before.trim_end_matches([' ', '\t']).len();
        let starts_line = line_start == 0 || self.source.as_bytes()[line_start - 1] == b'\n';
        let line_end = match tag.kind {
            Kind::Escaped | Kind::Unescaped => None,
            _ if !starts_line => None,
            _ => self.line_end(tag.end),
        };
        if let Some(line_end) = line_end {
            self.text(line_start);
            self.at = line_end;
            return Some(line_start..tag.start);
        }
        self.text(tag.start);
        if starts_line && line_start == tag.start {
            self.steps.push(Step::Indent);
        }
        self.at = tag.end;
        None
    }

    /// Returns the start of the next line, if only whitespace follows `at` on this line.
    fn line_end(&self, at: usize) -> Option<usize> {
        let rest = self.source[at..].trim_start_matches([' ', '\t']);
        let next = rest
            .strip_prefix("\r\n")
            .or_else(|| rest.strip_prefix('\n'))
            .or_else(|| rest.is_empty().then_some(""))?;
        Some(self.source.len() - next.len())
    }

    fn text(&mut self, end: usize) {
        if self.at < end {
            self.steps.push(Step::Text(self.at..end));
        }
    }

    fn add_tag(&mut self, tag: Tag<'s>, indent: Option<Range<usize>>) -> Result<(), ParseError> {
        match tag.kind {
            Kind::Escaped | Kind::Unescaped => {
                let escaped = tag.kind == Kind::Escaped;
                let (text, name) = self.dotted_name(tag)?;
                let around = self.sections.last();
                let is_same_as_section =
                    around.is_some_and(|open| open.tag.kind == Kind::Section && open.name == text);
                self.steps.push(Step::Value { name, escaped, is_same_as_section, at: tag.start });
            }
            Kind::Section | Kind::Inverted => self.open_section(tag)?,
            Kind::Close => self.close_section(tag)?,
            Kind::Comment => {}
            Kind::Partial => {
                let name = self.plain_name(tag)?.into();
                self.steps.push(Step::Partial(self.partial_steps.len()));
                self.partial_steps.push(PartialStep { name, at: tag.start, indent });
            }
            Kind::Delimiters => self.set_delimiters(tag)?,
        }
        Ok(())
    }

    fn open_section(&mut self, tag: Tag<'s>) -> Result<(), ParseError> {
        let (text, name) = self.dotted_name(tag)?;
        if self.sections.len() == MAX_SECTION_DEPTH {
            let message = format!(
                "section `{text}` is nested more than {MAX_SECTION_DEPTH} deep; move its content to a partial"
            );
            return Err(self.error(tag.start, message));
        }
        self.sections.push(OpenSection { name: text, step: self.steps.len(), tag });
        // `close_section` sets `after` to its final value.
        let (after, at) = (usize::MAX, tag.start);
        self.steps.push(match tag.kind {
            Kind::Inverted => Step::Inverted { name, after, at },
            _ => Step::Section { name, after, at },
        });
        Ok(())
    }

    fn close_section(&mut self, tag: Tag<'s>) -> Result<(), ParseError> {
        let name = self.plain_name(tag)?;
        let Some(section) = self.sections.pop() else {
            let text = self.excerpt(tag.start, tag.end);
            let (open, close) = (self.open, self.close);
            let message = format!(
                "`{text}` closes no open section; remove it, or open the section before it with `{open}#{name}{close}`"
            );
            return Err(self.error(tag.start, message));
        };
        if section.name != name {
            let text = self.excerpt(tag.start, tag.end);
            let open = section.name;
            let place = self.place(section.tag.start);
            let close = self.closing_tag(open);
            let message = format!(
                "`{text}` cannot close section `{open}`, which was opened at {place}; put `{close}` before it"
            );
            return Err(self.error(tag.start, message));
        }
        let end = self.steps.len();
        match &mut self.steps[section.step] {
            Step::Section { after, at, .. } => {
                *after = end + 1;
                let (body, at) = (section.step + 1, *at);
                self.steps.push(Step::Next { body, at });
            }
            Step::Inverted { after, .. } => *after = end,
            // Unreachable: the step of an open section is always `Section` or `Inverted`.
            _ => {}
        }
        Ok(())
    }

    fn set_delimiters(&mut self, tag: Tag<'s>) -> Result<(), ParseError> {
        let mut words = tag.content.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some(open), Some(close), None) if !open.contains('=') && !close.contains('=') => {
                self.open = open;
                self.close = close;
                Ok(())
            }
            _ => {
                let text = self.excerpt(tag.start, tag.end);
                let message =
                    format!("`{text}` does not set delimiters; {}", self.delimiters_syntax());
                Err(self.error(tag.start, message))
            }
        }
    }

    /// Parses the tag's name into keys. Also returns the name as written.
    fn dotted_name(&mut self, tag: Tag<'s>) -> Result<(&'s str, Name), ParseError> {
        let text = self.plain_name(tag)?;
        let start = self.keys.len();
        if text != "." {
            if text.split('.').any(str::is_empty) {
                let message = format!(
                    "`{}` has an empty key in its name; write `.` alone for the context itself, or `a.b` for a nested key",
                    self.excerpt(tag.start, tag.end)
                );
                return Err(self.error(tag.start, message));
            }
            self.keys.extend(text.split('.').map(Key::new));
        }
        let end = self.keys.len();
        Ok((text, Name { start, end }))
    }

    fn plain_name(&self, tag: Tag<'s>) -> Result<&'s str, ParseError> {
        let name = tag.content.trim();
        let problem = if let Some(problem) = unsupported_reason(tag.kind, name) {
            problem.to_owned()
        } else if name.is_empty() {
            "is an empty tag; write a name in it, or remove it".to_owned()
        } else if name.contains(self.open) {
            "contains another tag; close the first tag before it".to_owned()
        } else if name.contains(char::is_whitespace) {
            "has a space in its name; write a single name, because Mustache has no helpers or arguments"
                .to_owned()
        } else if name.contains(['{', '}']) {
            "has a brace in its name; remove the brace, or write three braces on each side to print the value unescaped"
                .to_owned()
        } else {
            return Ok(name);
        };
        let text = self.excerpt(tag.start, tag.end);
        Err(self.error(tag.start, format!("`{text}` {problem}")))
    }

    fn unclosed_tag(&self, kind: Kind, start: usize) -> ParseError {
        let line = self.source[start..].lines().next().unwrap_or("");
        let text = self.excerpt(start, start + line.len());
        let message = match kind {
            Kind::Delimiters => format!("`{text}` is never closed; {}", self.delimiters_syntax()),
            _ => format!("`{text}` is never closed; end the tag with `{}`", self.close),
        };
        self.error(start, message)
    }

    fn delimiters_syntax(&self) -> String {
        let (open, close) = (self.open, self.close);
        format!(
            "write two delimiters without `=`, with a space between them, as in `{open}=<% %>={close}`"
        )
    }

    fn closing_tag(&self, name: &str) -> String {
        format!("{}/{name}{}", self.open, self.close)
    }

    fn place(&self, offset: usize) -> String {
        let position = Position::of(self.source, offset);
        format!("line {} column {}", position.line, position.column)
    }

    /// Returns the source from `start` to `end`, truncated to fit in a message.
    fn excerpt(&self, start: usize, end: usize) -> String {
        const MAX_EXCERPT_LENGTH: usize = 60;
        let text = &self.source[start..end];
        let line = text.lines().next().unwrap_or("");
        let shown: String = line.chars().take(MAX_EXCERPT_LENGTH).collect();
        if shown.len() < text.len() { shown + "…" } else { shown }
    }

    fn error(&self, offset: usize, message: String) -> ParseError {
        ParseError::at(self.source, offset, message)
    }
}

/// Returns the reason why a tag is rejected, if it belongs to an optional part of the specification
/// that this engine does not support.
fn unsupported_reason(kind: Kind, name: &str) -> Option<&'static str> {
    match (kind, name.chars().next()?) {
        (Kind::Escaped, '<') => Some(
            "extends a parent template, which is not supported; include the parent as a partial: `{{>name}}`",
        ),
        (Kind::Escaped, '$') => Some(
            "is a block of template inheritance, which is not supported; write its content here, or move it to a partial: `{{>name}}`",
        ),
        (Kind::Partial, '*') => Some(
            "has a dynamic name, which is not supported; write each partial by name in a separate section",
        ),
        _ => None,
    }
}
