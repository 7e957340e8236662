//! A template that has been read.

use super::error::{Position, Positions};
use super::steps::{Key, Name, PartialStep, Step};

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

    /// The byte of the template's source at which the tag starts.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Its line and column in characters, counted from 1. Costs a pass over the source.
    pub fn place(&self) -> (usize, usize) {
        let Position { line, column } = self.template.position(self.at);
        (line, column)
    }
}

impl Template {
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
            PartialTag { name: &step.name, line, column }
        })
    }

    /// The names of the partials that it includes elsewhere than in a section `key`: of those in it, the data decide how
    /// often.
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
            | Step::Inverted { name, at, .. } => Some(NameTag { template: self, name, at }),
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
