//! Templates that other templates include by name.

use std::collections::BTreeMap;

use super::Template;

/// Templates by name. A name can contain any character that a `{{> name}}` tag allows, including
/// `/`.
#[derive(Debug, Clone, Default)]
pub struct Partials {
    templates: BTreeMap<String, Template>,
}

impl Partials {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a partial and returns the previous partial with the same name.
    pub fn insert(&mut self, name: impl Into<String>, template: Template) -> Option<Template> {
        self.templates.insert(name.into(), template)
    }

    /// Returns the partial with this name.
    pub fn get(&self, name: &str) -> Option<&Template> {
        self.templates.get(name)
    }

    /// Returns all partials, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Template)> {
        self.templates.iter().map(|(name, template)| (name.as_str(), template))
    }

    /// Calls [`Template::rename_key`] for every partial.
    pub fn rename_key(&mut self, from: &str, to: &str) {
        for template in self.templates.values_mut() {
            template.rename_key(from, to);
        }
    }
}

impl<N: Into<String>> FromIterator<(N, Template)> for Partials {
    fn from_iter<I: IntoIterator<Item = (N, Template)>>(partials: I) -> Self {
        Partials {
            templates: partials
                .into_iter()
                .map(|(name, template)| (name.into(), template))
                .collect(),
        }
    }
}
