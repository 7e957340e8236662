//! Parsed templates and their tags.

use super::error::{Position, Positions};
use super::steps::{Key, Name, PartialStep, Step};

/// A template, parsed once and rendered any number of times.
///
/// A template contains its source and a flat list of steps. However deeply its sections are nested,
/// parsing, rendering and dropping it need little stack space.
#[derive(Debug, Clone)]
pub struct Template {
    pub(super) source: String,
    pub(super) steps: Vec<Step>,
    /// The keys of all dotted names, concatenated.
    pub(super) keys: Vec<Key>,
    pub(super) partial_steps: Vec<PartialStep>,
}

/// A `{{> name}}` tag of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartialTag<'t> {
    /// Name of the partial.
    pub name: &'t str,
    /// Line of the tag, counted from 1.
    pub line: usize,
    /// Column of the tag in characters, counted from 1.
    pub column: usize,
}

/// A tag that prints a value or opens a section.
#[derive(Debug, Clone, Copy)]
pub struct NameTag<'t> {
    template: &'t Template,
    name: Name,
    at: usize,
}

impl<'t> NameTag<'t> {
    /// Returns the keys of the dotted name: `a` and `b` for `{{a.b}}`, none for `{{.}}`.
    pub fn keys(&self) -> impl Iterator<Item = &'t str> {
        self.template.keys(self.name).iter().map(|key| &*key.text)
    }

    /// Returns the byte offset of the tag in the template's source.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Returns the line and column of the tag, counted from 1, the column in characters. This scans
    /// the source.
    pub fn place(&self) -> (usize, usize) {
        let Position { line, column } = self.template.position(self.at);
        (line, column)
    }
}

impl Template {
    /// Replaces the key `from` with `to` in all dotted names. With `a` for `from` and `b` for `to`,
    /// `{{a.x}}`, `{{item.a.x}}` and `{{#a}}` become `{{b.x}}`, `{{item.b.x}}` and `{{#b}}`. Names
    /// of partials stay unchanged.
    ///
    /// This allows a theme that expects data under one key to render data under another key.
    pub fn rename_key(&mut self, from: &str, to: &str) {
        for key in self.keys.iter_mut().filter(|key| &*key.text == from) {
            *key = Key::new(to);
        }
    }

    /// Returns whether a tag of this template contains `key` in its name.
    pub fn mentions(&self, key: &str) -> bool {
        self.keys.iter().any(|known| &*known.text == key)
    }

    /// Returns the partials that this template includes, in the order of their tags, with
    /// duplicates. Partials that those partials include are not listed.
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
            PartialTag { name: &step.name, line, column }
        })
    }

    /// Returns the names of partials that the template includes outside sections named `key`. How
    /// often a partial inside such a section is rendered depends on the data.
    ///
    /// ```
    /// use mustache::Template;
    ///
    /// let branch = Template::parse("{{> leaf}}{{#below}}{{> branch}}{{/below}}")?;
    /// assert_eq!(branch.partials_outside("below").collect::<Vec<_>>(), ["leaf"]);
    /// # Ok::<(), mustache::ParseError>(())
    /// ```
    pub fn partials_outside<'t>(&'t self, key: &'t str) -> impl Iterator<Item = &'t str> {
        let mut outside = 0;
        let steps = self.steps.iter().zip(0..);
        steps.filter_map(move |(step, at)| match step {
            Step::Section { name, after, .. } if at >= outside => {
                let is_it = matches!(self.keys(*name), [only] if &*only.text == key);
                outside = if is_it { *after } else { outside };
                None
            }
            Step::Partial(index) if at >= outside => Some(&*self.partial_steps[*index].name),
            _ => None,
        })
    }

    /// Returns the tags that print values or open sections, in order.
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
            | Step::Inverted { name, at, .. } => Some(NameTag { template: self, name, at }),
            _ => None,
        })
    }

    /// Returns the source from which the template was parsed.
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
