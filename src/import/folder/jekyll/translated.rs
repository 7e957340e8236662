//! Pages of jekyll-multiple-languages-plugin: one page for all languages, whose texts are in the folder
//! `_i18n`.

use std::collections::BTreeSet;

use crate::folder::data::{self, Data, texts_at};
use crate::folder::liquid::LIQUID;
use crate::folder::source::{Source, Text};
use crate::folder::tags::Tag;
use crate::folder::tree::{Tree, is_html, is_markdown};

/// Maximum depth of files that include other files.
const MAX_DEPTH: usize = 4;

/// Maximum length of a page with its included files, in bytes.
const MAX_LENGTH: usize = 1 << 20;

/// The translations of a site.
#[derive(Default)]
pub struct Translations {
    /// Languages, starting with the default language, each with its strings. Empty without the plugin.
    languages: Vec<(String, Data)>,
    /// Paths of pages that are not translated.
    excluded: Vec<String>,
    /// Files of `_i18n` that pages include.
    used: BTreeSet<String>,
}

impl Translations {
    pub fn of(tree: &mut Tree, settings: &Data) -> Self {
        let file = |tree: &mut Tree, name: &String| {
            let paths = ["yml", "yaml"].map(|kind| format!("_i18n/{name}.{kind}"));
            paths.into_iter().find_map(|path| data::of_file(&path, &tree.text(&path)?))
        };
        let mut languages = Vec::new();
        let mut has_files = false;
        for name in super::languages::names(settings) {
            let strings = file(tree, &name);
            has_files |= strings.is_some();
            languages.push((name, strings.unwrap_or_default()));
        }
        if !has_files {
            return Self::default();
        }
        let excluded = texts_at(settings, "exclude_from_localizations");
        Self { languages, excluded, used: BTreeSet::new() }
    }

    pub fn has_languages(&self) -> bool {
        !self.languages.is_empty()
    }

    /// Returns a page in each language.
    pub fn versions(&mut self, text: Text, tree: &mut Tree) -> Vec<Text> {
        if self.languages.is_empty() {
            return vec![text];
        }
        let is_excluded = self.excluded.iter().any(|path| text.path.starts_with(path.as_str()));
        let count = if is_excluded { 1 } else { self.languages.len() };
        (0..count).map(|at| self.version(text.clone(), at, tree)).collect()
    }

    fn version(&mut self, mut text: Text, at: usize, tree: &mut Tree) -> Text {
        let language = self.languages[at].0.clone();
        let permalink = data::take_text(&mut text.fields, &[&format!("permalink_{language}")]);
        text.fields.retain(|key, _| !key.starts_with("permalink_"));
        if let Some(permalink) = permalink {
            text.fields.insert("permalink".to_owned(), permalink.into());
        }
        let title = data::text_at(&text.fields, "title").and_then(|title| self.string(&title, at));
        text.fields.extend(title.map(|title| ("title".to_owned(), title.into())));
        text.fields.entry("page_id").or_insert_with(|| text.path.as_str().into());
        text.fields.insert("lang".to_owned(), language.into());
        text.body = self.filled(&text.body.clone(), &mut text, at, 0, tree);
        text
    }

    /// Returns a string in a language, or else in the default language.
    fn string(&self, key: &str, at: usize) -> Option<String> {
        [at, 0].into_iter().find_map(|at| data::text_at(&self.languages[at].1, key))
    }

    /// Replaces the tags `t` and `tf` with strings and files in a language.
    fn filled(
        &mut self,
        body: &str,
        text: &mut Text,
        at: usize,
        depth: usize,
        tree: &mut Tree,
    ) -> String {
        let (mut out, mut from) = (String::new(), 0);
        while let Some(tag) = Tag::next(body, from, LIQUID.forms) {
            let wanted = tag.inner.trim_start_matches(tag.name).trim().trim_matches(['"', '\'']);
            let of_page =
                || wanted.strip_prefix("page.").and_then(|key| data::text_at(&text.fields, key));
            let new = match tag.name {
                "t" | "translate" if tag.form.0 == "{%" => match of_page() {
                    Some(key) => self.string(&key, at).or(Some(key)),
                    None => self.string(wanted, at),
                },
                "tf" | "translate_file" if depth < MAX_DEPTH && out.len() < MAX_LENGTH => {
                    self.file(wanted, at, tree)
                }
                _ => None,
            };
            out += &body[from..tag.span.start];
            let is_file = matches!(tag.name, "tf" | "translate_file") && new.is_some();
            if is_file && is_markdown(wanted) && body.trim() == &body[tag.span.clone()] {
                text.is_html = is_html(wanted);
            }
            out += &match new {
                Some(new) if is_file => self.filled(&new, text, at, depth + 1, tree),
                Some(new) => new,
                None => body[tag.span.clone()].to_owned(),
            };
            from = tag.span.end;
        }
        out + &body[from..]
    }

    /// Returns the contents of a file in a language, or else in the default language.
    fn file(&mut self, path: &str, at: usize, tree: &mut Tree) -> Option<String> {
        [at, 0].into_iter().find_map(|at| {
            let path = format!("_i18n/{}/{path}", self.languages[at].0);
            let text = tree.text(&path)?;
            self.used.insert(path);
            Some(text)
        })
    }

    /// Reports the files in `_i18n` that no page includes.
    pub fn report_unused(&self, tree: &Tree, source: &mut Source) {
        let parts = tree.files.keys().filter(|path| self.has_languages() && is_part(path));
        let parts = parts.filter(|path| is_markdown(path));
        for path in parts.filter(|path| !self.used.contains(*path)) {
            source.report_unpublished(path, "no page includes it");
        }
    }
}

/// Returns whether a file contains the translation of a part of a page.
pub fn is_part(path: &str) -> bool {
    path.starts_with("_i18n/") && !path.contains("/_posts/")
}
