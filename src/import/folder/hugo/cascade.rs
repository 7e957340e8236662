//! Cascades: values that content files inherit from their sections and from the settings.

use std::collections::HashMap;

use serde_json::Value;

use super::setup::Setup;
use crate::folder::data::{self, Data, texts_at};
use crate::folder::globs::{Globs, Style};
use crate::folder::source::{Source, Text};

/// Cascaded keys that are imported. They hide a content file, or describe the content file itself.
const APPLIED_KEYS: [&str; 22] = [
    "draft", "published", "build", "_build", "headless", "outputs", "date", "publishdate",
    "pubdate", "expirydate", "unpublishdate", "lastmod", "modified", "author", "authors", "tags",
    "categories", "keywords", "images", "cover", "series", "language",
];

/// Cascaded keys with the front matter keys here for which a folder can have defaults.
const DEFAULTS: [(&str, &str); 8] = [
    ("author", "authors"),
    ("authors", "authors"),
    ("tags", "tags"),
    ("categories", "tags"),
    ("keywords", "tags"),
    ("draft", "status"),
    ("published", "status"),
    ("language", "language"),
];

/// The properties of a content file that are compared with the target of a cascade.
pub struct Target<'t> {
    /// Path below the content folder, without extension.
    pub inner: &'t str,
    /// `home`, `section` or `page`.
    pub kind: &'t str,
    pub language: Option<&'t str>,
}

/// All cascades in the front matter of a site.
pub struct Cascades {
    /// Cascades by folder and language.
    of_sections: HashMap<(String, Option<String>), Vec<Cascade>>,
}

/// The conditions in the target of a cascade, or in the filter of a segment.
pub struct Matcher {
    path: Option<Globs>,
    kind: Option<Globs>,
    languages: Option<Globs>,
    environment: Option<Globs>,
    output: Option<Globs>,
}

struct Cascade {
    target: Matcher,
    fields: Data,
    /// Path of the file that contains the cascade.
    place: String,
}

impl Cascades {
    pub fn new() -> Self {
        Self { of_sections: HashMap::new() }
    }

    /// Moves the cascade from the front matter of a content file to this collection.
    pub fn take(&mut self, text: &mut Text, target: &Target<'_>) {
        let Some(value) = data::take(&mut text.fields, &["cascade"]) else {
            return;
        };
        let mut own = read(&value, &text.path);
        for cascade in own.iter_mut().filter(|cascade| cascade.target.languages.is_none()) {
            cascade.target.languages =
                target.language.map(|language| globs(&[language.to_owned()]));
        }
        let key = (target.inner.to_owned(), target.language.map(str::to_owned));
        self.of_sections.entry(key).or_default().append(&mut own);
    }

