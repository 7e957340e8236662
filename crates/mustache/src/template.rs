//! A template that has been read.

use std::ops::Range;

use serde_json::Value;

use super::Context;

use super::error::{Position, Positions};
use super::render::Limits;
use super::{MAX_OUTPUT, ParseError, Partials, RenderError, parse, render};

/// A template, read once and rendered any number of times.
///
/// It holds its source and a flat list of steps, so reading, rendering and dropping it take no
/// stack, however deep its sections are.
#[derive(Debug, Clone)]
pub struct Template {
    pub(super) source: String,
    pub(super) steps: Vec<Step>,
    /// The keys of all dotted names, one name after the other.
    pub(super) keys: Vec<Key>,
    pub(super) partial_steps: Vec<PartialStep>,
}

/// What rendering does next. Text is a range of the source.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Text(Range<usize>),
    /// A line starts with a tag: write a partial's indentation. Text looks for its line starts itself.
    Indent,
    Value {
        name: Name,
        escaped: bool,
        at: usize,
    },
    /// Enter the section, or go to step `after`. `at` is the tag's offset in the source.
    Section {
        name: Name,
        after: usize,
        at: usize,
    },
    /// Go to step `body` for the next element of the list, or leave the section.
    Next {
        body: usize,
        at: usize,
    },
    /// Go on when the value is false, or go to step `after`.
    Inverted {
        name: Name,
        after: usize,
        at: usize,
    },
    /// An index into `partial_steps`.
    Partial(usize),
}

/// A dotted name: a range of the template's keys, empty for `.`, the context itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name {
    pub start: usize,
    pub end: usize,
}

/// One part of a dotted name.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub text: Box<str>,
    /// The key as a list index, when it is written as one (`0`, `12`, not `012`).
    pub index: Option<usize>,
}

impl Key {
    pub fn new(text: &str) -> Self {
        let is_index = text.bytes().all(|byte| byte.is_ascii_digit())
            && (text.len() == 1 || !text.starts_with('0'));
        Key {
            text: text.into(),
            index: if is_index { text.parse().ok() } else { None },
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct PartialStep {
    pub name: Box<str>,
    pub at: usize,
    /// The whitespace before a tag that stands alone on its line; `None` for a tag within a line.
    pub indent: Option<Range<usize>>,
}

/// A `{{> name}}` tag of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartialTag<'t> {
    /// The name of the partial.
    pub name: &'t str,
    /// The tag's line, counted from 1.
    pub line: usize,
    /// The tag's column in characters, counted from 1.
    pub column: usize,
}

/// A tag of a template that names a value or a section.
#[derive(Debug, Clone, Copy)]
pub struct NameTag<'t> {
    template: &'t Template,
    name: Name,
    at: usize,
}

impl<'t> NameTag<'t> {
    /// The keys of its dotted name: `a` and `b` of `{{a.b}}`, none of `{{.}}`.
    pub fn keys(&self) -> impl Iterator<Item = &'t str> {
        self.template.keys(self.name).iter().map(|key| &*key.text)
    }

    /// Its line and column in characters, counted from 1. Costs a pass over the source.
    pub fn place(&self) -> (usize, usize) {
        let Position { line, column } = self.template.position(self.at);
        (line, column)
    }
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// When a tag or a section is not closed, closes nothing, is empty or malformed, or when sections are
    /// nested more than [`MAX_SECTION_DEPTH`](super::MAX_SECTION_DEPTH) deep.
    ///
    /// ```
    /// use mustache::Template;
    ///
    /// let error = Template::parse("<ul>\n  {{#items}}\n</ul>").unwrap_err();
    /// assert_eq!((error.line(), error.column()), (2, 3));
    /// assert_eq!(error.source_line(), "  {{#items}}");
    /// ```
    pub fn parse(source: impl Into<String>) -> Result<Self, ParseError> {
        parse::parse(source.into())
    }

    /// Renders into `out`, after what it holds already.
    ///
    /// `context` is the stack that names are looked up in, the outermost (the site's) first, the
    /// innermost (the page's) last; the innermost that has the name's first key decides. A partial that
    /// is not among `partials` renders as nothing; [`partial_names`](Self::partial_names) finds those beforehand.
    ///
    /// # Errors
    ///
    /// When partials include one another more than [`MAX_PARTIAL_DEPTH`](super::MAX_PARTIAL_DEPTH) deep, or
    /// the work exceeds [`MAX_STEPS`](super::MAX_STEPS) or [`MAX_OUTPUT`](super::MAX_OUTPUT).
    pub fn render(
        &self,
        context: &[&Value],
        partials: &Partials,
        out: &mut String,
    ) -> Result<(), RenderError> {
        self.render_within(MAX_OUTPUT, context, partials, out)
    }

    /// [`render`](Self::render) for readers, with contexts that may be values under names of their
    /// own: an object prints its `name`, and a list nothing, for nobody reads JSON.
    pub fn render_in<'a>(
        &'a self,
        context: &[Context<'a>],
        partials: &'a Partials,
        out: &mut String,
    ) -> Result<(), RenderError> {
        let limits = Limits {
            output: MAX_OUTPUT,
            json: false,
        };
        render::render(self, context, partials, limits, out)
    }

    /// [`render`](Self::render) that is stopped soon after `limit` bytes.
    pub fn render_within(
        &self,
        limit: usize,
        context: &[&Value],
        partials: &Partials,
        out: &mut String,
    ) -> Result<(), RenderError> {
        let contexts: Vec<Context<'_>> =
            context.iter().map(|value| Context::Object(value)).collect();
        let limits = Limits {
            output: limit,
            json: true,
        };
        render::render(self, &contexts, partials, limits, out)
    }

    /// Replaces the key `from` by `to` wherever a dotted name has it: with `a` for `b`, `{{a.x}}`,
    /// `{{item.a.x}}` and `{{#a}}` become `{{b.x}}`, `{{item.b.x}}` and `{{#b}}`. Names of partials stay.
    ///
    /// A theme written for data under one namespace key is so rendered with data under another.
    pub fn rename_key(&mut self, from: &str, to: &str) {
        for key in self.keys.iter_mut().filter(|key| &*key.text == from) {
            *key = Key::new(to);
        }
    }

    /// Whether a tag of this template names `key` anywhere.
    pub fn mentions(&self, key: &str) -> bool {
        self.keys.iter().any(|known| &*known.text == key)
    }

    /// The partials that this template includes, in the order of their tags, repeated as they are. What those
    /// partials include in turn is not among them.
    ///
    /// ```
    /// use mustache::Template;
    ///
    /// let page = Template::parse("{{> head}}\n<p>{{> entry/body}}</p>")?;
    /// let body = page.partial_names().nth(1).unwrap();
    /// assert_eq!((body.name, body.line, body.column), ("entry/body", 2, 4));
    /// # Ok::<(), mustache::ParseError>(())
    /// ```
    pub fn partial_names(&self) -> impl Iterator<Item = PartialTag<'_>> {
        let mut positions = Positions::of(&self.source);
        self.partial_steps.iter().map(move |step| {
            let Position { line, column } = positions.at(step.at);
            PartialTag {
                name: &step.name,
                line,
                column,
            }
        })
    }

    /// The tags that name values and sections, in their order; tags that close a section are not among them.
    ///
    /// ```
    /// use mustache::Template;
    ///
    /// let page = Template::parse("{{#items}}\n{{image.url}}{{/items}}")?;
    /// let last = page.names().last().unwrap();
    /// assert_eq!(last.keys().collect::<Vec<_>>(), ["image", "url"]);
    /// assert_eq!(last.place(), (2, 1));
    /// # Ok::<(), mustache::ParseError>(())
    /// ```
    pub fn names(&self) -> impl Iterator<Item = NameTag<'_>> {
        self.steps.iter().filter_map(|step| match *step {
            Step::Value { name, at, .. }
            | Step::Section { name, at, .. }
            | Step::Inverted { name, at, .. } => Some(NameTag {
                template: self,
                name,
                at,
            }),
            _ => None,
        })
    }

    /// The text that the template was read from.
    pub fn source(&self) -> &str {
        &self.source
    }

    pub(super) fn keys(&self, name: Name) -> &[Key] {
        &self.keys[name.start..name.end]
    }

    pub(super) fn position(&self, offset: usize) -> Position {
        Position::of(&self.source, offset)
    }
}