    /// Returns the front matter keys here that a section sets for its content files.
    pub fn defaults(&self, section: &str) -> Vec<&'static str> {
        let own = self.of_sections.iter().filter(|((of, _), _)| of == section);
        let keys = own.flat_map(|(_, cascades)| cascades).flat_map(|cascade| cascade.fields.keys());
        let known = keys.filter_map(|key| {
            let known = DEFAULTS.iter().find(|(own, _)| own.eq_ignore_ascii_case(key))?;
            Some(known.1)
        });
        let mut known: Vec<&'static str> = known.collect();
        known.sort_unstable();
        known.dedup();
        known
    }

    /// Reports cascaded values that are not imported. `date_keys` are the keys of dates.
    pub fn report_unread(&self, date_keys: &[String], source: &mut Source) {
        let mut all: Vec<&Cascade> = self.of_sections.values().flatten().collect();
        all.sort_by(|one, other| one.place.cmp(&other.place));
        for cascade in all {
            let is_read = |key: &str| {
                let key = key.to_lowercase();
                let is_internal = matches!(&*key, "type" | "layout" | "outputs");
                is_internal || APPLIED_KEYS.contains(&&*key) || date_keys.contains(&key)
            };
            for key in cascade.fields.keys().filter(|key| !is_read(key)) {
                let message =
                    format!("`cascade.{key}` was not imported: feedwright has no equivalent");
                source.note(message, &*cascade.place);
            }
        }
    }

    /// Adds cascaded values to a content file, unless it sets them itself. The nearest section
    /// takes precedence. `date_keys` are the front matter keys of dates according to the settings.
    /// Returns the file that each cascaded value comes from, by key.
    pub fn apply(
        &self,
        text: &mut Text,
        target: &Target<'_>,
        setup: &Setup,
        date_keys: &[String],
    ) -> HashMap<String, String> {
        let mut origins = HashMap::new();
        let language =
            setup.languages.iter().find(|one| Some(one.name.as_str()) == target.language);
        let of_settings: Vec<Cascade> =
            setup.cascades(language).flat_map(|value| read(value, "the settings")).collect();
        let folders = std::iter::successors(Some(target.inner), |folder| {
            let above = folder.rsplit_once('/').map_or("", |(above, _)| above);
            (!folder.is_empty()).then_some(above)
        });
        let mut near: Vec<&Cascade> = Vec::new();
        for folder in folders {
            let mut of_folder: Vec<&Cascade> = self
                .of_sections
                .iter()
                .filter(|((of, _), _)| of == folder)
                .flat_map(|(_, cascades)| cascades)
                .collect();
            of_folder.sort_by_key(|cascade| cascade.place.clone());
            near.append(&mut of_folder);
        }
        for cascade in near.into_iter().chain(&of_settings) {
            if !cascade.target.matches_target(target) {
                continue;
            }
            for (key, value) in &cascade.fields {
                let lower = key.to_lowercase();
                let is_carried = APPLIED_KEYS.contains(&&*lower) || date_keys.contains(&lower);
                if is_carried && data::get(&text.fields, key).is_none() {
                    text.fields.insert(lower.clone(), value.clone());
                    origins.insert(lower, cascade.place.clone());
                }
            }
        }
        origins
    }
}

impl Matcher {
    pub fn of(table: &Data) -> Self {
        let of = |key: &str| {
            let patterns = texts_at(table, key);
            (!patterns.is_empty()).then(|| globs(&patterns))
        };
        Self {
            path: of("path"),
            kind: of("kind"),
            languages: of("lang").or_else(|| of("sites.matrix.languages")),
            environment: of("environment"),
            output: of("output"),
        }
    }

    pub fn matches_target(&self, target: &Target<'_>) -> bool {
        let path = format!("/{}", target.inner).to_lowercase();
        let matches_target = |globs: &Option<Globs>, names: &[&str]| {
            let mut names = names.iter();
            globs.as_ref().is_none_or(|globs| names.any(|name| globs.matches(name)))
        };
        matches_target(&self.path, &[&*path, &*path.replace(' ', "-")])
            && matches_target(&self.kind, &[target.kind])
            && matches_target(&self.languages, &[target.language.unwrap_or("en")])
            && matches_target(&self.environment, &["production"])
            && matches_target(&self.output, &["html"])
    }
}

fn globs(patterns: &[String]) -> Globs {
    Globs::of(patterns, Style::ANY_CASE).0
}

/// Parses one cascade, or a list of cascades with separate targets.
fn read(value: &Value, place: &str) -> Vec<Cascade> {
    let tables = data::list(value.clone()).into_iter();
    let tables = tables.filter_map(|value| value.as_object().cloned());
    let cascade = |mut table: Data| {
        let target = data::take(&mut table, &["target", "_target"]);
        let target = target.and_then(|target| target.as_object().cloned()).unwrap_or_default();
        let mut fields = match data::take(&mut table, &["params"]) {
            Some(Value::Object(params)) => params,
            _ => Data::new(),
        };
        for (key, value) in table {
            fields.entry(key).or_insert(value);
        }
        Cascade { target: Matcher::of(&target), fields, place: place.to_owned() }
    };
    tables.map(cascade).collect()
}
